// States on a GPU that are read piece by piece, on the emulated one: as they are read at once.
#include "dg/run/state_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/parallel.hpp"
#include "dg/computation.hpp"
#include "dg/curved_meshes.hpp"
#include "dg/emulated_gpu.hpp"
#include "dg/solids.hpp"
#include "dg/viscous_problem.hpp"

namespace galerna::tests {
namespace {

/// A flow whose numbers are all different, and what reads it.
struct ReadState {
  ReadState(const mesh::Mesh& mesh, const dg::Spec& spec)
      : computation(mesh, spec, std::make_unique<EmulatedGpu>()),
        coefficients(static_cast<std::size_t>(computation->degrees_of_freedom())) {
    for (std::size_t i = 0; i < coefficients.size(); ++i) coefficients[i] = static_cast<double>(i);
    computation->write_state(computation.state(), coefficients);
    reader = computation->reader(computation.state(), rooms);
  }

  Computation computation;
  device::HostRooms rooms;
  std::vector<double> coefficients;
  std::shared_ptr<const dg::StateReader> reader;
};

void expect_pieces(const mesh::Mesh& mesh, const dg::Spec& spec) {
  ReadState of(mesh, spec);
  ASSERT_TRUE(of.reader);
  std::size_t first = 0;
  for (std::size_t set = 0; set < mesh.blocks.size(); ++set) {
    const mesh::Index elements = mesh.blocks[set].size();
    const auto each = static_cast<std::size_t>(of.computation->states().values(of.computation->sets()[set]));
    std::vector<mesh::Index> positions(static_cast<std::size_t>(elements));
    for (std::size_t k = 0; k < positions.size(); ++k) positions[k] = static_cast<mesh::Index>(k);
    std::shuffle(positions.begin(), positions.end(), std::mt19937(7));
    std::vector<double> found(positions.size() * each), one(each);
    of.reader->read(set, positions, found.data());
    for (std::size_t k = 0; k < positions.size(); ++k) {
      const double* expected = of.coefficients.data() + first + static_cast<std::size_t>(positions[k]) * each;
      ASSERT_TRUE(std::equal(expected, expected + each, found.begin() + static_cast<std::ptrdiff_t>(k * each)));
      of.reader->read_one(set, positions[k], one.data());
      ASSERT_TRUE(std::equal(expected, expected + each, one.begin()));
      of.reader->read_window(set, positions[k], one.data());
      ASSERT_TRUE(std::equal(expected, expected + each, one.begin()));
    }
    first += positions.size() * each;
  }
}

TEST(QuickStateReader, ReadsElementsOfEverySetInAnyOrder) {
  for (const auto precision : {device::Precision::double_precision, device::Precision::single_precision}) {
    const mesh::Mesh mixture = curved_mixture(3, 2);
    dg::Spec plane = bare_euler(2);
    plane.precision = precision;
    surround(plane, mixture, State2{{1, 0.5, -0.25, 2}});
    expect_pieces(mixture, plane);
    dg::Spec space = bare_euler_in_space(1);
    space.precision = precision;
    expect_pieces(box_of(Shape::tetrahedron, 3, 0, true), space);
  }
}

/// As files are written: each thread has its piece, and two readers take turns in one.
void expect_side_by_side(void (dg::StateReader::*read)(std::size_t, mesh::Index, double*) const) {
  const mesh::Mesh mesh = box_of(Shape::tetrahedron, 4, 0, true);
  ReadState a(mesh, bare_euler_in_space(1)), b(mesh, bare_euler_in_space(1));
  constexpr std::size_t each = 5 * 4;
  in_parallel(mesh.element_count(), 16, [&](mesh::Index begin, mesh::Index end) {
    std::vector<double> of_a(each), of_b(each);
    for (mesh::Index e = begin; e < end; ++e) {
      (*a.reader.*read)(0, e, of_a.data());
      (*b.reader.*read)(0, e, of_b.data());
      const auto first = a.coefficients.begin() + e * static_cast<std::ptrdiff_t>(each);
      EXPECT_TRUE(std::equal(of_a.begin(), of_a.end(), first) && of_a == of_b) << e;
    }
  });
}

TEST(QuickStateReader, ServesThreadsSideBySide) {
  expect_side_by_side(&dg::StateReader::read_one);
  expect_side_by_side(&dg::StateReader::read_window);
}

}  // namespace
}  // namespace galerna::tests
