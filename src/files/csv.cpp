#include "files/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <stdexcept>
#include <string_view>

#include "base/error.hpp"
#include "files/atomic_file.hpp"

namespace galerna::files {
namespace {

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ","));
}

std::optional<double> number_of(std::string_view cell) {
  double number = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
  if (error != std::errc() || end != cell.data() + cell.size()) return std::nullopt;
  return number;
}

}  // namespace

std::vector<std::string_view> cells_of(std::string_view row) {
  std::vector<std::string_view> cells;
  for (std::size_t comma; (comma = row.find(',')) != std::string_view::npos; row.remove_prefix(comma + 1))
    cells.push_back(row.substr(0, comma));
  cells.push_back(row);
  return cells;
}

CsvMonitor::CsvMonitor(std::filesystem::path file, std::vector<std::string> columns, std::optional<double> restart,
                       const std::string& key)
    : file_(std::move(file)), columns_(std::move(columns)), width_(columns_.size()) {
  if (std::find(columns_.begin(), columns_.end(), key) == columns_.end())
    throw std::invalid_argument(fmt::format("CsvMonitor: a column \"{}\" is needed", key));
  const bool continues = restart && std::filesystem::exists(file_);
  const std::string kept = continues ? kept_rows(*restart, key) : "";
  write_file(file_, joined(columns_) + "\n" + kept);
  stream_.reset(std::fopen(file_.c_str(), "ae"));
  if (!stream_) throw_write_error(file_, errno);
}

/// Rows of the file that is there, in all columns that it has or gets.
std::string CsvMonitor::kept_rows(double restart, const std::string& key) {
  const std::string text = read_file(file_);
  const std::string header = text.substr(0, text.find('\n'));
  const std::vector<std::string_view> cells = cells_of(header);
  const std::vector<std::string> before(cells.begin(), cells.end());
  const auto key_column = static_cast<std::size_t>(std::find(before.begin(), before.end(), key) - before.begin());
  if (header.size() == text.size() || key_column == before.size())
    throw InputError({file_.string(), 1}, fmt::format("is no file that this run could continue: it has no column "
                                                      "\"{}\"; move it away or choose another output directory",
                                                      key));
  for (const std::string& name : before)
    if (std::find(columns_.begin(), columns_.end(), name) == columns_.end()) columns_.push_back(name);
  std::string kept;
  for (std::size_t begin = header.size() + 1, end; (end = text.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    const std::vector<std::string_view> row = cells_of(std::string_view(text).substr(begin, end - begin));
    if (row.size() != before.size()) continue;  // cut off
    const std::optional<double> at = number_of(row[key_column]);
    if (at && *at <= restart) kept.append(in_columns(before, row)).append("\n");
  }
  return kept;
}

/// A row of other columns in those of the file.
std::string CsvMonitor::in_columns(const std::vector<std::string>& names,
                                   const std::vector<std::string_view>& row) const {
  std::vector<std::string> numbers;
  for (const std::string& column : columns_) {
    const auto found = std::find(names.begin(), names.end(), column);
    numbers.emplace_back(found == names.end() ? "nan" : row[static_cast<std::size_t>(found - names.begin())]);
  }
  return joined(numbers);
}

void CsvMonitor::append(const std::vector<double>& row) {
  if (row.size() != width_)
    throw std::invalid_argument(
        fmt::format("{}: a row of {} numbers for {} columns", file_.string(), row.size(), width_));
  std::string line = fmt::format("{}", fmt::join(row, ","));
  for (std::size_t k = width_; k < columns_.size(); ++k) line += ",nan";
  line += "\n";
  if (std::fwrite(line.data(), 1, line.size(), stream_.get()) != line.size() || std::fflush(stream_.get()) != 0)
    throw_write_error(file_, errno);
}

}  // namespace galerna::files
