// Operations of kernels/lane.hpp as this machine's processor does them: compiled at run time, on SIMD packs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "device/device.hpp"
#include "device/program.hpp"

namespace galerna::tests {
namespace {

using device::Precision;

/// results = (reciprocal(x), positive_sqrt(x)), a pack for each item.
template <class Real>
struct Arguments {
  const Real* x;
  Real *reciprocals, *roots;
};

template <class Real>
device::ProgramSource program(int lanes) {
  device::ProgramSource source;
  source.title = "operations on lanes";
  source.entries = {"operate"};
  source.text = fmt::format(
      "#include \"kernels/lane.hpp\"\nusing namespace galerna::kernels;\nusing Real = {};\n"
      "using V = Pack<Real, {}>;\n"
      "struct Arguments {{ const Real* x; Real *reciprocals, *roots; }};\n"
      "extern \"C\" void operate(const void* arguments, std::int64_t begin, std::int64_t end) {{\n"
      "  const auto& a = *static_cast<const Arguments*>(arguments);\n"
      "  for (std::int64_t i = begin * V::size(); i < end * V::size(); i += V::size()) {{\n"
      "    const V x = load_lanes<V>(a.x + i);\n"
      "    store_lanes(a.reciprocals + i, reciprocal(x));\n"
      "    store_lanes(a.roots + i, positive_sqrt(x));\n  }}\n}}\n",
      sizeof(Real) == 8 ? "double" : "float", lanes);
  return source;
}

/// Both are right to `ulps` units in the last place over many orders of magnitude.
template <class Real>
void expect_accurate(Precision precision, double ulps) {
  const auto host = device::open_device("cpu");
  const int lanes = host->lanes(precision), packs = 20000;
  std::vector<Real> x(static_cast<std::size_t>(lanes * packs)), reciprocals(x.size()), roots(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<Real>(std::exp(60 * (2 * static_cast<double>(i) / static_cast<double>(x.size()) - 1)));
  const auto loaded = host->load(program<Real>(lanes));
  const Arguments<Real> arguments{x.data(), reciprocals.data(), roots.data()};
  host->launch(*host->kernel(*loaded, "operate"), {packs, 1}, static_cast<const void*>(&arguments), sizeof arguments);
  host->synchronize();
  long double worst_reciprocal = 0, worst_root = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto exact = static_cast<long double>(x[i]);
    worst_reciprocal = std::max(worst_reciprocal, std::abs(static_cast<long double>(reciprocals[i]) * exact - 1));
    worst_root = std::max(worst_root, std::abs(static_cast<long double>(roots[i]) / std::sqrt(exact) - 1));
  }
  const long double unit = std::numeric_limits<Real>::epsilon();
  EXPECT_LE(worst_reciprocal, ulps * unit);
  EXPECT_LE(worst_root, ulps * unit);
}

TEST(Lane, ReciprocalsAndRootsAreAccurateInDoublePrecision) {
  expect_accurate<double>(Precision::double_precision, 1.0);
}

TEST(Lane, ReciprocalsAndRootsAreAccurateInSinglePrecision) {
  expect_accurate<float>(Precision::single_precision, 1.0);
}

}  // namespace
}  // namespace galerna::tests
