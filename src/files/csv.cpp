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

std::string header_line(const std::vector<std::string>& columns) {
  return fmt::format("{}", fmt::join(columns, ","));
}

/// The number in column `column` of a row that has `count` columns; nothing if the row is not whole.
std::optional<double> number_in(std::string_view row, std::size_t column, std::size_t count) {
  if (static_cast<std::size_t>(std::count(row.begin(), row.end(), ',')) + 1 != count) return std::nullopt;
  for (; column > 0; --column) row.remove_prefix(row.find(',') + 1);
  row = row.substr(0, row.find(','));
  double number = 0;
  const auto [end, error] = std::from_chars(row.data(), row.data() + row.size(), number);
  if (error != std::errc() || end != row.data() + row.size()) return std::nullopt;
  return number;
}

}  // namespace

CsvMonitor::CsvMonitor(std::filesystem::path file, std::vector<std::string> columns, std::optional<double> restart,
                       const std::string& key)
    : file_(std::move(file)), columns_(std::move(columns)) {
  if (std::find(columns_.begin(), columns_.end(), key) == columns_.end())
    throw std::invalid_argument(fmt::format("CsvMonitor: a column \"{}\" is needed", key));
  const bool continues = restart && std::filesystem::exists(file_);
  write_file(file_, header_line(columns_) + "\n" + (continues ? kept_rows(*restart, key) : ""));
  stream_.reset(std::fopen(file_.c_str(), "ae"));
  if (!stream_) throw_write_error(file_, errno);
}

std::string CsvMonitor::kept_rows(double restart, const std::string& key) const {
  const std::string text = read_file(file_);
  const std::string header = header_line(columns_);
  if (!text.starts_with(header + "\n"))
    throw InputError({file_.string(), 1}, "has other columns than this run writes (" + header +
                                              "); move it away or choose another output directory");
  const auto column = static_cast<std::size_t>(std::find(columns_.begin(), columns_.end(), key) - columns_.begin());
  std::string kept;
  for (std::size_t begin = header.size() + 1, end; (end = text.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    const std::string_view row = std::string_view(text).substr(begin, end - begin);
    const std::optional<double> at = number_in(row, column, columns_.size());
    if (at && *at <= restart) kept.append(row).append("\n");
  }
  return kept;
}

void CsvMonitor::append(const std::vector<double>& row) {
  if (row.size() != columns_.size())
    throw std::invalid_argument(
        fmt::format("{}: a row of {} numbers for {} columns", file_.string(), row.size(), columns_.size()));
  const std::string line = fmt::format("{}\n", fmt::join(row, ","));
  if (std::fwrite(line.data(), 1, line.size(), stream_.get()) != line.size() || std::fflush(stream_.get()) != 0)
    throw_write_error(file_, errno);
}

}  // namespace galerna::files
