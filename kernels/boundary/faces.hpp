/// \file
/// A block of boundary faces: where its points lie, and the states inside.
#pragma once

#include "kernels/boundary/condition.hpp"
#include "kernels/residual.hpp"
#include "kernels/side_sum.hpp"

namespace galerna::kernels {

/// On GPUs so many threads share a boundary face in space, or few faces of many points would take longer than all the
/// elements: thread k has the points k, k + threads, …
template <class Config>
constexpr int face_threads() {
#ifdef __CUDACC_RTC__
  return threads_per_face(Config::Equations::dimension, Config::stored_traces);
#else
  return 1;
#endif
}

/// The first point of a face that a thread has.
template <class Config>
int first_point(const Item& item) {
  return face_threads<Config>() == 1 ? 0 : item.thread;
}

/// Over the threads of a face.
template <class Config>
State<Config> sum_of_face(State<Config> sum) {
#ifdef __CUDACC_RTC__
#pragma unroll
  for (int v = 0; v < sum.size(); ++v) sum[v] = side_sum<face_threads<Config>()>(sum[v]);
#endif
  return sum;
}

/// Point q of a block of boundary faces; `length` is ds.
template <class Config>
struct BoundaryPoint {
  using V = typename Config::Value;
  using Real = typename Config::Real;
  static constexpr int dimension = Config::Equations::dimension, points = Config::Operators::side_points;
  FacePoint<V, dimension> at;
  V length;

  /// \param a arguments of a kernel with `faces`, `control` and `abscissa`.
  template <class Arguments>
  BoundaryPoint(const Arguments& a, const Item& item, int q) {
    at.time = V(Real(a.control->time + a.abscissa * a.control->dt));
    at.wall_force = {{V(Real(a.control->wall_force_x)), V(Real(a.control->wall_force_y))}};
    for (int d = 0; d < 3; ++d) at.position[d] = load<Config>(a.faces.positions, item, points * 3, q * 3 + d);
    for (int d = 0; d < dimension; ++d) {
      at.wall_normal[d] = load<Config>(a.faces.wall_normals, item, points * dimension, q * dimension + d);
      at.normal[d] = load<Config>(a.faces.normals, item, points * dimension, q * dimension + d);
    }
    length = sqrt(dot(at.normal, at.normal));
    for (int d = 0; d < dimension; ++d) at.normal[d] = at.normal[d] / length;
  }
};

/// The mean over a block of boundary faces of the states f(FacePoint).
template <class Config, class Arguments, class F>
State<Config> mean_over_face(const Arguments& a, const Item& item, const F& f) {
  using V = typename Config::Value;
  State<Config> mean;
  for (int v = 0; v < mean.size(); ++v) mean[v] = V(0);
  for (int q = 0; q < Config::Operators::side_points; ++q) {
    const BoundaryPoint<Config> point(a, item, q);
    const State<Config> state = f(point.at);
    for (int v = 0; v < mean.size(); ++v) mean[v] += V(Config::Operators::side_weight(q)) * state[v];
  }
  return mean;
}

/// States inside, at the points of a block of boundary faces: traces or, where none are stored (Config::stored_traces),
/// from the coefficients of a mesh's only set of elements.
template <class Config, bool stored = Config::stored_traces>
class InsideStates {
 public:
  InsideStates(const GhostArguments& a, const Integers<Config>& slots) : traces_(a.traces) {
    for (int i = 0; i < slots.size(); ++i) at_[i] = trace_offset<Config>(slots[i], 0);
  }
  State<Config> at(int q) const { return gather_trace<Config>(traces_, at_, q); }

 private:
  const void* traces_;
  TraceOffsets<Config> at_;
};
template <class Config>
class InsideStates<Config, false> {
 public:
  InsideStates(const GhostArguments& a, const Integers<Config>& slots) {
    Integers<Config> elements, sides;
    for (int i = 0; i < slots.size(); ++i) {
      elements[i] = element_of_slot<Config>(slots[i]);
      sides[i] = side_of_slot<Config>(slots[i]);
    }
    evaluate_neighbour<Config>(states_, a.state, elements, sides, a.side_basis);
  }
  const State<Config>& at(int q) const { return states_[q]; }

 private:
  SideStates<Config> states_;
};

}  // namespace galerna::kernels
