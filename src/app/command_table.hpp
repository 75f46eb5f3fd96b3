/// \file
/// The commands and options of the program as rows, out of the same definitions that --help prints: for completion in
/// shells and the manual page.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace galerna::app {

struct OptionRow {
  std::vector<std::string> names;    ///< "-o", "--output"; one without dashes is given by its place
  std::string description;           ///< one line
  std::string value;                 ///< what it takes, as --help names it; "" for a flag
  std::vector<std::string> choices;  ///< all values that it takes, if they are few
  bool by_place() const { return !names.front().starts_with('-'); }
  /// ".toml", where the name of the value says which files it takes, else "".
  std::string extension() const;
};

struct CommandRow {
  std::string name, description;
  std::vector<OptionRow> options;
};

/// All commands, those of --help in its order; the first row, without a name, has the options of the program itself.
std::vector<CommandRow> command_table(const CLI::App& app);

/// Scripts for shells. \throws InputError for another shell than bash, zsh and fish
std::string completion_script(const CLI::App& app, const std::string& shell);
/// For `man`.
std::string manual_page(const CLI::App& app);

/// Looks at the words of a command line before they are taken apart: unknown commands and options are refused with what
/// may have been meant. \throws InputError
void check_words(const CLI::App& app, const std::vector<std::string>& words);
/// A word by its place that the command has no place for. \throws InputError
[[noreturn]] void refuse_surplus(const CLI::App& command, const std::string& word);

}  // namespace galerna::app
