#include "dg/run/shock_viscosity.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/vectors.hpp"
#include "dg/run/make_cut_exchange.hpp"

namespace galerna::dg {
namespace {

/// Numbers from 0 on of a mesh's vertices, the same for periodic images. [node]; −1 for nodes that are no corners.
struct VertexNumbers {
  std::vector<std::int32_t> of_node;
  std::int32_t count = 0;

  explicit VertexNumbers(const mesh::Mesh& mesh) : of_node(mesh.nodes.size(), -1) {
    for_each_corner(mesh, [&](std::int64_t, mesh::Index node) {
      std::int32_t& number = of_node[static_cast<std::size_t>(node)];
      if (number < 0) number = count++;
    });
  }

  /// Calls visit(element, node or its image) for the corners of all elements.
  template <class Visit>
  static void for_each_corner(const mesh::Mesh& mesh, const Visit& visit) {
    std::int64_t element = 0;
    for (const mesh::ElementBlock& block : mesh.blocks)
      for (mesh::Index k = 0; k < block.size(); ++k, ++element)
        for (int corner = 0; corner < corner_count(block.shape); ++corner) {
          const mesh::Index node = block.nodes[static_cast<std::size_t>(k * block.nodes_per_element() + corner)];
          visit(element, mesh.image.empty() ? node : mesh.image[static_cast<std::size_t>(node)]);
        }
  }
};

/// Of a flat side; by its diagonals, if it has four corners.
double area(const mesh::Mesh& mesh, const mesh::ElementBlock& block, mesh::Index position, int side) {
  std::array<Vector, 4> corners;
  const auto local = side_corners(block.shape, side);
  for (std::size_t c = 0; c < local.size(); ++c)
    corners[c] = mesh.nodes[static_cast<std::size_t>(
        block.nodes[static_cast<std::size_t>(position * block.nodes_per_element() + local[c])])];
  return norm(cross(minus(corners[2], corners[0]), minus(corners[local.size() - 1], corners[1]))) / 2;
}

/// 6 V/S of a solid over 4 V/S', at least 1, where S' is the surface without the ends of prisms, or without the
/// smallest pair of opposite sides of hexahedra: 4 V/S' is the diameter 4 A/P of the cross-section of elements that are
/// extruded.
double excess_of_diameter(const mesh::Mesh& mesh, const mesh::ElementBlock& block, mesh::Index position) {
  double surface = 0, ends = 0;
  std::array<double, 3> pairs = {};
  for (int side = 0; side < side_count(block.shape); ++side) {
    const double own = area(mesh, block, position, side);
    surface += own;
    if (block.shape == Shape::hexahedron)
      pairs[static_cast<std::size_t>(std::min(side, 5 - side))] += own;
    else if (side_corners(block.shape, side).size() == 3)
      ends += own;
  }
  if (block.shape == Shape::hexahedron) ends = *std::min_element(pairs.begin(), pairs.end());
  return std::max(1.0, 1.5 * (surface - ends) / surface);
}

/// [element of a set] the length h of ε: the same of elements in the plane and of those that are extruded from them.
std::vector<double> lengths_of(const mesh::Mesh& mesh, const ElementSet& set, const mesh::ElementBlock& block) {
  std::vector<double> lengths = set.diameters;
  if (block.shape == Shape::prism || block.shape == Shape::hexahedron)
    for (std::size_t e = 0; e < lengths.size(); ++e)
      lengths[e] /= excess_of_diameter(mesh, block, static_cast<mesh::Index>(e));
  return lengths;
}

template <class Real>
void write_as(device::Device& device, device::Memory& memory, const std::vector<double>& values) {
  const std::vector<Real> numbers(values.begin(), values.end());
  device.write(memory, numbers.data(), numbers.size() * sizeof(Real));
}

}  // namespace

ShockViscosity::ShockViscosity(device::Launcher& launcher, const mesh::Mesh& mesh, const Spec& spec,
                               std::vector<ElementSet>& sets, const FaceSets& faces, const StateArrays& states,
                               kernels::Control* control, const Ranks* ranks, const Overlap& overlap)
    : launcher_(launcher),
      spec_(spec),
      sets_(sets),
      control_(control),
      summaries_(launcher, mesh, spec, sets, faces, states, control, ranks, overlap, true) {
  device::Device& device = launcher.device();
  const std::string purpose = "artificial viscosity";
  std::int64_t elements = 0;
  for (ElementSet& set : sets_) {
    first_.push_back(elements);
    elements += set.blocks.padded();
    const std::int64_t corners = set.blocks.padded() * corner_count(set.operators.shape);
    set.corner_viscosity =
        allocate_cleared(device, purpose, static_cast<std::size_t>(corners * bytes_of(spec.precision)));
    const mesh::ElementBlock& block = mesh.blocks[lengths_.size()];
    lengths_.push_back(upload_blocked(device, "lengths, for artificial viscosity", spec.precision, set.blocks, 1,
                                      [&] { return lengths_of(mesh, set, block); }));
  }
  const mesh::Mesh& seen = ranks ? ranks->part.with_ghosts->mesh : mesh;
  for (std::size_t b = 0; b < sets_.size(); ++b)
    for (mesh::Index k = 0; k < seen.blocks[b].size(); ++k)
      places_.push_back(static_cast<std::int32_t>(k < sets_[b].blocks.items ? first_[b] + k : elements++));
  of_elements_ = allocate_cleared(device, purpose, static_cast<std::size_t>(elements * bytes_of(spec.precision)));
  make_vertices(seen);
  if (ranks) make_exchange(ranks->part.with_ghosts->links, *ranks);
  of_vertices_ =
      allocate_cleared(device, purpose, static_cast<std::size_t>(vertices_.padded() * bytes_of(spec.precision)));
}

/// Which elements meet at a vertex, and which vertices an element has.
void ShockViscosity::make_vertices(const mesh::Mesh& mesh) {
  device::Device& device = launcher_.device();
  const VertexNumbers numbers(mesh);
  vertices_ = make_blocks(numbers.count, device, spec_.precision);
  std::vector<std::int32_t> first(static_cast<std::size_t>(vertices_.padded()) + 1, 0);
  std::vector<std::int32_t> at_corners;  // [element][corner]
  VertexNumbers::for_each_corner(mesh, [&](std::int64_t, mesh::Index node) {
    at_corners.push_back(numbers.of_node[static_cast<std::size_t>(node)]);
    first[static_cast<std::size_t>(at_corners.back()) + 1] += 1;
  });
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::int32_t> around(at_corners.size()), next(first);
  std::size_t corner = 0;
  VertexNumbers::for_each_corner(mesh, [&](std::int64_t element, mesh::Index) {
    const auto vertex = static_cast<std::size_t>(at_corners[corner++]);
    around[static_cast<std::size_t>(next[vertex]++)] = places_[static_cast<std::size_t>(element)];
  });
  const std::string purpose = "vertices, for artificial viscosity";
  first_around_ = upload(device, purpose, first);
  around_ = upload(device, purpose, around);
  auto from = at_corners.begin();
  for (const ElementSet& of : sets_) {
    const int corners = corner_count(of.operators.shape);
    const std::vector<std::int32_t> own(from, from + of.blocks.items * corners);
    from += mesh.blocks[corners_.size()].size() * corners;
    corners_.push_back(
        upload_integers(device, purpose, of.blocks, corners, [&] { return padded(of.blocks, own, corners); }));
  }
}

void ShockViscosity::make_exchange(const std::vector<mesh::MeshPart::Link>& links, const Ranks& ranks) {
  std::vector<CutNeighbour> neighbours;
  for (const mesh::MeshPart::Link& link : links) {
    CutPiece& piece = piece_of(neighbours, link.rank, 0);
    piece.numbers = 1;
    for (const mesh::Index element : link.send) piece.send.push_back(places_[static_cast<std::size_t>(element)]);
    for (const mesh::Index copy : link.receive) piece.receive.push_back(places_[static_cast<std::size_t>(copy)]);
  }
  exchange_ = make_cut_exchange(launcher_, ranks.team, spec_.precision, std::move(neighbours));
}

void ShockViscosity::find(device::Memory& state) const {
  const device::Kind kind = launcher_.device().kind();
  summaries_.sense(state, 0);
  launcher_.concurrently(sets_.size(), [&](std::size_t b) {
    const ElementSet& set = sets_[b];
    if (spec_.limiter->newton)
      launcher_.launch("near_vacuum" + set.label, shared_range_of(set.blocks, kind, spec_.variable_count()),
                       summaries_.arguments(state, b));
    char* own = static_cast<char*>(address(of_elements_)) + first_[b] * bytes_of(spec_.precision);
    launcher_.launch(
        "element_viscosity" + set.label, range_of(set.blocks, kind),
        kernels::ElementViscosityArguments{summaries_.arguments(state, b).own, address(lengths_[b]), own, control_});
  });
  spread(control_);
}

void ShockViscosity::spread(const kernels::Control* control) const {
  const device::Kind kind = launcher_.device().kind();
  if (exchange_) exchange_->exchange({address(of_elements_)});
  launcher_.launch("vertex_viscosity" + sets_.front().label, range_of(vertices_, kind),
                   kernels::VertexViscosityArguments{
                       address(of_elements_), static_cast<const std::int32_t*>(address(first_around_)),
                       static_cast<const std::int32_t*>(address(around_)), address(of_vertices_), control});
  launcher_.concurrently(sets_.size(), [&](std::size_t b) {
    const ElementSet& set = sets_[b];
    launcher_.launch(
        "corner_viscosity" + set.label, range_of(set.blocks, kind),
        kernels::CornerViscosityArguments{address(of_vertices_), static_cast<const std::int32_t*>(address(corners_[b])),
                                          address(set.corner_viscosity), control});
  });
}

std::vector<double> ShockViscosity::values() const {
  const std::vector<double> all = read_reals(launcher_.device(), *of_elements_, spec_.precision);
  std::vector<double> values;
  for (std::size_t b = 0; b < sets_.size(); ++b) append_numbers(values, all, first_[b], sets_[b].blocks, 1, 0);
  return values;
}

void ShockViscosity::restore(const std::vector<double>& values) const {
  std::vector<double> all(of_elements_->bytes() / static_cast<std::size_t>(bytes_of(spec_.precision)));
  auto from = values.begin();
  for (std::size_t b = 0; b < sets_.size(); ++b) {
    std::copy(from, from + sets_[b].blocks.items, all.begin() + first_[b]);
    from += sets_[b].blocks.items;
  }
  if (spec_.precision == device::Precision::double_precision)
    write_as<double>(launcher_.device(), *of_elements_, all);
  else
    write_as<float>(launcher_.device(), *of_elements_, all);
  spread(nullptr);
  launcher_.device().synchronize();
}

double ShockViscosity::share() const {
  std::int64_t found = 0, elements = 0;
  for (const ElementSet& set : sets_) {
    const std::vector<double> corners = read_reals(launcher_.device(), *set.corner_viscosity, spec_.precision);
    const auto lanes = static_cast<std::size_t>(set.blocks.lanes);
    const std::size_t numbers = static_cast<std::size_t>(corner_count(set.operators.shape)) * lanes;
    for (std::int64_t k = 0; k < set.blocks.items; ++k) {
      const std::size_t first = static_cast<std::size_t>(k) / lanes * numbers + static_cast<std::size_t>(k) % lanes;
      bool viscous = false;
      for (std::size_t at = 0; at < numbers; at += lanes) viscous = viscous || corners[first + at] > 0;
      found += viscous ? 1 : 0;
    }
    elements += set.blocks.items;
  }
  return static_cast<double>(found) / static_cast<double>(std::max<std::int64_t>(elements, 1));
}

}  // namespace galerna::dg
