/// \file
/// Rows of data/errors.csv.
#pragma once

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace galerna::tests {

struct ReferenceRow {
  std::map<std::string, std::string> text;

  double number(const std::string& column) const { return std::stod(text.at(column)); }
  long integer(const std::string& column) const { return std::stol(text.at(column)); }
  std::string name() const {
    return text.at("group") + " " + text.at("mesh") + " " + text.at("space") + " p = " + text.at("p") + " " +
           text.at("penalty");
  }
};

inline std::vector<ReferenceRow> reference_rows() {
  std::ifstream file(std::string(GALERNA_TEST_DIR) + "/data/errors.csv");
  const auto split = [](const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    return cells;
  };
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> names = split(line);
  std::vector<ReferenceRow> rows;
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = split(line);
    ReferenceRow row;
    for (std::size_t k = 0; k < cells.size(); ++k) row.text[names[k]] = cells[k];
    rows.push_back(row);
  }
  return rows;
}

/// Decimal digits on which two numbers agree.
inline double common_digits(double a, double b) {
  const double difference = std::abs(a - b) / std::abs(b);
  return difference > 0 ? -std::log10(difference) : 16;
}

}  // namespace galerna::tests
