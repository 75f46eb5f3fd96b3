#include "files/history_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "files/atomic_file.hpp"
#include "files/csv.hpp"

namespace galerna::files {

using analysis::History;

namespace {

double number_of(std::string_view cell, const std::filesystem::path& file, int line) {
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size())
    throw InputError({file.string(), line}, fmt::format("\"{}\" is no number", cell));
  return value;
}

std::size_t column_of(const std::vector<std::string_view>& header, const std::string& name,
                      const std::filesystem::path& file) {
  const std::vector<std::string> names(header.begin(), header.end());
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string near = nearest_name(name, names);
  throw InputError({file.string(), 1},
                   fmt::format("has no column \"{}\"{}; its columns are {}", name,
                               near.empty() ? "" : "; did you mean \"" + near + "\"?", list_names(names)));
}

}  // namespace

History read_history(const std::filesystem::path& file, const std::string& column) {
  std::istringstream lines(read_file(file));
  std::string line;
  std::getline(lines, line);
  const std::string head = line;
  const auto header = cells_of(head);
  const std::size_t time = column_of(header, "time", file), value = column_of(header, column, file);
  History history;
  for (int number = 2; std::getline(lines, line); ++number) {
    const auto cells = cells_of(line);
    if (cells.size() != header.size())
      throw InputError({file.string(), number},
                       fmt::format("has {} cells under {} columns", cells.size(), header.size()));
    history.times.push_back(number_of(cells[time], file, number));
    history.values.push_back(number_of(cells[value], file, number));
    const std::size_t n = history.times.size();
    if (n > 1 && !(history.times[n - 1] > history.times[n - 2]))
      throw InputError({file.string(), number}, "times do not ascend; a line of probes is no history of one point");
  }
  return history;
}

}  // namespace galerna::files
