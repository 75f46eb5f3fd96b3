#include "dg/element_set.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <map>

#include "base/exact_sum.hpp"
#include "basis/turned_points.hpp"
#include "dg/tiles.hpp"
#include "kernels/element/arguments.hpp"

namespace galerna::dg {

namespace {

/// Values [element][side][point][n] with the points of each side counted as the element itself counts them.
std::vector<double> in_own_order(const Operators& operators, const Metric& metric, const std::vector<double>& values,
                                 std::size_t n) {
  std::vector<double> result = values;
  std::map<std::pair<Shape, int>, std::vector<int>> turned;  // of (side's shape, orientation)
  std::size_t first = 0;
  for (std::size_t side = 0; side < metric.orientations.size(); ++side) {
    const basis::Quadrature& rule = operators.side_rules[side % static_cast<std::size_t>(metric.sides)];
    const auto [at, is_new] = turned.try_emplace({rule.shape, metric.orientations[side]});
    if (is_new) at->second = basis::turned_points(rule, metric.orientations[side]);
    for (std::size_t q = 0; q < at->second.size(); ++q)
      for (std::size_t k = 0; k < n; ++k)
        result[n * (first + q) + k] = values[n * (first + static_cast<std::size_t>(at->second[q])) + k];
    first += at->second.size();
  }
  return result;
}

/// [element][6] A, B, C of the map x = … + A ξ + B η + C ξη of straight quadrilaterals, times the sign of its Jacobian.
std::vector<double> bilinear_maps(const mesh::Mesh& mesh, const mesh::ElementBlock& block) {
  std::vector<double> maps;
  for (mesh::Index e = 0; e < block.size(); ++e) {
    double map[3][2];
    for (std::size_t k = 0; k < 2; ++k) {
      const auto corner = [&](int i) {
        return mesh.nodes[static_cast<std::size_t>(block.nodes[static_cast<std::size_t>(e * 4 + i)])][k];
      };
      map[0][k] = (-corner(0) + corner(1) + corner(2) - corner(3)) / 4;
      map[1][k] = (-corner(0) - corner(1) + corner(2) + corner(3)) / 4;
      map[2][k] = (corner(0) - corner(1) + corner(2) - corner(3)) / 4;
    }
    const double sign = map[0][0] * map[1][1] < map[0][1] * map[1][0] ? -1 : 1;
    for (const auto& row : map) maps.insert(maps.end(), {sign * row[0], sign * row[1]});
  }
  return maps;
}

/// [element][22] of straight hexahedra (kernels/line/sizes.hpp).
std::vector<double> trilinear_maps(const mesh::Mesh& mesh, const mesh::ElementBlock& block) {
  // Of the coefficients A_ξ, A_η, A_ζ, B_ξη, B_ξζ, B_ηζ, C, whether they have a factor ξ, η, ζ.
  constexpr int factors[7][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
  std::vector<double> maps;
  for (mesh::Index e = 0; e < block.size(); ++e) {
    Eigen::Matrix<double, 7, 3> map = Eigen::Matrix<double, 7, 3>::Zero();
    for (int i = 0; i < 8; ++i) {
      const auto corner = reference_corner(Shape::hexahedron, i);
      const auto& node = mesh.nodes[static_cast<std::size_t>(block.nodes[static_cast<std::size_t>(e * 8 + i)])];
      for (int number = 0; number < 7; ++number) {
        double sign = 1;
        for (std::size_t d = 0; d < 3; ++d) sign *= factors[number][d] ? corner[d] : 1;
        for (int k = 0; k < 3; ++k) map(number, k) += sign * node[static_cast<std::size_t>(k)] / 8;
      }
    }
    for (int number = 0; number < 7; ++number)
      for (int k = 0; k < 3; ++k) maps.push_back(map(number, k));
    maps.push_back(map.topRows<3>().determinant() < 0 ? -1 : 1);
  }
  return maps;
}

/// [element][volume point] ElementSetArrays::corrections
std::vector<double> mean_corrections(const Operators& operators, const Metric& metric) {
  using Rows = Eigen::Map<const basis::Matrix>;
  const Rows means(metric.means.data(), metric.elements, operators.modes);
  const Rows inverse(metric.inverse.data(), metric.elements, operators.volume.size());
  std::vector<double> corrections(metric.inverse.size());
  Eigen::Map<basis::Matrix>(corrections.data(), inverse.rows(), inverse.cols()) =
      (1 - (means * operators.volume_basis.transpose()).array() * inverse.array()).colwise() / means.col(0).array();
  return corrections;
}

/// Whether the corners of all elements of a straight block in space lie where a linear map takes those of the reference
/// shape, up to rounding.
bool are_affine(const mesh::Mesh& mesh, const mesh::ElementBlock& block) {
  const int corners = corner_count(block.shape);
  Eigen::MatrixXd reference(corners, 4), places(corners, 3);  // [corner](ξ, 1)
  for (int i = 0; i < corners; ++i) {
    const auto at = reference_corner(block.shape, i);
    reference.row(i) << at[0], at[1], at[2], 1;
  }
  const Eigen::MatrixXd rest =  // what is left of values at the corners by the best linear function
      Eigen::MatrixXd::Identity(corners, corners) -
      reference * (reference.transpose() * reference).ldlt().solve(Eigen::MatrixXd(reference.transpose()));
  for (mesh::Index e = 0; e < block.size(); ++e) {
    for (int i = 0; i < corners; ++i) {
      const auto& node = mesh.nodes[static_cast<std::size_t>(block.nodes[static_cast<std::size_t>(e * corners + i)])];
      places.row(i) << node[0], node[1], node[2];
    }
    places.rowwise() -= places.row(0).eval();
    if ((rest * places).cwiseAbs().maxCoeff() > 1e-13 * places.cwiseAbs().maxCoeff()) return false;
  }
  return true;
}

}  // namespace

ElementMap map_of(const mesh::Mesh& mesh, const mesh::ElementBlock& block) {
  if (block.order != 1) return ElementMap::curved;
  if (is_simplex(block.shape)) return ElementMap::affine;
  if (mesh.dimension == 3) return are_affine(mesh, block) ? ElementMap::affine : ElementMap::curved;
  for (mesh::Index e = 0; e < block.size(); ++e) {
    const auto corner = [&](int i, std::size_t k) {
      return mesh.nodes[static_cast<std::size_t>(block.nodes[static_cast<std::size_t>(e * 4 + i)])][k];
    };
    for (std::size_t k = 0; k < 2; ++k) {
      const double size = std::abs(corner(2, k) - corner(0, k)) + std::abs(corner(3, k) - corner(1, k));
      const double twist = corner(0, k) - corner(1, k) + corner(2, k) - corner(3, k);
      if (std::abs(twist) > 1e-13 * size) return ElementMap::bilinear;
    }
  }
  return ElementMap::affine;
}

bool is_tensor(const Operators& operators) {
  return operators.shape == Shape::quadrilateral && operators.volume.size() == operators.modes &&
         operators.side.size() == operators.degree + 1;
}

std::vector<ElementSet> make_element_sets(const mesh::Mesh& mesh, const Spec& spec, const Target& target) {
  std::vector<Operators> operators =
      make_block_operators(mesh, spec.degree, spec.volume_quadrature, spec.face_quadrature);
  std::vector<ElementSet> sets;
  ElementSet next;  // where it begins
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    const mesh::ElementBlock& block = mesh.blocks[b];
    ElementSet set;
    set.operators = std::move(operators[b]);
    set.blocks = make_blocks(block.size(), target.kind, target.lanes);
    set.order = block.order;
    set.map = map_of(mesh, block);
    set.alone = mesh.blocks.size() == 1;
    const Choice choice = choose_structure({set.operators, set.order, set.alone}, spec, target);
    set.structure = choice.structure;
    if (set.structure->by_lines && set.order == 1) set.map = ElementMap::trilinear;
    if (set.structure->tile_metric) set.map = ElementMap::curved;
    set.why = choice.why;
    if (set.stands_by_itself())  // with the rules as they are asked for
      set.operators = make_operators(block.shape, spec.degree, spec.volume_quadrature, spec.face_quadrature);
    set.residual_range = set.structure->residual_range(set, spec, target.kind);
    set.monitor_range = set.structure->monitor_range(set, spec, target.kind);
    if (!set.alone) set.label = fmt::format(", {} of order {}", plural_name(block.shape), block.order);
    set.first_element = next.first_element;
    set.first_block = next.first_block;
    set.first_group = next.first_group;
    set.state_offset = next.state_offset;
    next.first_element += block.size();
    next.first_block += set.blocks.count;
    next.first_group += monitor_groups(set.blocks, set.structure->tile, target.kind);
    next.state_offset += static_cast<std::size_t>(set.blocks.padded() * spec.variable_count() * set.operators.modes *
                                                  bytes_of(spec.precision));
    sets.push_back(std::move(set));
  }
  return sets;
}

void upload_nodes(ElementSet& set, device::Device& device, device::Precision precision, const mesh::Mesh& mesh,
                  const mesh::ElementBlock& block) {
  set.nodes = upload_blocked(device, "coordinates of nodes, for the source", precision, set.blocks,
                             mesh.dimension * block.nodes_per_element(), [&] {
                               std::vector<double> coordinates;
                               for (mesh::Index node : block.nodes)
                                 for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.dimension); ++k)
                                   coordinates.push_back(mesh.nodes[static_cast<std::size_t>(node)][k]);
                               return coordinates;
                             });
}

void upload_metric(ElementSet& set, device::Device& device, const Spec& spec, const mesh::Mesh& mesh, int block,
                   const Lazy<Metric>& metric) {
  const auto upload = [&](std::int64_t n, const auto& make) {
    return upload_blocked(device, "metric terms", spec.precision, set.blocks, n, make);
  };
  set.diameters_array = upload(
      1, [&]() -> auto& { return metric().diameters; });
  if (set.map == ElementMap::bilinear) {
    set.contravariant = upload(6, [&] { return bilinear_maps(mesh, mesh.blocks[static_cast<std::size_t>(block)]); });
    return;
  }
  if (set.map == ElementMap::trilinear) {
    set.contravariant = upload(kernels::trilinear_numbers,
                               [&] { return trilinear_maps(mesh, mesh.blocks[static_cast<std::size_t>(block)]); });
    if (spec.limiter)
      set.means = upload(
          set.operators.modes, [&]() -> auto& { return metric().means; });
    return;
  }
  const int d = mesh.dimension, gradients = d * d;
  if (set.map == ElementMap::affine) {
    set.contravariant = upload(gradients, [&] {
      std::vector<double> contravariant = metric().contravariant;
      for (std::size_t k = 0; k < contravariant.size(); ++k)
        contravariant[k] *= metric().inverse[k / static_cast<std::size_t>(gradients)];
      return contravariant;
    });
    return;
  }
  const int points = set.operators.volume.size(), side_points = set.operators.first_side_point(set.operators.sides());
  set.inverse = upload(
      points, [&]() -> auto& { return metric().inverse; });
  set.means = upload(
      set.operators.modes, [&]() -> auto& { return metric().means; });
  if (set.structure->tile_metric) {
    Blocks eights;
    eights.items = eights.count = set.blocks.padded() / 8;
    const auto own_order = [&](const std::vector<double>& values, int n) {
      return in_own_order(set.operators, metric(), values, static_cast<std::size_t>(n));
    };
    set.tile_metric = upload_blocked(device, "metric terms", spec.precision, eights,
                                     tile_metric_numbers(set.operators, spec.viscous), [&] {
                                       TileSideMetric sides = {own_order(metric().normals, d), {}};
                                       if (spec.viscous)
                                         sides.gradients = own_order(metric().side_gradients, gradients);
                                       return tile_metric(set.operators, metric(), sides, set.blocks.padded());
                                     });
    return;
  }
  set.contravariant = upload(
      gradients * points, [&]() -> auto& { return metric().contravariant; });
  const auto upload_sides = [&](const std::vector<double> Metric::*values, int n) {
    return upload(n * side_points,
                  [&] { return in_own_order(set.operators, metric(), metric().*values, static_cast<std::size_t>(n)); });
  };
  set.normals = upload_sides(&Metric::normals, d);
  if (set.structure->by_lines)
    set.corrections = upload(points, [&] { return mean_corrections(set.operators, metric()); });
  if (spec.viscous) set.side_gradients = upload_sides(&Metric::side_gradients, gradients);
}

void keep_sizes(ElementSet& set, const Metric& metric) {
  set.diameters = metric.diameters;
  const auto modes = metric.means.size() / static_cast<std::size_t>(metric.elements);
  ExactSum measure;
  for (std::size_t k = 0; k < metric.means.size(); k += modes)
    measure.add(metric.means[k] / set.operators.volume_basis(0, 0));
  set.measure = measure.value();
}

}  // namespace galerna::dg
