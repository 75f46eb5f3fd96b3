/// \file
/// A case that is read without complaint, for tests that change it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "case/reader.hpp"

namespace galerna::case_file {

inline const char* good_case = R"toml(
[constants]
a = 2
b = "2*a"
[functions]
r = "sqrt(x^2 + y^2)"
bump = "exp(-r^2)"
[mesh]
file = "square.msh"
periodic = [ { from = "left", to = "right", translation = [10, 0] } ]
[equations]
type = "euler"
[discretization]
order = 3
riemann = "hllc"
[time]
scheme = "ssprk33"
cfl = 0.5
end = 2
[initial]
density = "1 + 0.1*bump"
velocity_x = "b"
velocity_y = 0
pressure = 1
[boundary.far]
type = "far-field"
density = 1
momentum_x = 0
momentum_y = 0
energy = 2.5
[output]
directory = "out"
[output.solution]
interval = 0.5
[output.picture.main]
field = "pressure"
isolines = { min = 0, max = 1, count = 11 }
)toml";

inline Settings read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return read_case_text(text, std::filesystem::path(GALERNA_TEST_DIR) / "bad" / "case.toml", overrides);
}

}  // namespace galerna::case_file
