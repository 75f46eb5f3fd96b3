// Matrices of symmetric problems are symmetric, and positive definite with the certified penalty, whatever the shapes.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "algebra/symmetry.hpp"
#include "mesh/gmsh_reader.hpp"
#include "mesh/prepare.hpp"
#include "polytopic/discretization.hpp"
#include "polytopic/problems.hpp"

namespace galerna::tests {
namespace {

mesh::Mesh read(const std::string& name) {
  mesh::Mesh mesh = mesh::read_gmsh(std::string(GALERNA_TEST_DIR) + "/data/" + name + ".msh");
  mesh::prepare(mesh);
  return mesh;
}

algebra::BlockMatrix<double> matrix_of(device::Device& device, const mesh::Mesh& mesh,
                                       const mesh::Agglomeration& agglomeration, const polytopic::Spec& spec,
                                       int degree) {
  const polytopic::Mesh polytopes = polytopic::make_mesh(mesh, agglomeration);
  polytopic::Discretization discretization(device, polytopes, spec,
                                           std::vector<int>(static_cast<std::size_t>(polytopes.polytopes), degree));
  discretization.compute_penalties();
  discretization.assemble();
  return discretization.matrix();
}

TEST(Definite, OnTheReferenceMeshes) {
  const auto device = device::open_device("cpu");
  for (const std::string name :
       {"square1", "square2", "square3", "square4", "square3-fine", "square4-coarse", "wavy", "cube1", "cube2"}) {
    const mesh::Mesh mesh = read(name.substr(0, name.find('-')));
    const mesh::Agglomeration agglomeration =
        mesh::read_agglomeration(std::string(GALERNA_TEST_DIR) + "/data/" + name + ".agg", mesh);
    const polytopic::Spec spec = poisson(mesh.dimension, mesh, "certified", 1.01);
    for (const int degree : {1, 2}) {
      const auto matrix = matrix_of(*device, mesh, agglomeration, spec, degree);
      EXPECT_LT(algebra::symmetry_defect(matrix), 1e-14) << name << ", p = " << degree;
      const algebra::Definiteness found = algebra::definiteness(matrix);
      EXPECT_TRUE(found.positive) << name << ", p = " << degree << ": pivot " << found.pivot;
    }
  }
}

/// Connected sets of elements of any shape: common sides are taken in random order, and what they separate is joined as
/// long as it is not too large.
mesh::Agglomeration random_agglomeration(const mesh::Mesh& mesh, unsigned seed) {
  std::mt19937 random(seed);
  const std::size_t most = 2 + random() % 30;
  std::vector<mesh::Face> faces(mesh.faces.begin() + mesh.boundary_faces, mesh.faces.end());
  std::shuffle(faces.begin(), faces.end(), random);
  std::vector<std::size_t> part(static_cast<std::size_t>(mesh.element_count()));
  std::iota(part.begin(), part.end(), std::size_t{0});
  for (const mesh::Face& face : faces) {
    const std::size_t a = part[static_cast<std::size_t>(face.left.element)],
                      b = part[static_cast<std::size_t>(face.right.element)];
    const auto size = std::count(part.begin(), part.end(), a) + std::count(part.begin(), part.end(), b);
    if (a != b && static_cast<std::size_t>(size) <= most) std::replace(part.begin(), part.end(), a, b);
  }
  mesh::Agglomeration result;
  std::vector<mesh::Index> number(part.size(), -1);
  for (const std::size_t p : part) {
    if (number[p] < 0) number[p] = result.count++;
    result.polytope.push_back(number[p]);
  }
  return result;
}

TEST(Definite, OnAThousandRandomAgglomerations) {
  const auto device = device::open_device("cpu");
  const mesh::Mesh mesh = read("square1");
  // Just above 1 the proof still holds, and nothing is to spare.
  const polytopic::Spec spec = poisson(2, mesh, "certified", 1.01);
  for (unsigned seed = 0; seed < 1000; ++seed) {
    const mesh::Agglomeration agglomeration = random_agglomeration(mesh, seed);
    const int degree = 1 + static_cast<int>(seed % 2);
    const algebra::Definiteness found = algebra::definiteness(matrix_of(*device, mesh, agglomeration, spec, degree));
    ASSERT_TRUE(found.positive) << "seed " << seed << ", p = " << degree << ": pivot " << found.pivot;
  }
}

/// What the certified penalty saves one from: the usual constant on polygons of many triangles.
TEST(Definite, NotWithTheCappedPenaltyOnPolygonsOfManyTriangles) {
  const auto device = device::open_device("cpu");
  const mesh::Mesh mesh = read("square4");
  const mesh::Agglomeration agglomeration =
      mesh::read_agglomeration(std::string(GALERNA_TEST_DIR) + "/data/square4-coarse.agg", mesh);
  const auto matrix = matrix_of(*device, mesh, agglomeration, poisson(2, mesh, "capped", 10), 1);
  EXPECT_FALSE(algebra::definiteness(matrix).positive);
}

}  // namespace
}  // namespace galerna::tests
