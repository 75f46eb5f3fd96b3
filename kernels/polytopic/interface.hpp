/// \file
/// The two blocks of the matrix that an interface between two polytopes has.
#pragma once

#include "kernels/polytopic/batches.hpp"
#include "kernels/polytopic/product.hpp"

namespace galerna::kernels::polytopic {

/// One of the two polytopes.
template <class L>
struct InterfaceSide {
  ModeValues<L> modes;
  Points<L> points;
};

/// Team memory of `interface`.
template <class L>
struct InterfaceWork {
  InterfaceSide<L> first, second;
  PointValues<L> fluxes[2][L::modes];
  Lines<L> lines;
  FacetPoints<L> facet;
  Sum<L> block[L::staged ? L::modes * L::modes : 1];
  Sum<L> flow[L::on_host && L::flows ? L::modes * L::modes : 1];  ///< by which the blocks differ
};

/// Batch of the points on the interface's facets, seen from both sides; normals point out of the first.
template <class L, class Arguments>
int interface_points(InterfaceWork<L>& w, const Arguments& a, std::int64_t interface, const Box<L>& first_box,
                     const Box<L>& second_box, const Times<L>& times, std::int64_t first) {
  constexpr int d = L::dimension;
  using V = typename L::Value;
  const std::int64_t begin = a.mesh.first_facets[interface], facets = a.mesh.first_facets[interface + 1] - begin;
  const auto corners = [&](std::int64_t i) { return a.mesh.facets + (begin + i) * (d + 1) * d; };
  const auto measure = [&](std::int64_t i) { return a.mesh.facet_measures[begin + i]; };
  return points_in<d>(w.facet.points, first_box, a.facet, times, facets, first, corners, measure,
                      [&](int q, std::int64_t i, const auto& x, double t) {
                        locate(w.second.points, second_box, q, x, t);
                        for (int k = 0; k < d; ++k)
                          store_lanes<V>(&w.facet.normal[k][q], number<V>(corners(i)[d * d + k]));
                        store_lanes<V>(&w.facet.penalty[q], number<V>(a.penalty ? a.penalty[begin + i] : 0));
                        store_lanes<V>(&w.facet.inner[q], V(1));
                      });
}

template <class L, class Arguments>
std::int64_t interface_point_count(const Arguments& a, std::int64_t interface, const Times<L>& times) {
  return (a.mesh.first_facets[interface + 1] - a.mesh.first_facets[interface]) * a.facet.count * times.count();
}

/// Modes of both sides with the normal flux (normal of the first) in place of the first derivative.
template <class Config, class L>
void evaluate_sides(InterfaceWork<L>& w, const Box<L>& first_box, const Box<L>& second_box, int count) {
  evaluate_lines(w.lines, w.facet.points, first_box, count);
  evaluate_modes<Config>(w.first.modes, w.lines, count);
  evaluate_lines(w.lines, w.second.points, second_box, count);
  evaluate_modes<Config>(w.second.modes, w.lines, count);
  evaluate_conormals<Config>(w.facet, inside_step<L>(first_box), count);
  form_normal_fluxes(w.first.modes, w.facet, count);
  evaluate_conormals<Config>(w.facet, -inside_step<L>(second_box), count);
  form_normal_fluxes(w.second.modes, w.facet, count);
}

/// body(count) for each batch of the interface's points, with the modes and normal fluxes of both sides evaluated.
template <class Config, class L, class Body>
void for_each_interface_batch(InterfaceWork<L>& w, const PolytopicArguments& a, std::int64_t interface,
                              const Box<L>& first_box, const Box<L>& second_box, const Body& body) {
  const Times<L> times(a);
  const std::int64_t all = interface_point_count<L>(a, interface, times);
  for (std::int64_t first = 0; first < all; first += L::batch) {
    const int count = interface_points(w, a, interface, first_box, second_box, times, first);
    evaluate_sides<Config>(w, first_box, second_box, count);
    body(count);
  }
}

/// Part 0: −(σ + max(±b·n, 0)) ψ − ½ n·a∇ψ; part 1: ½ ψ, to go with φ and n·a∇φ of the other side; with weights.
/// \param side +1: the flow is taken where it comes from the other side, b·n < 0; −1: where b·n > 0
template <class L>
void form_interface_fluxes(InterfaceWork<L>& w, int side, int count) {
  using V = typename L::Value;
  share_points<L>(L::modes, count, [&](int j, int q) {
    const V value = load_lanes<V>(&w.second.modes.part[0][j][q]), flux = load_lanes<V>(&w.second.modes.part[1][j][q]);
    const V weight = load_lanes<V>(&w.facet.points.weight[q]), speed = load_lanes<V>(&w.facet.speed[q]);
    const V entering = number<V>(-side) * speed;
    const V inflow = select(entering > V(0), entering, V(0));
    const V half = number<V>(0.5);
    store_lanes<V>(&w.fluxes[0][j][q], -weight * ((load_lanes<V>(&w.facet.penalty[q]) + inflow) * value + half * flux));
    store_lanes<V>(&w.fluxes[1][j][q], weight * half * value);
  });
}

/// −b·n ψ, which the block of the second polytope has beside what that of the first has, to go with φ.
template <class L>
void form_flow(InterfaceWork<L>& w, int count) {
  using V = typename L::Value;
  share_points<L>(L::modes, count, [&](int j, int q) {
    const V flow = load_lanes<V>(&w.facet.points.weight[q]) * load_lanes<V>(&w.facet.speed[q]);
    store_lanes<V>(&w.fluxes[0][j][q], -flow * load_lanes<V>(&w.second.modes.part[0][j][q]));
  });
}

/// Sums of one of the blocks, (first, second) or, transposed, (second, first), over all points; on the CPU with what
/// the other one has beside.
template <class Config, class L>
void integrate_interface(InterfaceWork<L>& w, const PolytopicArguments& a, std::int64_t interface,
                         const Box<L>& first_box, const Box<L>& second_box, int side) {
  constexpr bool with_flow = L::on_host && Config::Data::moves;
  set_to_zero<L>(w.block, L::modes * L::modes);
  if constexpr (with_flow) set_to_zero<L>(w.flow, L::modes * L::modes);
  for_each_interface_batch<Config>(w, a, interface, first_box, second_box, [&](int count) {
    form_interface_fluxes(w, side, count);
    add_products<L, false>(w.first.modes.part, w.fluxes, 2, count, into<L>(w.block));
    if constexpr (!with_flow) return;
    form_flow(w, count);
    add_products<L, false>(w.first.modes.part, w.fluxes, 1, count, into<L>(w.flow));
  });
}

/// f(i, j) for the entries of a block.
template <class L, class F>
void for_each_entry(int rows, int columns, const F& f) {
  if constexpr (L::on_host) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) f(i, j);
  } else {
    share<L>(rows * columns, [&](int k) { f(k / columns, k % columns); });
  }
}

/// The blocks of interface list[item], for the larger of the degrees of its sides. Without flow one is the other's
/// transpose; with it they differ in the upwind terms only.
template <class Config, int degree>
void interface(const PolytopicArguments& a, std::int64_t item) {
  using L = Layout<Config, degree>;
  using Real = typename L::Real;
#ifdef __CUDACC_RTC__
  __shared__ InterfaceWork<L> w;
#else
  InterfaceWork<L> w;
#endif
  const std::int64_t interface = a.list[item];
  const std::int64_t first = a.mesh.interfaces[interface * 2], second = a.mesh.interfaces[interface * 2 + 1];
  const Box<L> first_box(a, first), second_box(a, second);
  const int rows = modes_of_degree<Config>(a.mesh.degrees[first]),
            columns = modes_of_degree<Config>(a.mesh.degrees[second]);
  Real* values = static_cast<Real*>(a.values);
  Real* upper = values + a.interface_blocks[interface * 2];
  Real* lower = values + a.interface_blocks[interface * 2 + 1];
  integrate_interface<Config>(w, a, interface, first_box, second_box, 1);
  for_each_entry<L>(rows, columns, [&](int i, int j) {
    const Real sum = total<L>(w.block[i * L::modes + j]);
    upper[i * columns + j] = sum;
    if constexpr (!Config::Data::moves) lower[j * rows + i] = sum;
    if constexpr (Config::Data::moves && L::on_host) lower[j * rows + i] = sum + total<L>(w.flow[i * L::modes + j]);
  });
  if constexpr (Config::Data::moves && !L::on_host) {
    integrate_interface<Config>(w, a, interface, first_box, second_box, -1);
    for_each_entry<L>(rows, columns, [&](int i, int j) { lower[j * rows + i] = total<L>(w.block[i * L::modes + j]); });
  }
}

}  // namespace galerna::kernels::polytopic
