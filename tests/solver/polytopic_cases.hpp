/// \file
/// What case files of equations on polytopes have in common, for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/error.hpp"

namespace galerna::tests {

/// `run` must end with an error that says `message`, among other things.
template <class Run>
void expect_refused_by(const Run& run, const std::string& message) {
  try {
    run();
    FAIL() << "was accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
  }
}

/// The function u on all sides of a square; no picture.
inline const char* prescribed_sides = R"toml(
[boundary.left]
type = "dirichlet"
value = "u"
[boundary.right]
type = "dirichlet"
value = "u"
[boundary.bottom]
type = "dirichlet"
value = "u"
[boundary.top]
type = "dirichlet"
value = "u"
[output]
picture = false
)toml";

}  // namespace galerna::tests
