#include "app/command_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
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
  // One of many more: cuda:0, cuda:1, …
  if (row.names.front() == "--device") row.choices = {"auto", "cpu", "cuda"};
  const std::string type = option.get_type_name();
  row.value = type.substr(0, type.find(':'));
  const std::size_t open = type.find(":{"), close = type.find('}', open);
  if (open == std::string::npos || close == std::string::npos) return row;
  std::istringstream choices(type.substr(open + 2, close - open - 2));
  for (std::string choice; std::getline(choices, choice, ',');) row.choices.push_back(choice);
  return row;
}

/// Of a command and of the groups in it, which have no name, and whose --help is the command's.
void append_options(const CLI::App& command, std::vector<OptionRow>& rows) {
  const bool is_group = command.get_name().empty() && command.get_parent();
  for (const CLI::Option* option : command.get_options())
    if (!is_group || option != command.get_help_ptr()) rows.push_back(row_of(*option));
  for (const CLI::App* group : command.get_subcommands({}))
    if (group->get_name().empty()) append_options(*group, rows);
}

CommandRow row_of(const CLI::App& command, const std::string& name) {
  CommandRow row{name, command.get_description(), {}};
  append_options(command, row.options);
  return row;
}

/// The one name that begins with the word, or else the nearest.
std::string meant_by(const std::string& word, const std::vector<std::string>& known) {
  std::vector<std::string> longer;
  for (const std::string& name : known)
    if (word.size() > 2 && name.starts_with(word)) longer.push_back(name);
  return longer.size() == 1 ? longer.front() : nearest_name(word, known);
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  const std::string near = meant_by(word, known);
  return near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
}

std::vector<std::string> option_names(const CommandRow& command) {
  std::vector<std::string> names;
  for (const OptionRow& option : command.options)
    if (!option.by_place()) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

/// A word in the place of a command: perhaps a file that some command takes.
[[noreturn]] void refuse_command(const std::string& word, const std::vector<CommandRow>& table) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i < table.size(); ++i) names.push_back(table[i].name);
  std::string lower = word;
  std::transform(word.begin(), word.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  const bool asks = lower == "version";
  const std::string near = asks ? fmt::format("; did you mean '--{}'?", lower) : did_you_mean(lower, names);
  const std::string file = describe_kind(word);
  if (near.empty() && !file.empty()) throw InputError({word}, "a command must come first; this is " + file);
  throw InputError({"galerna"}, fmt::format("unknown command '{}'{} The commands are {}", word,
                                            near.empty() ? "." : near, list_names(names, "and")));
}

/// The option that takes a value and is written like this; "" if there is none.
std::string option_with_value(const std::string& word, const CommandRow& command) {
  for (const OptionRow& option : command.options)
    if (!option.by_place() && !option.value.empty() &&
        std::find(option.names.begin(), option.names.end(), word) != option.names.end())
      return word;
  return "";
}

/// \param word that begins with a dash \param before the word before it
void check_option(const std::string& word, const CommandRow& command, const std::string& before = "") {
  const std::string name = word.starts_with("--") ? word.substr(0, word.find('=')) : word.substr(0, 2);
  const std::vector<std::string> known = option_names(command);
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  if (command.name.empty())
    throw InputError({"galerna"}, fmt::format("'{}' must stand behind a command; before it there are {}", word,
                                              list_names(known, "and")));
  if (const std::string option = option_with_value(before, command); !option.empty())
    throw InputError({option},
                     fmt::format("'{0}' begins as an option does: if it is the value, write {1}={0}", word, option));
  const std::string near = did_you_mean(name, known);
  throw InputError({"galerna " + command.name},
                   fmt::format("unknown option '{}'{}", name,
                               near.empty() ? "; the options are " + list_names(known, "and") : near));
}

/// "-o", "--output=x", but not "-1,0,0", the value of an option.
bool is_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && (word[1] == '-' || std::isalpha(static_cast<unsigned char>(word[1])));
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
  if (words.empty()) return;
  const std::vector<CommandRow> table = command_table(app);
  if (is_option(words.front())) return check_option(words.front(), table.front());
  const auto command =
      std::find_if(table.begin() + 1, table.end(), [&](const CommandRow& row) { return row.name == words.front(); });
  if (command == table.end()) refuse_command(words.front(), table);
  for (std::size_t i = 1; i < words.size() && words[i] != "--"; ++i)
    if (is_option(words[i])) check_option(words[i], *command, words[i - 1]);
}

void refuse_surplus(const CLI::App& command, const std::string& word) {
  std::string takes;
  for (const OptionRow& option : row_of(command, command.get_name()).options)
    if (option.by_place()) takes += " " + (option.extension().empty() ? option.names.front() : option.value);
  throw InputError({"galerna " + command.get_name()},
                   fmt::format("'{}' is one word too many: {} takes {}", word, command.get_name(),
                               takes.empty() ? "none" : "one" + takes));
}

}  // namespace galerna::app
