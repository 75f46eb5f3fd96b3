/// \file
/// What case files of equations on polytopes have in common, for tests.
#pragma once

namespace galerna::tests {

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
