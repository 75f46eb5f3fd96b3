// Every kernel of the room against plain loops, on both kinds of devices.
#include "algebra/devices.hpp"
//
#include <gtest/gtest.h>

#include "algebra/device_matrix.hpp"
#include "algebra/matrices.hpp"
#include "algebra/scaling.hpp"

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

/// All entries, by rows.
std::vector<double> full(const BlockMatrix<double>& matrix) {
  const std::size_t n = unknowns(matrix);
  std::vector<double> result(n * n), unit(n, 0);
  for (std::size_t column = 0; column < n; ++column) {
    unit[column] = 1;
    const std::vector<double> image = product(matrix, unit);
    unit[column] = 0;
    for (std::size_t row = 0; row < n; ++row) result[row * n + column] = image[row];
  }
  return result;
}

TEST_P(KernelsOn, ScaledMatricesHaveOnesOnTheDiagonalAndTheSameSolutions) {
  const BlockMatrix<double> matrix = irregular_matrix();
  const DeviceMatrix on_device = upload(kernels().device(), matrix);
  const Scaling scaling(kernels(), on_device);
  BlockMatrix<double> scaled{matrix.pattern, to_double(get<float>(*scaling.scale(on_device)))};
  const std::size_t n = unknowns(matrix);
  const std::vector<double> entries = full(scaled);
  const std::vector<std::int64_t> first = first_unknowns(matrix.pattern.sizes);
  for (std::size_t i = 0; i < matrix.pattern.row_count(); ++i)
    for (auto r = static_cast<std::size_t>(first[i]); r < static_cast<std::size_t>(first[i + 1]); ++r)
      for (auto c = static_cast<std::size_t>(first[i]); c < static_cast<std::size_t>(first[i + 1]); ++c)
        EXPECT_NEAR(entries[r * n + c], r == c, 1e-6);

  // L⁻¹ (A x) is the scaled matrix times U x, and U⁻¹ leads back.
  const std::vector<double> x = random_numbers(n), ux = scaling.scaled_solution(x);
  const auto image = put(product(matrix, x)), entered = put(std::vector<float>(n)), left = put(std::vector<double>(n)),
             scaled_x = put(to_float(ux));
  scaling.enter(image->address(), entered->address());
  EXPECT_LT(largest_difference(to_double(get<float>(*entered)), product(scaled, ux)), 2e-5);
  scaling.leave(scaled_x->address(), left->address());
  EXPECT_LT(largest_difference(get<double>(*left), x), 1e-6);
}

TEST_P(KernelsOn, StepsOfTheSmoother) {
  const BlockMatrix<double> matrix = irregular_matrix();
  const std::size_t n = unknowns(matrix);
  const DevicePattern pattern(kernels().device(), matrix.pattern);
  const std::vector<double> b = random_numbers(n), x = random_numbers(n, 2), d = random_numbers(n, 3),
                            ax = product(matrix, x);
  const auto values = put(to_float(matrix.values)), right = put(to_float(b)), from = put(to_float(x)),
             to = put(std::vector<float>(n, NAN)), direction = put(to_float(d));
  arguments::SmoothArguments step{pattern.product(), static_cast<float*>(direction->address()), 0.5F, 0.25F, 0, 0};
  step.product.values = values->address();
  step.product.right_hand_side = right->address();
  step.product.x = from->address();
  step.product.y = to->address();
  kernels().smooth(step);
  std::vector<double> expected_d(n), expected(n);
  for (std::size_t i = 0; i < n; ++i) {
    expected_d[i] = 0.5 * d[i] + 0.25 * (b[i] - ax[i]);
    expected[i] = x[i] + expected_d[i];
  }
  EXPECT_LT(largest_difference(to_double(get<float>(*direction)), expected_d), 1e-5);
  EXPECT_LT(largest_difference(to_double(get<float>(*to)), expected), 1e-5);

  // From zero neither what is in x nor in d counts.
  const auto nothing = put(std::vector<float>(n, NAN));
  step.product.x = step.direction = static_cast<float*>(nothing->address());
  step.begins = step.from_zero = 1;
  kernels().smooth(step);
  for (std::size_t i = 0; i < n; ++i) expected[i] = 0.25 * b[i];
  EXPECT_LT(largest_difference(to_double(get<float>(*to)), expected), 1e-6);
}

TEST_P(KernelsOn, ScaledTransfersDoWhatTransfersDo) {
  // Rows of 13, 1, 4, 10, 2, 9, 3 and 6 unknowns are children of two rows with 3 and 2.
  const BlockMatrix<double> fine = irregular_matrix();
  BlockMatrix<double> coarse{{{3, 2}, {0, 1, 2}, {0, 1}, {}}, {5, 1, 0, -1, 6, 2, 0, 1, 7, 4, 1, 2, 3}};
  set_offsets(coarse.pattern);
  const std::vector<std::int32_t> parents = {0, 0, 1, 1, 0, 1, 0, 1};
  std::vector<std::int64_t> offsets{0};
  for (std::size_t i = 0; i < parents.size(); ++i)
    offsets.push_back(offsets.back() +
                      fine.pattern.sizes[i] * coarse.pattern.sizes[static_cast<std::size_t>(parents[i])]);
  const std::vector<double> values = random_numbers(static_cast<std::size_t>(offsets.back()), 7);
  const DeviceMatrix a = upload(kernels().device(), fine), b = upload(kernels().device(), coarse);
  const Scaling fine_scaling(kernels(), a), coarse_scaling(kernels(), b);
  const auto p = put(parents), o = put(offsets), v = put(values), there = put(std::vector<float>(values.size())),
             back = put(std::vector<float>(values.size())), scratch = put(values);
  kernels().scale_transfer({fine_scaling.arguments(), coarse_scaling.arguments(),
                            static_cast<const std::int32_t*>(p->address()),
                            static_cast<const std::int64_t*>(o->address()), static_cast<const double*>(v->address()),
                            static_cast<float*>(there->address()), static_cast<float*>(back->address()),
                            static_cast<double*>(scratch->address())});
  const std::vector<double> forth = to_double(get<float>(*there)), transposed = to_double(get<float>(*back));
  const auto apply = [&](const std::vector<double>& blocks, const std::vector<double>& x, bool transpose) {
    const std::vector<std::int64_t> first = first_unknowns(fine.pattern.sizes),
                                    coarse_first = first_unknowns(coarse.pattern.sizes);
    std::vector<double> y(transpose ? 5 : unknowns(fine), 0);
    for (std::size_t i = 0; i < parents.size(); ++i) {
      const auto parent = static_cast<std::size_t>(parents[i]);
      for (int r = 0; r < fine.pattern.sizes[i]; ++r)
        for (int c = 0; c < coarse.pattern.sizes[parent]; ++c) {
          const auto u = static_cast<std::size_t>(first[i] + r), w = static_cast<std::size_t>(coarse_first[parent] + c);
          const double value = blocks[static_cast<std::size_t>(offsets[i] + r * coarse.pattern.sizes[parent] + c)];
          y[transpose ? w : u] += value * x[transpose ? u : w];
        }
    }
    return y;
  };
  const std::vector<double> x = random_numbers(5), r = random_numbers(unknowns(fine), 2);
  EXPECT_LT(largest_difference(apply(forth, coarse_scaling.scaled_solution(x), false),
                               fine_scaling.scaled_solution(apply(values, x, false))),
            1e-4);
  const auto enter = [&](const Scaling& scaling, const std::vector<double>& vector) {
    const auto from = put(vector), to = put(std::vector<float>(vector.size()));
    scaling.enter(from->address(), to->address());
    return to_double(get<float>(*to));
  };
  EXPECT_LT(largest_difference(apply(transposed, enter(fine_scaling, r), true),
                               enter(coarse_scaling, apply(values, r, true))),
            1e-4);
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
    EXPECT_TRUE(std::filesystem::exists(
        device::compile(program(device::Kind::cuda, 32, 32), target, folder.path(), device::Effort::check)));
}

}  // namespace
}  // namespace galerna::algebra
