#include "solutions.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>

#include "analysis/sampling.hpp"
#include "basis/basis.hpp"

namespace galerna::tests {

using mesh::ElementBlock;
using mesh::Index;
using mesh::Mesh;

namespace {

Mesh empty_mesh(int dimension) {
  Mesh mesh;
  mesh.file = "test.msh";
  mesh.dimension = dimension;
  return mesh;
}

void add_nodes(Mesh& mesh, int nx, int ny, double shift) {
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i) {
      const bool inside = i > 0 && i < nx && j > 0 && j < ny;
      mesh.nodes.push_back({2.0 * i / nx + (inside ? shift * std::sin(7.0 * i + j) / nx : 0),
                            1.0 * j / ny + (inside ? shift * std::cos(3.0 * i - j) / ny : 0), 0});
    }
}

void finish(Mesh& mesh) {
  Index element = 0;
  const Index count = [&] {
    Index sum = 0;
    for (const ElementBlock& block : mesh.blocks) sum += block.size();
    return sum;
  }();
  for (ElementBlock& block : mesh.blocks)
    for (Index i = 0; i < block.size(); ++i) {
      block.region.push_back(-1);
      block.source.push_back(count - 1 - element++);
    }
}

/// Boundary sides of a mesh of [0, 2] × [0, 1]: those whose corners lie on one of its sides.
void add_boundaries(Mesh& mesh) {
  const auto on = [&](int boundary, const mesh::Point& p) {
    return std::abs(boundary == 0 ? p[1] : boundary == 1 ? p[0] - 2 : boundary == 2 ? p[1] - 1 : p[0]) < 1e-12;
  };
  for (const char* name : {"bottom", "right", "top", "left"}) mesh.boundaries.push_back({name, {}});
  Index element = 0;
  for (const ElementBlock& block : mesh.blocks)
    for (Index i = 0; i < block.size(); ++i, ++element)
      for (int side = 0; side < side_count(block.shape); ++side)
        for (int boundary = 0; boundary < 4; ++boundary) {
          const auto corners = side_corners(block.shape, side);
          const Index* nodes = block.nodes.data() + i * block.nodes_per_element();
          if (on(boundary, mesh.nodes[nodes[corners[0]]]) && on(boundary, mesh.nodes[nodes[corners[1]]]))
            mesh.boundaries[boundary].sides.push_back({element, side});
        }
}

std::array<Index, 4> square(int nx, int i, int j) {
  const Index a = Index{j} * (nx + 1) + i;
  return {a, a + 1, a + nx + 2, a + nx + 1};
}

void add_triangles(ElementBlock& block, const std::array<Index, 4>& s) {
  for (Index node : {s[0], s[1], s[2], s[0], s[3], s[2]})
    block.nodes.push_back(node);  // the second one negatively oriented
}

}  // namespace

Mesh triangles(int nx, int ny) {
  Mesh mesh = empty_mesh(2);
  add_nodes(mesh, nx, ny, 0.2);
  mesh.blocks.push_back({Shape::triangle, 1, {}, {}, {}});
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) add_triangles(mesh.blocks[0], square(nx, i, j));
  finish(mesh);
  add_boundaries(mesh);
  return mesh;
}

Mesh quadrilaterals(int nx, int ny) {
  Mesh mesh = empty_mesh(2);
  add_nodes(mesh, nx, ny, 0.2);
  mesh.blocks.push_back({Shape::quadrilateral, 1, {}, {}, {}});
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i)
      for (Index node : square(nx, i, j)) mesh.blocks[0].nodes.push_back(node);
  finish(mesh);
  add_boundaries(mesh);
  return mesh;
}

Mesh mixed(int nx, int ny) {
  Mesh mesh = empty_mesh(2);
  add_nodes(mesh, nx, ny, 0.2);
  mesh.blocks.push_back({Shape::quadrilateral, 1, {}, {}, {}});
  mesh.blocks.push_back({Shape::triangle, 1, {}, {}, {}});
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      if (2 * i >= nx) {
        add_triangles(mesh.blocks[1], square(nx, i, j));
        continue;
      }
      for (Index node : square(nx, i, j)) mesh.blocks[0].nodes.push_back(node);
    }
  finish(mesh);
  add_boundaries(mesh);
  return mesh;
}

Mesh one_element(Shape shape, bool mirrored) {
  Mesh mesh = empty_mesh(dimension(shape));
  ElementBlock block = {shape, 1, {}, {-1}, {0}};
  for (int corner = 0; corner < corner_count(shape); ++corner) {
    const auto p = reference_corner(shape, corner);
    const double z = dimension(shape) == 3 ? 1.5 * p[2] + 0.1 * p[0] : 0;
    mesh.nodes.push_back({(mirrored ? -1 : 1) * (1 + 2 * p[0] + 0.3 * p[1]), 0.5 + p[1] - 0.2 * p[0], z});
    block.nodes.push_back(corner);
  }
  mesh.blocks.push_back(block);
  return mesh;
}

Mesh curved_triangle() {
  Mesh mesh = empty_mesh(2);
  ElementBlock block = {Shape::triangle, 2, {}, {-1}, {0}};
  for (const basis::Point& p : basis::lagrange_nodes(Shape::triangle, 2)) {
    const double bulge = p[0] > 0.25 && p[1] > 0.25 ? 0.15 : 0;
    block.nodes.push_back(static_cast<Index>(mesh.nodes.size()));
    mesh.nodes.push_back({p[0] + bulge, p[1] + bulge, 0});
  }
  mesh.blocks.push_back(block);
  return mesh;
}

analysis::Solution project(const Mesh& mesh, int degree, const std::vector<Function>& functions) {
  analysis::Solution s;
  s.mesh = &mesh;
  s.degree = degree;
  s.variables = {"density", "momentum_x", "momentum_y", "energy"};
  s.variables.resize(functions.size());
  for (const ElementBlock& block : mesh.blocks) {
    s.pieces.emplace_back();
    const basis::Quadrature rule = basis::quadrature(block.shape, 2 * degree + 4);
    const basis::Matrix values = basis::basis_values(block.shape, degree, rule.points);
    const basis::Matrix geometry = basis::lagrange_values(block.shape, block.order, rule.points);
    for (Index element = 0; element < block.size(); ++element) {
      std::vector<mesh::Point> places(static_cast<std::size_t>(rule.size()), {0, 0, 0});
      for (int q = 0; q < rule.size(); ++q)
        for (int node = 0; node < geometry.cols(); ++node)
          for (std::size_t d = 0; d < 3; ++d)
            places[q][d] += geometry(q, node) * mesh.nodes[block.nodes[element * geometry.cols() + node]][d];
      for (const Function& function : functions) {
        Eigen::VectorXd weighted(rule.size());
        for (int q = 0; q < rule.size(); ++q)
          weighted[q] = rule.weights[q] * function(places[q][0], places[q][1], places[q][2]);
        const Eigen::VectorXd modes = values.transpose() * weighted;
        s.pieces.back().coefficients.insert(s.pieces.back().coefficients.end(), modes.begin(), modes.end());
      }
    }
  }
  if (functions.size() == 4) {
    s.fields.names = {"density", "velocity_x", "velocity_y", "pressure", "energy"};
    s.fields.evaluate = [](const double* u, double* f) {
      f[0] = u[0];
      f[1] = u[1] / u[0];
      f[2] = u[2] / u[0];
      f[3] = 0.4 * (u[3] - 0.5 * (u[1] * u[1] + u[2] * u[2]) / u[0]);
      f[4] = u[3];
    };
  } else {
    s.fields.names = {"density"};
    s.fields.evaluate = [](const double* u, double* f) { f[0] = u[0]; };
  }
  return s;
}

analysis::Solution project(const Mesh& mesh, int degree, const Function& function) {
  return project(mesh, degree, std::vector{function});
}

::testing::AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "\"" << part << "\" is not in: " << text;
}

FullDisk::FullDisk(std::size_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
  rlimit limit = {};
  getrlimit(RLIMIT_FSIZE, &limit);
  former_ = limit.rlim_cur;
  limit.rlim_cur = bytes;
  setrlimit(RLIMIT_FSIZE, &limit);
}

FullDisk::~FullDisk() {
  rlimit limit = {};
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = former_;
  setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, handler_);
}

}  // namespace galerna::tests
