#include <fmt/format.h>

#include "dg/rows/conditions.hpp"
#include "dg/rows/element_parts.hpp"
#include "dg/rows/fragments.hpp"
#include "dg/rows/rows.hpp"
#include "dg/rows/warp_block.hpp"
#include "dg/set_plan.hpp"
#include "kernels/tile/viscous_warp_sizes.hpp"

namespace galerna::dg {
namespace {

using namespace conditions;

using basis::Matrix;

// Without warps where elements do not fit; of the residual and of the fluxes at sides.
WarpBlock viscous_warp_tile(const Operators& o, int variables, bool curved) {
  const kernels::ViscousWarpSizes sizes{element_counts(o, variables), curved};
  return sizes.fit() ? largest_block(sizes.numbers_in_shared(sizes.residual_numbers()), sizes.warp_numbers(), 8)
                     : WarpBlock{};
}

WarpBlock viscous_warp_fluxes(const Operators& o, int variables, bool curved) {
  const kernels::ViscousWarpSizes sizes{element_counts(o, variables), curved};
  const int most = curved ? 8 : 12;  // measured on an H100
  return sizes.fit() ? largest_block(sizes.numbers_in_shared(sizes.flux_numbers()), sizes.warp_numbers(), most)
                     : WarpBlock{};
}

WarpBlock viscous_warp_tile_of(const KernelRequest& request) {
  return viscous_warp_tile(request.operators, request.spec.variable_count(), request.structure.tile_metric);
}

WarpBlock viscous_warp_fluxes_of(const KernelRequest& request) {
  return viscous_warp_fluxes(request.operators, request.spec.variable_count(), request.structure.tile_metric);
}

constexpr const char* pairs_of_points =
    "an even number of points on a side, a multiple of eight on all of them, and two warps that fit into the shared "
    "memory of a multiprocessor";
template <bool curved>
bool viscous_warps_fit(const Elements& elements, const Spec& spec, const device::Target&) {
  const int variables = spec.variable_count();
  return viscous_warp_tile(elements.operators, variables, curved).warps > 0 &&
         viscous_warp_fluxes(elements.operators, variables, curved).warps > 0;
}
constexpr Condition room_for_viscous_warps = {pairs_of_points, viscous_warps_fit<false>},
                    room_for_curved_viscous_warps = {pairs_of_points, viscous_warps_fit<true>};

std::vector<Entry> viscous_warp_entries(const KernelRequest& request) {
  std::vector<Entry> entries = {group_entry(request, "traces", "element_traces<Config>"),
                                warp_entry("viscous", "warp_viscous<Config>", viscous_warp_fluxes_of(request))};
  add_warp_residuals(entries, request, "viscous_warp_residual", viscous_warp_tile_of(request));
  return entries;
}

std::vector<std::string> viscous_warp_members(const KernelRequest& request) {
  return {tile_member(viscous_warp_tile_of(request).warps * 8),
          fmt::format("static constexpr int viscous_warps = {};", viscous_warp_fluxes_of(request).warps)};
}

device::Range range_of_viscous_warps(const LaunchRequest& launch) {
  return range_of_warps(launch, viscous_warp_tile(launch.plan.operators, launch.spec.variable_count(),
                                                  launch.plan.structure->tile_metric));
}

device::Range viscous_range_of_warps(const LaunchRequest& launch) {
  return range_of_warps(launch, viscous_warp_fluxes(launch.plan.operators, launch.spec.variable_count(),
                                                    launch.plan.structure->tile_metric));
}

/// Rows of side points, each side's by itself in fours from one that begins at a multiple of four; zeros between.
Matrix in_fours_of_sides(const Matrix& rows, const kernels::ViscousWarpSizes& sizes) {
  Matrix result = Matrix::Zero(4 * sizes.side_fours(), rows.cols());
  int at = 0;
  for (int side = 0; side < sizes.side_count; ++side)
    for (int row = 4 * sizes.first_four(side); row < 4 * (sizes.last_four(side) + 1); ++row, ++at)
      if (row / sizes.side_point_count == side) result.row(at) = rows.row(row);
  return result;
}

/// What jumps u⁺ − u⁻ at the points of all sides lift at their own side, over ds/|J|: [point][point], zeros between
/// sides.
Matrix lift_to_sides(const Matrix& values, const Matrix& lift, const Operators& o) {
  const int q = o.side.size();
  Matrix result = Matrix::Zero(values.rows(), values.rows());
  for (int first = 0; first < values.rows(); first += q)
    result.block(first, first, q, q) = 0.5 * values.middleRows(first, q) * lift.middleRows(first, q).transpose();
  return result;
}

/// What kernels/tile/viscous_warp_tile.hpp takes for the gradients at volume points of straight elements: [direction]:
/// [point][mode], derivatives but for the jumps' part that comes from outside; that part, [side point][point].
std::pair<std::vector<Matrix>, Matrix> volume_gradients(const Matrix& values, const Matrix& lift, const Operators& o) {
  const Matrix lifted = 0.25 * lift * o.volume_basis.transpose();  // |N| is ½
  const int q = o.side.size();
  std::vector<Matrix> derivatives;
  for (int d = 0; d < dimension(o.shape); ++d) {
    const Matrix derivative = basis::basis_derivatives(o.shape, o.degree, o.volume.points, d);
    const auto part = [&](int side) {
      return lifted.middleRows(side * q, q).transpose() * values.middleRows(side * q, q);
    };
    derivatives.push_back(derivative - part(0) + part(d + 1));
  }
  Matrix signed_lift = -lifted;
  signed_lift.topRows(q) *= -1;
  return {derivatives, signed_lift};
}

/// ∂φ_j/∂ξ_d at the points of all sides.
Matrix side_derivatives(const Operators& o, int d) {
  const int q = o.side.size();
  Matrix result(o.sides() * q, o.modes);
  for (int side = 0; side < o.sides(); ++side)
    result.middleRows(side * q, q) =
        basis::basis_derivatives(o.shape, o.degree, basis::side_points(o.shape, side, o.side.points), d);
  return result;
}

/// Operators of the residual, then those of the fluxes at sides.
std::vector<double> viscous_warp_operators(const Operators& o) {
  const kernels::ViscousWarpSizes sizes{element_counts(o, 1), false};
  const auto [values, lift] = side_matrices(o);
  const auto [derivatives, point_lift] = volume_gradients(values, lift, o);
  std::vector<double> result;
  append_in_columns(result, o.volume_basis.transpose(), 0);
  for (const Matrix& derivative : derivatives) append_in_columns(result, derivative.transpose(), -1);
  append_in_fours(result, in_fours_of_sides(point_lift, sizes), -1);
  for (const Matrix& derivative : o.weighted_derivatives) append_in_columns(result, derivative, -1);
  append_in_columns(result, values.transpose(), 0);
  append_in_columns(result, lift, -1);

  const Matrix to_sides = lift_to_sides(values, lift, o);
  append_in_columns(result, values.transpose(), 0);
  append_in_columns(result, -(to_sides * values).transpose(), -1);
  for (int d = 0; d < dimension(o.shape); ++d) append_in_columns(result, side_derivatives(o, d).transpose(), -1);
  for (int n = 0; n < sizes.trace_points().eights(); ++n) {
    const int first = sizes.first_four_at(n), last = sizes.last_four_at(n);
    append_in_fours(result, to_sides.block(8 * n, 4 * first, 8, 4 * (last - first + 1)).transpose(), -1);
  }
  return result;
}

std::vector<double> curved_viscous_warp_operators(const Operators& o) {
  const kernels::ViscousWarpSizes sizes{element_counts(o, 1), true};
  const auto [values, lift] = side_matrices(o);
  const Matrix point_lift = 0.5 * lift * o.volume_basis.transpose();
  std::vector<double> result;
  append_in_columns(result, o.volume_basis.transpose(), 0);
  for (int d = 0; d < dimension(o.shape); ++d)
    append_in_columns(result, basis::basis_derivatives(o.shape, o.degree, o.volume.points, d).transpose(), -1);
  append_in_columns(result, point_lift, -1);
  for (const Matrix& derivative : o.weighted_derivatives) append_in_columns(result, derivative, -1);
  append_in_columns(result, values.transpose(), 0);
  append_in_columns(result, lift, -1);
  append_in_columns(result, weighted_values(o), -1);

  const Matrix to_sides = lift_to_sides(values, lift, o);
  append_in_columns(result, values.transpose(), 0);
  for (int d = 0; d < dimension(o.shape); ++d) append_in_columns(result, side_derivatives(o, d).transpose(), -1);
  for (int n = 0; n < sizes.trace_points().eights(); ++n) {
    const int first = sizes.first_eight_at(n), last = sizes.last_eight_at(n);
    append_in_columns(result, to_sides.block(8 * n, 8 * first, 8, 8 * (last - first + 1)).transpose(), -1);
  }
  return result;
}

}  // namespace

Structure viscous_warp_tiles() {
  Structure row = as_element();
  row.name = "viscous-warp-tiles";
  row.what =
      "As `warp-tiles`, with one kernel more for the viscous fluxes at sides. What jumps add to gradients is a product "
      "with the states beyond the sides, and one with the modes that is part of the derivative's "
      "(`kernels/tile/viscous_warp_residual.hpp`).";
  row.measured = "H200, orders 2 and 3: 13.5 and 11.1 GDOF/s, `element` 4.9 and 1.6";
  row.needs = {gpu,       straight_tetrahedra, viscous,      no_shock_viscosity,    matrix_units,
               no_source, in_double,           from_order_2, room_for_viscous_warps};
  row.headers_beside = {"kernels/tile/viscous_warp_residual.hpp"};
  row.entries = viscous_warp_entries;
  row.members = viscous_warp_members;
  row.residual_range = range_of_viscous_warps;
  row.viscous_range = viscous_range_of_warps;
  row.products = viscous_warp_operators;
  return row;
}

Structure curved_viscous_warp_tiles() {
  Structure row = viscous_warp_tiles();
  row.name = "curved-viscous-warp-tiles";
  row.what =
      "As `viscous-warp-tiles`, with metric terms at points as `curved-warp-tiles` takes them. Jumps at points take "
      "the "
      "place of the states beyond sides; their products with normals are lifted, one for each direction "
      "(`kernels/tile/viscous_warp_tile.hpp`).";
  row.measured = "H100, orders 2 and 3: 6.4 and 6.8 GDOF/s, `element` 1.0 at order 2";
  row.needs = {gpu,       curved_tetrahedra, viscous,      no_shock_viscosity,           matrix_units,
               no_source, in_double,         from_order_2, room_for_curved_viscous_warps};
  row.tile_metric = true;
  row.products = curved_viscous_warp_operators;
  return row;
}

}  // namespace galerna::dg
