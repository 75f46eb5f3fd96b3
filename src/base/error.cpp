#include "base/error.hpp"

#include <algorithm>
#include <numeric>

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

/// Levenshtein distance with unit costs.
static std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substitution, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

std::string nearest_name(const std::string& name, const std::vector<std::string>& allowed) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (const std::string& candidate : allowed) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
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
