#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/command_table.hpp"
#include "app/commands.hpp"
#include "base/error.hpp"

namespace galerna::app {
namespace {

/// In single quotes, for all three shells. \param escaped characters that mean something there, too
std::string quoted(const std::string& text, const std::string& escaped = "") {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'')
      result += "'\\''";
    else if (escaped.find(c) != std::string::npos)
      result += std::string("\\") + c;
    else
      result += c;
  }
  return result + "'";
}

std::string dashed_names(const CommandRow& command) {
  std::vector<std::string> names;
  for (const OptionRow& option : command.options)
    if (!option.by_place()) names.insert(names.end(), option.names.begin(), option.names.end());
  return fmt::format("{}", fmt::join(names, " "));
}

std::string command_names(const std::vector<CommandRow>& table) {
  std::string names;
  for (std::size_t i = 1; i < table.size(); ++i) names += (i > 1 ? " " : "") + table[i].name;
  return names;
}

/// Words after an option that takes one of few, and files by extension where the word stands by its place.
std::string bash_case(const CommandRow& command) {
  std::string text = fmt::format("    {})\n      options={}\n", command.name, quoted(dashed_names(command)));
  for (const OptionRow& option : command.options) {
    if (option.by_place() && !option.extension().empty())
      text += fmt::format("      files={}\n", quoted("*" + option.extension()));
    if (option.by_place() && !option.choices.empty())
      text += fmt::format("      words={}\n", quoted(fmt::format("{}", fmt::join(option.choices, " "))));
    if (option.by_place() || option.value.empty()) continue;
    const std::string pattern = fmt::format("{}", fmt::join(option.names, "|"));
    if (!option.choices.empty())
      text += fmt::format("      case $previous in {}) words={} ;; esac\n", pattern,
                          quoted(fmt::format("{}", fmt::join(option.choices, " "))));
    else
      text += fmt::format("      case $previous in {}) files={} ;; esac\n", pattern, quoted("*" + option.extension()));
  }
  return text + "      ;;\n";
}

std::string bash_script(const std::vector<CommandRow>& table) {
  std::string text =
      "# Completion of galerna for bash, written by `galerna completion bash`.\n_galerna() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  local options='' words='' files='*'\n  COMPREPLY=()\n  if ((COMP_CWORD == 1)); then\n";
  text += fmt::format("    COMPREPLY=($(compgen -W {} -- \"$current\"))\n    return\n  fi\n",
                      quoted(command_names(table) + " " + dashed_names(table[0])));
  text += "  case ${COMP_WORDS[1]} in\n";
  for (std::size_t i = 1; i < table.size(); ++i) text += bash_case(table[i]);
  return text +
         "  esac\n  if [[ $current == -* ]]; then\n    COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
         "  elif [[ -n $words ]]; then\n    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "  else\n    compopt -o filenames -o plusdirs\n"
         "    mapfile -t COMPREPLY < <(compgen -f -X \"!$files\" -- \"$current\")\n  fi\n}\n"
         "complete -F _galerna galerna\n";
}

/// What comes behind the name of an option for zsh: ":message:action".
std::string zsh_value(const OptionRow& option) {
  if (option.value.empty()) return "";
  const std::string action = option.choices.empty()
                                 ? (option.extension().empty() ? "_files" : "_files -g \"*" + option.extension() + "\"")
                                 : fmt::format("({})", fmt::join(option.choices, " "));
  return fmt::format(":{}:{}", option.value, action);
}

std::string zsh_script(const std::vector<CommandRow>& table) {
  std::string text =
      "#compdef galerna\n# Completion of galerna for zsh, written by `galerna completion zsh`.\n"
      "_galerna() {\n  local -a commands=(\n";
  for (std::size_t i = 1; i < table.size(); ++i)
    text += fmt::format("    {}\n", quoted(table[i].name + ":" + table[i].description));
  text += "  )\n  if ((CURRENT == 2)); then\n    _describe command commands\n";
  text += fmt::format("    compadd -- {}\n    return\n  fi\n", dashed_names(table[0]));
  text += "  local command=$words[2]\n  shift words\n  ((CURRENT--))\n  case $command in\n";
  for (std::size_t i = 1; i < table.size(); ++i) {
    text += fmt::format("    {})\n      _arguments", table[i].name);
    for (const OptionRow& option : table[i].options) {
      if (option.by_place()) text += fmt::format(" \\\n        {}", quoted("*" + zsh_value(option)));
      for (const std::string& name : option.names)
        if (!option.by_place())
          text += fmt::format(" \\\n        '*'{}{}", name, quoted("[" + option.description + "]" + zsh_value(option)));
    }
    text += "\n      ;;\n";
  }
  return text + "  esac\n}\n_galerna \"$@\"\n";
}

std::string fish_line(const std::string& condition, const OptionRow& option) {
  std::string text = fmt::format("complete -c galerna -n {}", quoted(condition));
  if (option.by_place()) {
    if (option.choices.empty()) return "";
    return text + fmt::format(" -f -a {}\n", quoted(fmt::format("{}", fmt::join(option.choices, " "))));
  }
  for (const std::string& name : option.names)
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  text += " -d " + quoted(option.description);
  if (!option.choices.empty())
    text += fmt::format(" -x -a {}", quoted(fmt::format("{}", fmt::join(option.choices, " "))));
  else if (!option.value.empty())
    text += " -r -F";
  return text + "\n";
}

std::string fish_script(const std::vector<CommandRow>& table) {
  std::string text = "# Completion of galerna for fish, written by `galerna completion fish`.\n";
  for (const OptionRow& option : table[0].options) text += fish_line("__fish_use_subcommand", option);
  for (std::size_t i = 1; i < table.size(); ++i) {
    text += fmt::format("complete -c galerna -n __fish_use_subcommand -f -a {} -d {}\n", table[i].name,
                        quoted(table[i].description));
    for (const OptionRow& option : table[i].options)
      text += fish_line("__fish_seen_subcommand_from " + table[i].name, option);
  }
  return text;
}

}  // namespace

std::string completion_script(const CLI::App& app, const std::string& shell) {
  const std::vector<CommandRow> table = command_table(app);
  if (shell == "bash") return bash_script(table);
  if (shell == "zsh") return zsh_script(table);
  if (shell == "fish") return fish_script(table);
  throw InputError({"galerna completion"}, fmt::format("unknown shell '{}': bash, zsh or fish", shell));
}

Action add_completion(CLI::App& app) {
  CLI::App* command = app.add_subcommand("completion", "Print a script that completes words for a shell");
  auto shell = std::make_shared<std::string>();
  command->add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>{"bash", "zsh", "fish"}));
  return [shell, &app] {
    fmt::print("{}", completion_script(app, *shell));
    return 0;
  };
}

}  // namespace galerna::app
