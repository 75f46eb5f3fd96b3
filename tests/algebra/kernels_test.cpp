// Every kernel of the room against plain loops, on both kinds of devices.
#include "algebra/devices.hpp"
//
#include <gtest/gtest.h>

#include "algebra/device_matrix.hpp"
#include "algebra/matrices.hpp"

namespace galerna::algebra {
namespace {

using KernelsOn = OnDevice;
INSTANTIATE_TEST_SUITE_P(Devices, KernelsOn, testing::Values(device::Kind::host, device::Kind::cuda), device_name);

std::vector<float> to_float(const std::vector<double>& x) {
  return {x.begin(), x.end()};
}
std::vector<double> to_double(const std::vector<float>& x) {
  return {x.begin(), x.end()};
}

/// Blocks of 1 to 13 rows in a dense-ish pattern, diagonally dominant.
BlockMatrix<double> irregular_matrix() {
  BlockMatrix<double> matrix;
  BlockPattern& pattern = matrix.pattern;
  pattern.sizes = {13, 1, 4, 10, 2, 9, 3, 6};
  pattern.rows = {0};
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j)
      if (i == j || (i * j) % 3 == 1 || i + j == 7) pattern.columns.push_back(j);
    pattern.rows.push_back(static_cast<std::int64_t>(pattern.columns.size()));
  }
  set_offsets(pattern);
  matrix.values = random_numbers(static_cast<std::size_t>(pattern.value_count()), 3);
  for (std::size_t i = 0; i < 8; ++i) {
    const auto k = static_cast<std::size_t>(find_block(pattern, i, static_cast<std::int32_t>(i)));
    for (int r = 0; r < pattern.sizes[i]; ++r)
      matrix.values[static_cast<std::size_t>(pattern.offsets[k] + r * (pattern.sizes[i] + 1))] += 20;
  }
  return matrix;
}

TEST_P(KernelsOn, ProductAndResidualOfBlocksOfAllSizes) {
  const BlockMatrix<double> matrix = irregular_matrix();
  const std::vector<double> x = random_numbers(unknowns(matrix)), b = random_numbers(unknowns(matrix), 2),
                            expected = product(matrix, x);
  const DeviceMatrix on_device = upload(kernels().device(), matrix);
  const auto from = put(x), right = put(b), to = put(std::vector<double>(x.size(), NAN));
  on_device.multiply(kernels(), from->address(), to->address());
  EXPECT_LT(largest_difference(get<double>(*to), expected), 1e-13);
  on_device.multiply(kernels(), from->address(), to->address(), right->address());
  std::vector<double> residual = b;
  for (std::size_t i = 0; i < b.size(); ++i) residual[i] -= expected[i];
  EXPECT_LT(largest_difference(get<double>(*to), residual), 1e-13);
}

TEST_P(KernelsOn, ProductInSinglePrecision) {
  const BlockMatrix<double> matrix = irregular_matrix();
  const std::vector<double> x = random_numbers(unknowns(matrix));
  const DevicePattern pattern(kernels().device(), matrix.pattern);
  const auto values = put(to_float(matrix.values)), from = put(to_float(x)), to = put(std::vector<float>(x.size()));
  arguments::ProductArguments a = pattern.product();
  a.values = values->address();
  a.x = from->address();
  a.y = to->address();
  kernels().product(a, Precision::single_precision);
  EXPECT_LT(largest_difference(to_double(get<float>(*to)), product(matrix, x)), 2e-5);
}

TEST_P(KernelsOn, InversesOfDiagonalBlocksSmooth) {
  const BlockMatrix<double> matrix = irregular_matrix();
  const BlockPattern& pattern = matrix.pattern;
  const DeviceRows rows(kernels().device(), pattern.sizes);
  std::vector<std::int64_t> diagonals, offsets{0};
  for (std::size_t i = 0; i < pattern.row_count(); ++i) {
    diagonals.push_back(pattern.offsets[static_cast<std::size_t>(find_block(pattern, i, static_cast<int>(i)))]);
    offsets.push_back(offsets.back() + pattern.sizes[i] * pattern.sizes[i]);
  }
  const auto count = static_cast<std::size_t>(offsets.back());
  const auto values = put(matrix.values), diagonal = put(diagonals), offset = put(offsets),
             scratch = put(std::vector<double>(count)), inverses = put(std::vector<float>(count));
  kernels().invert({rows.arguments(), static_cast<const std::int64_t*>(diagonal->address()),
                    static_cast<const std::int64_t*>(offset->address()), static_cast<const double*>(values->address()),
                    static_cast<double*>(scratch->address()), static_cast<float*>(inverses->address())});

  // D x is smoothed to x in one step, and the next step adds half of the last one and twice what is left.
  const std::vector<double> x = random_numbers(unknowns(matrix));
  std::vector<double> dx;
  for (std::size_t i = 0, first = 0; i < pattern.row_count(); first += static_cast<std::size_t>(pattern.sizes[i]), ++i)
    for (int r = 0; r < pattern.sizes[i]; ++r) {
      dx.push_back(0);
      for (int c = 0; c < pattern.sizes[i]; ++c)
        dx.back() += matrix.values[static_cast<std::size_t>(diagonals[i] + r * pattern.sizes[i] + c)] *
                     x[first + static_cast<std::size_t>(c)];
    }
  const auto residual = put(to_float(dx)), direction = put(std::vector<float>(x.size(), NAN)),
             solution = put(std::vector<float>(x.size(), NAN));
  arguments::SmoothArguments step{rows.arguments(),
                                  static_cast<const std::int64_t*>(offset->address()),
                                  static_cast<const float*>(inverses->address()),
                                  static_cast<const float*>(residual->address()),
                                  static_cast<float*>(direction->address()),
                                  static_cast<float*>(solution->address()),
                                  0.5F,
                                  1.0F,
                                  1,
                                  1};
  kernels().smooth(step);
  EXPECT_LT(largest_difference(to_double(get<float>(*solution)), x), 1e-5);
  step.begins = step.from_zero = 0;
  step.fresh = 2;
  kernels().smooth(step);
  std::vector<double> expected = x;
  for (double& number : expected) number *= 1 + 0.5 + 2;
  EXPECT_LT(largest_difference(to_double(get<float>(*solution)), expected), 1e-5);
}

TEST_P(KernelsOn, TransfersThereAndBack) {
  const std::vector<int> fine = {2, 3, 1, 4}, coarse = {2, 1};
  const std::vector<std::int32_t> parents = {0, 1, 0, 1}, children = {0, 2, 1, 3};
  const std::vector<std::int64_t> first = {0, 2, 4}, offsets = {0, 4, 7, 9};
  const std::vector<double> values = random_numbers(13), coarse_x = random_numbers(3, 2),
                            fine_x = random_numbers(10, 3);
  const DeviceRows fine_rows(kernels().device(), fine), coarse_rows(kernels().device(), coarse);
  const auto p = put(parents), c = put(children), f = put(first), o = put(offsets), v = put(to_float(values)),
             small = put(to_float(coarse_x)), large = put(to_float(fine_x));
  arguments::TransferArguments a{fine_rows.arguments(),
                                 coarse_rows.arguments(),
                                 static_cast<const std::int32_t*>(p->address()),
                                 static_cast<const std::int64_t*>(f->address()),
                                 static_cast<const std::int32_t*>(c->address()),
                                 static_cast<const std::int64_t*>(o->address()),
                                 static_cast<const float*>(v->address()),
                                 static_cast<const float*>(small->address()),
                                 static_cast<float*>(large->address())};
  std::vector<double> up = fine_x, down(3, 0);
  const std::vector<std::size_t> coarse_first = {0, 2};
  for (std::size_t i = 0, u = 0; i < 4; ++i)
    for (int r = 0; r < fine[i]; ++r, ++u)
      for (int k = 0; k < coarse[static_cast<std::size_t>(parents[i])]; ++k) {
        const double value =
            values[static_cast<std::size_t>(offsets[i] + r * coarse[static_cast<std::size_t>(parents[i])] + k)];
        const std::size_t to = coarse_first[static_cast<std::size_t>(parents[i])] + static_cast<std::size_t>(k);
        up[u] += value * coarse_x[to];
        down[to] += value * fine_x[u];
      }
  kernels().prolongate(a);
  EXPECT_LT(largest_difference(to_double(get<float>(*large)), up), 1e-6);
  const auto again = put(to_float(fine_x));
  a.from = static_cast<const float*>(again->address());
  a.to = static_cast<float*>(small->address());
  kernels().restrict_residual(a);
  EXPECT_LT(largest_difference(to_double(get<float>(*small)), down), 1e-6);
}

TEST_P(KernelsOn, DenseProduct) {
  const std::size_t n = 37;
  const std::vector<double> matrix = random_numbers(n * n), x = random_numbers(n, 2);
  std::vector<double> expected(n, 0);
  for (std::size_t i = 0; i < n * n; ++i) expected[i / n] += matrix[i] * x[i % n];
  const auto m = put(to_float(matrix)), from = put(to_float(x)), to = put(std::vector<float>(n));
  kernels().dense_product({static_cast<const float*>(m->address()), static_cast<const float*>(from->address()),
                           static_cast<float*>(to->address()), static_cast<std::int64_t>(n)});
  EXPECT_LT(largest_difference(to_double(get<float>(*to)), expected), 1e-5);
}

TEST_P(KernelsOn, SumsAndCombinationsOfVectorsLongerThanAChunk) {
  const std::size_t n = 2 * arguments::chunk + 77;
  const std::vector<double> vectors = random_numbers(3 * n), other = random_numbers(n, 2);
  std::vector<double> expected(3, 0), combined = other;
  const std::vector<double> factors = {0.5, -2, 3};
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t i = 0; i < n; ++i) {
      expected[j] += vectors[j * n + i] * other[i];
      combined[i] += factors[j] * vectors[j * n + i];
    }
  const auto v = put(vectors), o = put(other), single = put(to_float(vectors)), single_other = put(to_float(other));
  const auto size = static_cast<std::int64_t>(n);
  constexpr Precision twice = Precision::double_precision, once = Precision::single_precision;
  EXPECT_LT(largest_difference(kernels().dots(v->address(), size, 3, o->address(), size, twice), expected), 1e-11);
  EXPECT_LT(
      largest_difference(kernels().dots(single->address(), size, 3, single_other->address(), size, once), expected),
      1e-4);
  EXPECT_NEAR(kernels().dot(v->address(), o->address(), size), expected[0], 1e-11);
  kernels().combine(v->address(), size, factors, o->address(), size, twice);
  EXPECT_LT(largest_difference(get<double>(*o), combined), 1e-14);
  kernels().combine(single->address(), size, factors, single_other->address(), size, once);
  EXPECT_LT(largest_difference(to_double(get<float>(*single_other)), combined), 1e-5);
}

TEST_P(KernelsOn, AddsAndConverts) {
  const std::size_t n = arguments::chunk + 5;
  const auto size = static_cast<std::int64_t>(n);
  const std::vector<double> x = random_numbers(n), y = random_numbers(n, 2);
  std::vector<double> expected(n);
  for (std::size_t i = 0; i < n; ++i) expected[i] = 2 * x[i] - 3 * y[i];
  const auto a = put(x), b = put(y), empty = put(std::vector<double>(n, NAN)), single = put(std::vector<float>(n, NAN));
  kernels().add(2, a->address(), -3, b->address(), size, Precision::double_precision);
  EXPECT_LT(largest_difference(get<double>(*b), expected), 1e-14);
  kernels().add(1, a->address(), 0, empty->address(), size, Precision::double_precision);
  EXPECT_EQ(get<double>(*empty), x);
  kernels().to_single(a->address(), single->address(), size);
  EXPECT_EQ(get<float>(*single), to_float(x));
  kernels().to_double(single->address(), b->address(), size);
  EXPECT_EQ(get<double>(*b), to_double(to_float(x)));
}

TEST_P(KernelsOn, ScatteredNumbersHaveNoMeanAndTheSpreadOfUniformOnes) {
  const auto memory = put(std::vector<float>(20000));
  kernels().scatter(memory->address(), 20000);
  double mean = 0, square = 0;
  for (const float number : get<float>(*memory)) {
    EXPECT_LE(std::abs(number), 1);
    mean += number / 20000;
    square += number * number / 20000;
  }
  EXPECT_LT(std::abs(mean), 0.02);
  EXPECT_NEAR(square, 1.0 / 3, 0.01);
}

TEST(AlgebraProgram, CompilesForGpus) {
  if (!device::cuda_compiler_absence().empty()) GTEST_SKIP() << device::cuda_compiler_absence();
  const tests::Folder folder;
  for (const char* target : {"sm_80", "sm_90"})
    EXPECT_TRUE(std::filesystem::exists(device::compile(program(device::Kind::cuda, 32, 32), target, folder.path())));
}

}  // namespace
}  // namespace galerna::algebra
