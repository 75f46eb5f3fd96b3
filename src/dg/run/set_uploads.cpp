#include "dg/run/set_uploads.hpp"

#include <algorithm>

#include "base/exact_sum.hpp"
#include "dg/geometry/geometry.hpp"
#include "dg/geometry/metric_uploads.hpp"
#include "dg/sides/tile_connectivity.hpp"

namespace galerna::dg {
namespace {

void upload_side_basis(ElementSet& set, device::Device& device, const Spec& spec, const std::string& purpose) {
  std::vector<double> side_basis;
  for (const basis::Matrix& m : set.operators.side_basis)
    side_basis.insert(side_basis.end(), m.data(), m.data() + m.size());
  set.side_basis = upload_numbers(device, purpose, spec.precision, side_basis);
}

/// Fills the arrays of straight simplices piece by piece: the host never has those of all elements.
void write_simplices(ElementSet& set, device::Device& device, device::Precision precision, const mesh::Mesh& mesh) {
  constexpr mesh::Index most = mesh::Index{1} << 20;  // of whole blocks
  const mesh::Index all = set.blocks.items, d = mesh.dimension;
  set.diameters.clear();
  set.diameters.reserve(static_cast<std::size_t>(all));
  for (mesh::Index begin = 0; begin < all; begin += most) {
    const mesh::Index end = std::min(begin + most, all), first = begin / set.blocks.lanes;
    Geometry piece = make_geometry(mesh, begin, end);
    Blocks blocks = {end - begin, (end == all ? set.blocks.count : end / set.blocks.lanes) - first, set.blocks.lanes};
    const auto write = [&](device::Memory& to, const std::vector<double>& values, std::int64_t n) {
      write_blocked(device, precision, blocks, values, n, to, 1,
                    static_cast<std::size_t>(begin * n * bytes_of(precision)));
    };
    write(*set.gradients, piece.gradients, d * d);
    write(*set.diameters_array, piece.diameters, 1);
    set.diameters.insert(set.diameters.end(), piece.diameters.begin(), piece.diameters.end());
    for (double determinant : piece.determinants) set.measure.add(determinant * reference_measure(set.operators.shape));
    // Padding lanes repeat the last element but count for nothing in integrals: their determinant is zero.
    blocks.items = blocks.padded();
    piece.determinants.resize(static_cast<std::size_t>(blocks.items), 0.0);
    write(*set.determinants, piece.determinants, 1);
  }
}

}  // namespace

void upload_simplices(ElementSet& set, device::Device& device, const Spec& spec, const mesh::Mesh& mesh) {
  const auto allocate = [&](const char* purpose, std::int64_t n) {
    return device.allocate(static_cast<std::size_t>(set.blocks.padded() * n * bytes_of(spec.precision)), purpose);
  };
  set.gradients = allocate("gradients of barycentric coordinates", mesh.dimension * mesh.dimension);
  set.diameters_array = allocate("diameters", 1);
  if (spec.has_source()) upload_nodes(set, device, spec.precision, mesh, mesh.blocks[0]);
  set.determinants = allocate("determinants", 1);
  if (device.stores()) write_simplices(set, device, spec.precision, mesh);
  upload_side_basis(set, device, spec, "tables");
}

void upload_elements(ElementSet& set, device::Device& device, const Spec& spec, const mesh::Mesh& mesh, int block) {
  // Where metric terms are constant, or computed by the kernels, one point tells what is needed of them; on the warped
  // sides of hexahedra their own, and for the means that limiters weigh with all.
  const Shape shape = set.operators.shape;
  const bool trilinear = set.map == ElementMap::trilinear, at_points = set.map == ElementMap::curved,
             weighs = spec.limiter && set.map != ElementMap::affine;
  const Operators operators = at_points || weighs ? set.operators
                              : trilinear         ? make_operators(shape, 0, 0, set.operators.side.degree)
                                                  : make_operators(shape, 0);
  upload_metric(set, device, spec, mesh, block, operators);
  if (set.structure->simplices)
    upload_side_basis(set, device, spec, "edges of sets of triangles");
  else if (set.structure->products)
    set.products = upload(device, "operators of tiles", set.structure->products(set.operators));
  if (spec.has_source()) upload_nodes(set, device, spec.precision, mesh, mesh.blocks[static_cast<std::size_t>(block)]);
}

kernels::ElementSetArrays arrays_of(const ElementSet& set) {
  kernels::ElementSetArrays a{};
  a.contravariant = address(set.contravariant);
  a.inverse = address(set.inverse);
  a.normals = address(set.normals);
  a.means = address(set.means);
  a.nodes = address(set.nodes);
  a.beyond = static_cast<const std::int32_t*>(address(set.neighbours));
  a.elements = set.blocks.items;
  a.side_gradients = address(set.side_gradients);
  a.corner_viscosity = address(set.corner_viscosity);
  a.corrections = address(set.corrections);
  a.tile_metric = static_cast<const double*>(address(set.tile_metric));
  return a;
}

const void* gradients_of(const ElementSet& set) {
  return address(set.gradients ? set.gradients : set.contravariant);  // ∂ξ_d/∂x_k = ∂λ_{d+1}/∂x_k
}

TileArrays upload_tiles(ElementSet& set, device::Device& device, const Spec& spec,
                        const std::vector<std::int32_t>& codes) {
  const int sides = set.operators.sides(), points = set.operators.side.size(), elements = set.structure->tile;
  const Tiles tiles = make_tiles(codes, set.blocks.padded(), elements, sides);
  TileArrays arrays;
  const std::vector<double> fragments = set.structure->products(set.operators);
  arrays.operators = upload(device, "operators of tiles", fragments);
  arrays.neighbours = upload(device, "connectivity of tiles", tiles.neighbours);
  arrays.codes = upload(device, "connectivity of tiles", tiles.codes);
  arrays.arguments.operators = static_cast<const double*>(arrays.operators->address());
  arrays.arguments.neighbours = static_cast<const std::int32_t*>(arrays.neighbours->address());
  arrays.arguments.codes = static_cast<const std::int32_t*>(arrays.codes->address());
  arrays.arguments.count = tiles.count;
  arrays.arguments.outside = tiles.outside;
  arrays.arguments.columns = tiles.columns;
  // kernels/tile/residual.hpp, TileMemory: operators, and twice traces, normals and neighbours
  const int pairs = (spec.variable_count() + 1) / 2, numbers = static_cast<int>(fragments.size());
  const auto even = [](int n) { return n + n % 2; };
  set.residual_range.shared_bytes =
      even(numbers) * 8 +
      2 * (pairs * sides * points * tiles.columns * 16 +
           even(sides * (dimension(set.operators.shape) + 1) * elements) * 8 + sides * elements * 4);
  return arrays;
}

}  // namespace galerna::dg
