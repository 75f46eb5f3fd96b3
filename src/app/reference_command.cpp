#include <fmt/format.h>

#include "app/commands.hpp"
#include "case/reader.hpp"

namespace galerna::app {

Action add_case_reference(CLI::App& app) {
  app.add_subcommand("case-reference", "Print the reference of all case-file keys (Markdown)");
  return [] {
    fmt::print("{}", case_file::reference_markdown());
    return 0;
  };
}

}  // namespace galerna::app
