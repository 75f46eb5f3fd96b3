#include "solver/user_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <sstream>

namespace galerna::solver {
namespace {

/// Text of a failed static assertion in either compiler's words; nothing if it is none. Some put it into quotes, and a
/// backslash before those inside.
std::optional<std::string> assertion_text(const std::string& text) {
  static const std::regex form(
      R"re(static[ _]assert(?:ion)? failed(?: due to requirement '.*')?(?:: | with | )("(.*)"|.*))re");
  std::smatch match;
  if (!std::regex_match(text, match, form)) return {};
  return match[2].matched ? std::regex_replace(match[2].str(), std::regex(R"(\\")"), "\"") : match[1].str();
}

}  // namespace

std::vector<CompilerMessage> compiler_errors(const std::string& log) {
  static const std::regex gnu(R"(^(.+?):(\d+):(\d+): (?:fatal )?error: (.*)$)");
  static const std::regex nvidia(R"(^(.+?)\((\d+)\): (?:catastrophic )?error(?: #[\w-]+)?: (.*)$)");
  std::vector<CompilerMessage> errors;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_match(line, match, gnu))
      errors.push_back({{match[1], std::stoi(match[2]), std::stoi(match[3])}, match[4]});
    else if (std::regex_match(line, match, nvidia))
      errors.push_back({{match[1], std::stoi(match[2])}, match[3]});
  }
  return errors;
}

InputError user_error(const device::CompileError& error, const case_file::EquationSettings::User& user) {
  const std::string rest = fmt::format("\nall that the compiler said: {}", error.log_file.string());
  const std::vector<CompilerMessage> errors = compiler_errors(error.log);
  const auto to_blame = std::find_if(errors.begin(), errors.end(), [&](const CompilerMessage& e) {
    return e.place.file == user.header.string() || assertion_text(e.text);
  });
  if (to_blame == errors.end()) {
    const std::string first = errors.empty() ? "the compiler failed" : errors[0].text;
    return InputError({user.header.string()},
                      fmt::format("the program with this header does not compile: {}{}", first, rest));
  }
  if (to_blame->place.file == user.header.string()) return InputError(to_blame->place, to_blame->text + rest);
  return InputError(user.place, *assertion_text(to_blame->text) + rest);
}

}  // namespace galerna::solver
