#include "base/error.hpp"

#include <algorithm>
#include <utility>

namespace galerna {

std::string format(const Problem& problem) {
  std::string text = problem.place.file;
  if (problem.place.line > 0) text += ":" + std::to_string(problem.place.line);
  if (problem.place.line > 0 && problem.place.column > 0) text += ":" + std::to_string(problem.place.column);
  return (text.empty() ? "error: " : text + ": error: ") + problem.text;
}

static std::string format_all(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) text += (text.empty() ? "" : "\n") + format(problem);
  return text;
}

InputError::InputError(std::vector<Problem> problems)
    : Error(ExitCode::wrong_input, format_all(problems)), problems_(std::move(problems)) {}

namespace {

constexpr int slip = 10;    ///< a letter too many, too few or wrong
constexpr int swapped = 9;  ///< two letters in each other's place: rather this than another letter

/// Cost of making `a` of `b` by slips, where no letter takes part in two of them (optimal string alignment,
/// F. J. Damerau, Commun. ACM 7 (1964) 171).
int slips_between(const std::string& a, const std::string& b) {
  std::vector<int> before, last(b.size() + 1), row(b.size() + 1);  // of the prefixes of `a`
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j) * slip;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = static_cast<int>(i) * slip;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : slip), last[j] + slip, row[j - 1] + slip});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + swapped);
    }
  }
  return row.back();
}

std::string in_small_letters(std::string text) {
  for (char& letter : text)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return text;
}

}  // namespace

std::string nearest_name(const std::string& name, const std::vector<std::string>& allowed) {
  const std::string written = in_small_letters(name);
  // A third of the letters may be wrong, but not all.
  const int letters = static_cast<int>(name.size());
  const int most = std::min(std::max(1, (letters + 1) / 3), letters - 1);
  std::string best;
  int least = slip * most + 1;
  for (const std::string& candidate : allowed) {
    const int cost = slips_between(written, in_small_letters(candidate));
    if (cost < least) {
      least = cost;
      best = candidate;
    }
  }
  return best;
}

std::string list_names(const std::vector<std::string>& names, const std::string& last) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " " + last + " " : ", ";
    text += names[i].empty() ? "(without a name)" : names[i];
  }
  return text;
}

}  // namespace galerna
