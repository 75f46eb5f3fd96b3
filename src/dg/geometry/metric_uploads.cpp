#include "dg/geometry/metric_uploads.hpp"

#include <Eigen/Dense>
#include <functional>
#include <numeric>

#include "base/exact_sum.hpp"
#include "base/parallel.hpp"
#include "base/phases.hpp"
#include "dg/geometry/metric.hpp"
#include "dg/geometry/tile_metric.hpp"
#include "kernels/element/arguments.hpp"

namespace galerna::dg {
namespace {

/// Some elements of a block, one after the other.
struct Piece {
  mesh::Index begin, end;
  const Metric& metric;  ///< of these
};

/// [element][6] A, B, C of the map x = … + A ξ + B η + C ξη of straight quadrilaterals, times the sign of its Jacobian.
std::vector<double> bilinear_maps(const mesh::Mesh& mesh, const mesh::ElementBlock& block, const Piece& piece) {
  std::vector<double> maps;
  for (mesh::Index e = piece.begin; e < piece.end; ++e) {
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
std::vector<double> trilinear_maps(const mesh::Mesh& mesh, const mesh::ElementBlock& block, const Piece& piece) {
  // Of the coefficients A_ξ, A_η, A_ζ, B_ξη, B_ξζ, B_ηζ, C, whether they have a factor ξ, η, ζ.
  constexpr int factors[7][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
  std::vector<double> maps;
  for (mesh::Index e = piece.begin; e < piece.end; ++e) {
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

/// Calls body(begin, end) for pieces of some size; what is left over goes with the last one.
template <class Body>
void in_large_pieces(mesh::Index count, mesh::Index size, const Body& body) {
  const mesh::Index pieces = std::max<mesh::Index>(1, count / size);
  for (mesh::Index k = 0; k < pieces; ++k) body(k * size, k + 1 == pieces ? count : (k + 1) * size);
}

/// [element][volume point] ElementSetArrays::corrections
std::vector<double> mean_corrections(const Operators& operators, const Metric& metric) {
  using Rows = Eigen::Map<const basis::Matrix>;
  const Eigen::Index points = operators.volume.size(), modes = operators.modes;
  std::vector<double> corrections(metric.inverse.size());
  std::vector<std::pair<mesh::Index, mesh::Index>> pieces;
  in_large_pieces(metric.elements, 1024, [&](mesh::Index begin, mesh::Index end) { pieces.emplace_back(begin, end); });
  in_parallel(static_cast<std::int64_t>(pieces.size()), 1, [&](std::int64_t k, std::int64_t) {
    const auto [begin, end] = pieces[static_cast<std::size_t>(k)];
    const Rows means(metric.means.data() + begin * modes, end - begin, modes);
    const Rows inverse(metric.inverse.data() + begin * points, end - begin, points);
    Eigen::Map<basis::Matrix>(corrections.data() + begin * points, end - begin, points) =
        (1 - (means * operators.volume_basis.transpose()).array() * inverse.array()).colwise() / means.col(0).array();
  });
  return corrections;
}

/// Constant metric terms: J ∂ξ_d/∂x_k over J.
std::vector<double> affine_gradients(const Metric& metric) {
  const auto gradients = static_cast<std::size_t>(metric.dimension * metric.dimension);
  std::vector<double> result = metric.contravariant;
  for (std::size_t k = 0; k < result.size(); ++k) result[k] *= metric.inverse[k / gradients];
  return result;
}

/// Arrays of a set, which are filled piece by piece.
class MetricArrays {
 public:
  /// The values of a piece; what is none of the metric's own arrays is made in `room`.
  using Values = std::function<const std::vector<double>&(const Piece& piece, std::vector<double>& room)>;

  MetricArrays(device::Device& device, device::Precision precision, const Blocks& blocks)
      : device_(device), precision_(precision), blocks_(blocks) {}

  /// [block][n][lane] \param together elements that have n numbers together, instead of the blocks of the set
  std::unique_ptr<device::Memory> add(std::int64_t n, Values values, int in_one = 0) {
    const std::int64_t items = in_one > 0 ? blocks_.padded() / in_one : blocks_.padded();
    auto memory = device_.allocate(static_cast<std::size_t>(items * n * bytes_of(precision_)), "metric terms");
    arrays_.push_back({memory.get(), n, std::move(values), in_one});
    return memory;
  }
  std::unique_ptr<device::Memory> add(std::int64_t n, const std::vector<double> Metric::*values) {
    return add(
        n, [values](const Piece& piece, std::vector<double>&) -> auto& { return piece.metric.*values; });
  }
  template <class Make>
  std::unique_ptr<device::Memory> add_made(std::int64_t n, const Make& make, int in_one = 0) {
    const auto values = [make](const Piece& piece, std::vector<double>& room) -> auto& {
      return room = make(piece);
    };
    return add(n, values, in_one);
  }

  void fill(const Piece& piece) const {
    std::vector<double> room;
    for (const Array& array : arrays_) {
      Blocks part = blocks_of(piece);
      std::int64_t first = piece.begin;
      if (array.in_one > 0) {
        first /= array.in_one;
        part.items = part.count = part.padded() / array.in_one;
        part.lanes = 1;
      }
      write_blocked(device_, precision_, part, array.values(piece, room), array.n, *array.memory, 1,
                    static_cast<std::size_t>(first * array.n * bytes_of(precision_)));
    }
  }

  /// The last piece has the padding behind the last element, too.
  Blocks blocks_of(const Piece& piece) const {
    const std::int64_t first = piece.begin / blocks_.lanes;
    return {piece.end - piece.begin, (piece.end == blocks_.items ? blocks_.count : piece.end / blocks_.lanes) - first,
            blocks_.lanes};
  }

 private:
  struct Array {
    device::Memory* memory;
    std::int64_t n;
    Values values;
    int in_one;
  };

  device::Device& device_;
  device::Precision precision_;
  const Blocks& blocks_;
  std::vector<Array> arrays_;
};

/// Of curved elements; returns what it takes of the metric.
MetricParts add_curved(MetricArrays& arrays, ElementSet& set, const Spec& spec, int dimension) {
  const Operators& operators = set.operators;
  const int gradients = dimension * dimension, points = operators.volume.size(),
            side_points = operators.first_side_point(operators.sides());
  set.inverse = arrays.add(points, &Metric::inverse);
  set.means = arrays.add(operators.modes, &Metric::means);
  const MetricParts parts{true, false, true, spec.diffuses(), true};
  if (set.structure->tile_metric) {
    constexpr int tile = 8;
    set.tile_metric = arrays.add_made(
        tile_metric_numbers(operators, spec.diffuses()),
        [&](const Piece& piece) {
          return tile_metric(operators, piece.metric, spec.diffuses(), arrays.blocks_of(piece).padded());
        },
        tile);
    return parts;
  }
  set.contravariant = arrays.add(gradients * points, &Metric::contravariant);
  set.normals = arrays.add(dimension * side_points, &Metric::normals);
  if (set.structure->by_lines)
    set.corrections =
        arrays.add_made(points, [&](const Piece& piece) { return mean_corrections(operators, piece.metric); });
  if (spec.diffuses()) set.side_gradients = arrays.add(gradients * side_points, &Metric::side_gradients);
  return parts;
}

MetricParts add_all(MetricArrays& arrays, ElementSet& set, const Spec& spec, const mesh::Mesh& mesh,
                    const mesh::ElementBlock& block) {
  const int d = mesh.dimension;
  MetricParts parts{false, false, false, false, true};
  set.diameters_array = arrays.add(1, &Metric::diameters);
  switch (set.map) {
    case ElementMap::bilinear:
      set.contravariant = arrays.add_made(6, [&](const Piece& piece) { return bilinear_maps(mesh, block, piece); });
      if (spec.limiter) set.means = arrays.add(set.operators.modes, &Metric::means);
      break;
    case ElementMap::trilinear:
      set.contravariant = arrays.add_made(kernels::trilinear_numbers,
                                          [&](const Piece& piece) { return trilinear_maps(mesh, block, piece); });
      if (spec.limiter) set.means = arrays.add(set.operators.modes, &Metric::means);
      break;
    case ElementMap::affine:
      set.contravariant = arrays.add_made(d * d, [](const Piece& piece) { return affine_gradients(piece.metric); });
      parts.volume = true;
      break;
    case ElementMap::curved:
      return add_curved(arrays, set, spec, d);
  }
  return parts;
}

/// Elements whose metric terms take some 64 MB; blocks and tiles are whole.
mesh::Index elements_at_a_time(const Operators& operators, const MetricParts& parts) {
  const int d = dimension(operators.shape), points = operators.volume.size(),
            side_points = operators.first_side_point(operators.sides());
  const int numbers = operators.modes + (parts.volume ? (2 + d * d) * points : 0) +
                      (parts.normals ? d * side_points : 0) + (parts.side_gradients ? d * d * side_points : 0);
  constexpr mesh::Index room = (mesh::Index{64} << 20) / sizeof(double), least = 1024;
  return std::max<mesh::Index>(1, room / numbers / least) * least;
}

}  // namespace

void upload_metric(ElementSet& set, device::Device& device, const Spec& spec, const mesh::Mesh& mesh, int number,
                   const Operators& operators) {
  const mesh::ElementBlock& block = mesh.blocks[static_cast<std::size_t>(number)];
  MetricArrays arrays(device, spec.precision, set.blocks);
  const MetricParts parts = add_all(arrays, set, spec, mesh, block);
  if (!device.stores()) return;
  Phase phase("metric terms");
  set.diameters.clear();
  set.diameters.reserve(static_cast<std::size_t>(block.size()));
  in_large_pieces(block.size(), elements_at_a_time(operators, parts), [&](mesh::Index begin, mesh::Index end) {
    std::vector<mesh::Index> positions(static_cast<std::size_t>(end - begin));
    std::iota(positions.begin(), positions.end(), begin);
    const Metric metric = make_metric(mesh, number, operators, positions, parts);
    arrays.fill({begin, end, metric});
    set.diameters.insert(set.diameters.end(), metric.diameters.begin(), metric.diameters.end());
    for (std::size_t k = 0; k < metric.means.size(); k += static_cast<std::size_t>(operators.modes))
      set.measure.add(metric.means[k] / set.operators.volume_basis(0, 0));
    phase.did(static_cast<double>(end) / static_cast<double>(block.size()));
  });
}

}  // namespace galerna::dg
