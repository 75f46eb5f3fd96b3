// Incomplete elimination: its order, and what it makes of matrices; corrections by constants.
#include "steady/elimination.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <map>
#include <numeric>

#include "dg/computation.hpp"
#include "dg/emulated_gpu.hpp"
#include "mesh/generate.hpp"
#include "steady/constants.hpp"
#include "steady/lines.hpp"

namespace galerna::tests {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::size_t index(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

mesh::Mesh layer(mesh::CellStyle style) {
  mesh::Mesh mesh = mesh::make_rectangle(6, 5, {0, 0}, {12, 1}, style);
  mesh::prepare(mesh, {});
  return mesh;
}

/// Every second element of a chain belongs to one half of the numbers.
steady::Couplings shuffled_chain(int count) {
  steady::Couplings couplings(index(count));
  const auto name = [&](int i) { return i % 2 == 0 ? i / 2 : count / 2 + i / 2; };
  for (int i = 0; i + 1 < count; ++i) {
    couplings[index(name(i))].push_back(name(i + 1));
    couplings[index(name(i + 1))].push_back(name(i));
  }
  return couplings;
}

TEST(Elimination, OrderFollowsAChain) {
  const steady::Couplings couplings = shuffled_chain(10);
  const std::vector<std::int32_t> order = steady::reverse_cuthill_mckee(couplings);
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    const auto& beside = couplings[index(order[i])];
    EXPECT_NE(std::find(beside.begin(), beside.end(), order[i + 1]), beside.end());
  }
}

TEST(Elimination, OrderHasEachElementOnceAlsoOfMeshesInPieces) {
  steady::Couplings couplings = steady::neighbours(irregular_square());
  const auto count = static_cast<std::int32_t>(couplings.size());
  couplings.insert(couplings.end(), {{count + 1}, {count}, {}});
  std::vector<std::int32_t> order = steady::reverse_cuthill_mckee(couplings), all(couplings.size());
  std::iota(all.begin(), all.end(), 0);
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, all);
}

TEST(Elimination, LevelsKeepTheOrderOfCoupledElements) {
  const steady::Couplings couplings = steady::neighbours(irregular_square());
  const std::vector<std::int32_t> order = steady::reverse_cuthill_mckee(couplings);
  const steady::Levels levels = steady::levels_of(couplings, order);
  ASSERT_EQ(levels.begins.back(), static_cast<std::int64_t>(order.size()));
  std::vector<std::size_t> level(order.size()), place(order.size());
  for (std::size_t l = 0; l + 1 < levels.begins.size(); ++l)
    for (std::int64_t i = levels.begins[l]; i < levels.begins[l + 1]; ++i) level[index(levels.sequence[index(i)])] = l;
  for (std::size_t i = 0; i < order.size(); ++i) place[index(order[i])] = i;
  for (std::size_t e = 0; e < couplings.size(); ++e)
    for (const std::int32_t other : couplings[e])
      EXPECT_EQ(level[e] < level[index(other)], place[e] < place[index(other)]);
  EXPECT_EQ(steady::levels_of({}, order).begins.size(), 2U);
}

/// A preconditioner of random blocks.
struct System {
  mesh::Mesh mesh;
  Computation computation;
  steady::StateVectors vectors;
  steady::Jacobian jacobian;
  algebra::BlockMatrix<double> matrix;  ///< with the shift
  steady::EliminationPreconditioner preconditioner;

  static constexpr double shift = 3;

  System(mesh::Mesh of, const steady::Couplings& couplings, const std::vector<std::int32_t>& order,
         std::unique_ptr<device::Device> device = device::open_device("cpu"), int degree = 1)
      : mesh(std::move(of)),
        computation(mesh, spec_on(mesh, degree), std::move(device)),
        vectors(*computation, {1, 1, 1, 1}),
        jacobian(computation->device(), vectors, mesh, couplings),
        preconditioner(vectors, computation->device(), jacobian, couplings, order) {
    Random random;
    std::vector<float> values(index(jacobian.pattern().value_count()));
    for (float& value : values) value = static_cast<float>(random.uniform(-0.2, 0.2));
    computation->device().write(jacobian.values(), values.data(), values.size() * sizeof(float));
    preconditioner.factor(shift);
    matrix = {jacobian.pattern(), {values.begin(), values.end()}};
    const algebra::BlockPattern& pattern = matrix.pattern;
    for (std::size_t e = 0; e < pattern.row_count(); ++e)
      for (int i = 0; i < pattern.sizes[e]; ++i)
        matrix.values[index(pattern.offsets[index(algebra::find_block(pattern, e, static_cast<std::int32_t>(e)))] +
                            std::int64_t{i} * (pattern.sizes[e] + 1))] += shift;
  }

  static dg::Spec spec_on(const mesh::Mesh& mesh, int degree) {
    dg::Spec spec = bare_euler(degree);
    kernels::Array<double, 4> stream{};
    stream[0] = 1, stream[1] = 0.5, stream[3] = 2.2;
    surround(spec, mesh, stream);
    return spec;
  }

  steady::ConstantsPreconditioner constants() {
    steady::ConstantsPreconditioner result(vectors, computation->device(), jacobian, preconditioner);
    result.gather();
    result.factor(shift);
    return result;
  }

  std::vector<double> random_vector() const {
    Random random;
    std::vector<double> x(index(vectors.size()));
    for (double& value : x) value = random.uniform(-1, 1);
    return x;
  }

  std::vector<double> apply(const std::vector<double>& r) { return apply(r, preconditioner); }
  std::vector<double> apply(const std::vector<double>& r, algebra::Preconditioner& by) {
    device::Device& device = computation->device();
    const auto right = algebra::upload<double>(device, r, "r"), solution = algebra::upload<double>(device, r, "x");
    algebra::Kernels kernels(device);
    kernels.add(1, by.apply(right->address()), 0, solution->address(), vectors.size(),
                device::Precision::double_precision);
    return algebra::download<double>(device, *solution);
  }
};

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// Where the matrix has no other blocks than those of lines it is solved.
TEST(Elimination, SolvesTheSystemsOfLines) {
  const mesh::Mesh mesh = layer(mesh::CellStyle::quadrilaterals);
  std::vector<std::int32_t> order;
  for (const auto& line : steady::lines_of(mesh)) order.insert(order.end(), line.begin(), line.end());
  System system(mesh, steady::couplings_of(steady::lines_of(mesh), mesh.element_count()), order);
  const std::vector<double> x = system.random_vector();
  std::vector<double> b(x.size());
  algebra::multiply<double>(system.matrix, x, b);
  EXPECT_LT(largest_difference(system.apply(b), x), 2e-5);
}

/// (D + L) D⁻¹ (D + U) with D = A_ee − Σ A_ek D_k⁻¹ A_ke over the elements k before e.
TEST(Elimination, IsThatOfBlockIlu) {
  const mesh::Mesh mesh = irregular_square();
  const steady::Couplings couplings = steady::neighbours(mesh);
  const std::vector<std::int32_t> order = steady::reverse_cuthill_mckee(couplings);
  System system(mesh, couplings, order);
  const algebra::BlockPattern& pattern = system.matrix.pattern;
  const int n = pattern.sizes.front();
  const auto block = [&](std::int32_t row, std::int32_t column) {
    const std::int64_t k = algebra::find_block(pattern, index(row), column);
    return Eigen::Map<const Matrix>(system.matrix.values.data() + pattern.offsets[index(k)], n, n);
  };
  std::vector<std::size_t> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[index(order[i])] = i;
  std::map<std::int32_t, Matrix> diagonal;
  for (const std::int32_t e : order) {
    Matrix d = block(e, e);
    for (const std::int32_t k : couplings[index(e)])
      if (place[index(k)] < place[index(e)]) d -= block(e, k) * diagonal.at(k).inverse() * block(k, e);
    diagonal[e] = d;
  }
  const std::vector<double> x = system.random_vector();
  const auto part = [&](const std::vector<double>& v, std::int32_t e) {
    return Eigen::Map<const Eigen::VectorXd>(v.data() + std::int64_t{e} * n, n);
  };
  std::vector<double> y(x.size()), b(x.size());  // y = D⁻¹ (D + U) x, b = (D + L) y
  for (const std::int32_t e : order) {
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(n);
    for (const std::int32_t k : couplings[index(e)])
      if (place[index(k)] > place[index(e)]) sum += block(e, k) * part(x, k);
    Eigen::Map<Eigen::VectorXd>(y.data() + std::int64_t{e} * n, n) = part(x, e) + diagonal.at(e).inverse() * sum;
  }
  for (const std::int32_t e : order) {
    Eigen::VectorXd sum = diagonal.at(e) * part(y, e);
    for (const std::int32_t k : couplings[index(e)])
      if (place[index(k)] < place[index(e)]) sum += block(e, k) * part(y, k);
    Eigen::Map<Eigen::VectorXd>(b.data() + std::int64_t{e} * n, n) = sum;
  }
  EXPECT_LT(largest_difference(system.apply(b), x), 2e-5);
}

/// A solution that is constant in each element is found, whatever else couples it.
TEST(Constants, AreFoundExactly) {
  const mesh::Mesh mesh = irregular_square();
  const steady::Couplings couplings = steady::neighbours(mesh);
  System system(mesh, couplings, steady::reverse_cuthill_mckee(couplings));
  steady::ConstantsPreconditioner constants = system.constants();
  EXPECT_GT(steady::ConstantsPreconditioner::factor_bytes(system.vectors, system.jacobian), 0U);
  std::vector<double> x = system.random_vector();
  for (std::size_t i = 0; i < x.size(); ++i)
    if (i % 3 != 0) x[i] = 0;  // modes of degree 1
  std::vector<double> b(x.size());
  algebra::multiply<double>(system.matrix, x, b);
  EXPECT_LT(largest_difference(system.apply(b, constants), x), 1e-6);
  EXPECT_GT(largest_difference(system.apply(b), x), 1e-3);
}

/// Threads of a GPU do what loops of the CPU do. At degree 3 they take columns of blocks some at a time; with next to
/// nothing more on the diagonal rows change places.
TEST(Elimination, IsTheSameOnAnEmulatedGpu) {
  mesh::Mesh mesh = mesh::make_rectangle(3, 2, {0, 0}, {1, 0.7}, mesh::CellStyle::random_triangles, 0.2);
  mesh::prepare(mesh, {});
  const steady::Couplings couplings = steady::neighbours(mesh);
  const std::vector<std::int32_t> order = steady::reverse_cuthill_mckee(couplings);
  for (const int degree : {1, 3}) {
    System cpu(mesh, couplings, order, device::open_device("cpu"), degree),
        gpu(mesh, couplings, order, std::make_unique<EmulatedGpu>(), degree);
    const std::vector<double> r = cpu.random_vector();
    EXPECT_LT(largest_difference(cpu.apply(r), gpu.apply(r)), 1e-6);
    EXPECT_LT(largest_difference(cpu.apply(r), gpu.apply(r)), 1e-6);  // a second solution waits for its own numbers
    steady::ConstantsPreconditioner on_cpu = cpu.constants(), on_gpu = gpu.constants();
    EXPECT_LT(largest_difference(cpu.apply(r, on_cpu), gpu.apply(r, on_gpu)), 1e-6);
    EXPECT_GT(largest_difference(cpu.apply(r, on_cpu), gpu.apply(r)), 1e-3);
    for (System* system : {&cpu, &gpu}) system->preconditioner.factor(1e-3);
    const std::vector<double> x = cpu.apply(r), y = gpu.apply(r);
    EXPECT_LT(largest_difference(x, y), 1e-3 * largest_difference(x, std::vector<double>(x.size())));
  }
}

}  // namespace
}  // namespace galerna::tests
