/// \file
/// The limiters of slopes as src/case/registry.hpp has them.
#pragma once

#include "dg/spec.hpp"

namespace galerna::tests {

inline dg::SlopeLimiter barth_jespersen(bool around_vertices = false) {
  return {{"kernels/limiter/barth_jespersen.hpp", "BarthJespersen"}, around_vertices, false};
}

inline dg::SlopeLimiter hierarchical() {
  return {{"kernels/limiter/hierarchical.hpp", "Hierarchical"}, true, true};
}

}  // namespace galerna::tests
