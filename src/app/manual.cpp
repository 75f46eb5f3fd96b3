#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/command_table.hpp"
#include "app/commands.hpp"
#include "base/version.hpp"

namespace galerna::app {
namespace {

/// Text of a line for troff: dashes that can be copied, no requests.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if ((c == '.' || c == '\'') && result.empty())
      result += std::string("\\&") + c;
    else
      result += c;
  }
  return result;
}

std::string option_text(const OptionRow& option) {
  std::string names = escaped(fmt::format("{}", fmt::join(option.names, ", ")));
  if (option.by_place())
    names = "\\fI" + escaped(option.value.empty() ? names : option.value) + "\\fR (" + names + ")";
  else
    names = "\\fB" + names + "\\fR" + (option.value.empty() ? "" : " \\fI" + escaped(option.value) + "\\fR");
  return ".TP\n" + names + "\n" + escaped(option.description) + "\n";
}

constexpr const char* exit_status =
    ".SH EXIT STATUS\n"
    ".TP\n0\ndone\n.TP\n2\nwrong input: case file, mesh or command line\n.TP\n3\nthe simulation failed\n"
    ".TP\n4\nthe machine failed: device, memory, files or compiler\n.TP\n130\ninterrupted\n"
    ".SH ENVIRONMENT\n"
    ".TP\nOMP_NUM_THREADS\nthreads of the CPU, unless \\fB\\-\\-threads\\fR is given\n"
    ".TP\nGALERNA_CACHE\nfolder of compiled kernels\n.TP\nCXX\nthe compiler of CPU kernels\n";

}  // namespace

std::string manual_page(const CLI::App& app) {
  const std::vector<CommandRow> table = command_table(app);
  std::string text = fmt::format(".TH GALERNA 1 \"\" \"galerna {}\" \"Galerna\"\n.SH NAME\ngalerna \\- {}\n", version(),
                                 escaped("discontinuous Galerkin flow solver"));
  text += ".SH SYNOPSIS\n.B galerna\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n" +
          escaped(table[0].description) + ".\n";
  for (const OptionRow& option : table[0].options) text += option_text(option);
  text += ".SH COMMANDS\n";
  for (std::size_t i = 1; i < table.size(); ++i) {
    text += fmt::format(".SS {}\n{}.\n", escaped(table[i].name), escaped(table[i].description));
    for (const OptionRow& option : table[i].options) text += option_text(option);
  }
  return text + exit_status;
}

Action add_man(CLI::App& app) {
  app.add_subcommand("man", "Print the manual page (troff): galerna man | man -l -");
  return [&app] {
    fmt::print("{}", manual_page(app));
    return 0;
  };
}

}  // namespace galerna::app
