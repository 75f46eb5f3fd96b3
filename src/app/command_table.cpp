#include "app/command_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/error.hpp"
#include "base/file_kind.hpp"

namespace galerna::app {
namespace {

/// "TEXT:{double,single}" is a type and, behind a colon, what values must be.
OptionRow row_of(const CLI::Option& option) {
  OptionRow row;
  row.description = option.get_description();
  for (const std::string& name : option.get_snames()) row.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) row.names.push_back("--" + name);
  if (row.names.empty()) row.names.push_back(option.get_name(true));
  if (option.get_items_expected_max() == 0) return row;  // a flag
  const std::string type = option.get_type_name();
  row.value = type.substr(0, type.find(':'));
  const std::size_t open = type.find(":{"), close = type.find('}', open);
  if (open == std::string::npos || close == std::string::npos) return row;
  std::istringstream choices(type.substr(open + 2, close - open - 2));
  for (std::string choice; std::getline(choices, choice, ',');) row.choices.push_back(choice);
  return row;
}

/// Of a command and of the groups in it, which have no name.
void append_options(const CLI::App& command, std::vector<OptionRow>& rows) {
  for (const CLI::Option* option : command.get_options()) rows.push_back(row_of(*option));
  for (const CLI::App* group : command.get_subcommands({}))
    if (group->get_name().empty()) append_options(*group, rows);
}

CommandRow row_of(const CLI::App& command, const std::string& name) {
  CommandRow row{name, command.get_description(), {}};
  append_options(command, row.options);
  return row;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  const std::string near = nearest_name(word, known);
  return near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
}

/// What to do with a word in the place of a command: perhaps a file that some command takes.
[[noreturn]] void refuse_command(const std::string& word, const std::vector<CommandRow>& table) {
  std::vector<std::string> names;
  for (const CommandRow& row : table)
    if (!row.name.empty()) names.push_back(row.name);
  const std::string near = did_you_mean(word, names), file = describe_kind(word);
  if (near.empty() && !file.empty()) throw InputError({word}, "a command must come first; this is " + file);
  throw InputError({"galerna"}, fmt::format("unknown command '{}'{} The commands are {}", word,
                                            near.empty() ? "." : near, list_names(names, "and")));
}

void check_option(const std::string& word, const CommandRow& command) {
  const std::string name = word.substr(0, word.find('='));
  std::vector<std::string> known;
  for (const OptionRow& option : command.options)
    for (const std::string& known_name : option.names)
      if (known_name.starts_with("--")) known.push_back(known_name);
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  const std::string near = did_you_mean(name, known);
  throw InputError({"galerna " + command.name},
                   fmt::format("unknown option '{}'{}", name,
                               near.empty() ? "; the options are " + list_names(known, "and") : near));
}

}  // namespace

std::string OptionRow::extension() const {
  const std::size_t dot = value.rfind('.');
  return dot == std::string::npos || value.find(' ') != std::string::npos ? "" : value.substr(dot);
}

std::vector<CommandRow> command_table(const CLI::App& app) {
  std::vector<CommandRow> table = {row_of(app, "")};
  for (const CLI::App* command : app.get_subcommands({}))
    if (!command->get_name().empty()) table.push_back(row_of(*command, command->get_name()));
  return table;
}

void check_words(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty() || words.front().starts_with("-")) return;
  const std::vector<CommandRow> table = command_table(app);
  const auto command =
      std::find_if(table.begin(), table.end(), [&](const CommandRow& row) { return row.name == words.front(); });
  if (command == table.end()) refuse_command(words.front(), table);
  for (std::size_t i = 1; i < words.size() && words[i] != "--"; ++i)
    if (words[i].starts_with("--")) check_option(words[i], *command);
}

}  // namespace galerna::app
