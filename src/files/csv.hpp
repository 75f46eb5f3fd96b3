/// \file
/// Monitors: numbers over time as CSV, a row a call.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace galerna::files {

/// What stands between the commas of a row.
std::vector<std::string_view> cells_of(std::string_view row);

/// A CSV file with a header line of column names. Every row reaches the system before append() returns.
class CsvMonitor {
 public:
  /// Begins a new file, which replaces a former one; or, with `restart`, continues the one that is there: rows with a
  /// larger number in the column `key` and a row that was cut off are dropped, the others kept as they are, with nan
  /// in columns that are new. Columns that are no longer given stay behind the others, with nan from then on. A file
  /// that is not there is begun. \throws InputError when the file to be continued has no `key`; SystemError when it
  /// cannot be written; std::invalid_argument when `columns` has no `key`.
  CsvMonitor(std::filesystem::path file, std::vector<std::string> columns, std::optional<double> restart = std::nullopt,
             const std::string& key = "time");

  /// One number a column, written so that reading gives the same bits. \throws SystemError when the disk is full.
  void append(const std::vector<double>& row);

  const std::filesystem::path& file() const { return file_; }

 private:
  struct Close {
    void operator()(std::FILE* stream) const { std::fclose(stream); }
  };
  std::string kept_rows(double restart, const std::string& key);
  std::string in_columns(const std::vector<std::string>& names, const std::vector<std::string_view>& row) const;

  std::filesystem::path file_;
  std::vector<std::string> columns_;  ///< of the file
  std::size_t width_;                 ///< numbers of a row that is given: those of its first columns
  std::unique_ptr<std::FILE, Close> stream_;
};

}  // namespace galerna::files
