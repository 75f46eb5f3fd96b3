#include <fmt/format.h>

#include "app/commands.hpp"
#include "case/reference.hpp"
#include "dg/structures.hpp"

namespace galerna::app {

Action add_case_reference(CLI::App& app) {
  app.add_subcommand("case-reference", "Print the reference of all case-file keys (Markdown)");
  return [] {
    fmt::print("{}", case_file::reference_markdown());
    return 0;
  };
}

Action add_structures(CLI::App& app) {
  app.add_subcommand("structures", "Print the table of structures of kernels and how one is chosen (Markdown)");
  return [] {
    fmt::print("{}", dg::structures_markdown());
    return 0;
  };
}

}  // namespace galerna::app
