/// \file
/// Faces of one shape: the traces of all sides of elements that have it, in slots, and the boundary faces among them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/exact_sum.hpp"
#include "base/lazy.hpp"
#include "dg/element_set.hpp"
#include "dg/geometry/boundary_points.hpp"
#include "kernels/arguments.hpp"
#include "mesh/own_part.hpp"

namespace galerna::dg {

/// Slots of traces (kernels/traces.hpp) are numbered through the sides of all sets of elements, then boundary faces. A
/// face between elements has two, since both elements leave a trace; what kernels know of it is the code of the other
/// one (dg/sides/side_codes.hpp). Boundary faces are in blocks of one boundary each, and own their points and what
/// flows through them.
class FaceSet {
 public:
  /// \param mesh, sets, spec must outlive it. \param cut where the mesh is a part of another one: all sides at its cuts
  FaceSet(Shape shape, std::string label, const mesh::Mesh& mesh, const std::vector<ElementSet>& sets,
          const device::Device& device, const Spec& spec, const std::vector<mesh::CutSide>& cut = {});

  Shape shape() const { return shape_; }
  /// Behind the names of the kernels of boundary faces.
  const std::string& label() const { return label_; }
  /// Of a launch for all boundary faces.
  device::Range range(device::Kind kind) const {
    return {kind == device::Kind::cuda ? blocks_.items : blocks_.count, 128};
  }
  /// Where threads of a GPU share faces (kernels/boundary/faces.hpp).
  device::Range shared_range(device::Kind kind) const {
    device::Range result = range(kind);
    if (kind == device::Kind::cuda) result.items *= kernels::threads_per_face(mesh_.dimension, stores_traces_);
    return result;
  }
  const basis::Quadrature& rule() const { return rule_; }
  const Blocks& blocks() const { return blocks_; }
  std::int64_t first_slot(std::size_t set) const { return first_slots_[set]; }
  /// Of the sides of all elements together, whether or not their traces are stored.
  std::int64_t element_slots() const { return first_slots_.back(); }
  /// Sides of the shape at the cuts of a part of a mesh. What lies beyond side k is in slot first_cut() + k, behind
  /// those of elements (dg/run/trace_exchange.hpp).
  const std::vector<mesh::CutSide>& cut() const { return cut_; }
  std::int64_t first_cut() const { return stores_traces_ ? element_slots() : 0; }
  /// Where the trace of the part's own element at cut side k is. Where none of elements are stored, those are, one
  /// behind the other from first_sent() on.
  std::int64_t sent_slot(std::size_t k) const {
    return stores_traces_ ? slot_of(cut_[k].side) : first_sent() + static_cast<std::int64_t>(k);
  }
  std::int64_t first_sent() const { return first_cut() + cut_slots_; }
  /// Where ghosts begin: 0 where no traces of elements are stored.
  std::int64_t first_ghost() const { return first_sent() + (stores_traces_ ? 0 : cut_slots_); }
  std::int64_t slot_of(const mesh::Side& side) const;

  /// Calls visit(lane, boundary face) for all but padding.
  template <class Visit>
  void for_each_face(const Visit& visit) const {
    for (std::size_t lane = 0; lane < face_of_lane_.size(); ++lane)
      if (!is_padding_[lane]) visit(lane, face_of_lane_[lane]);
  }
  /// The boundary face in each lane; padding repeats one.
  const std::vector<mesh::Index>& face_of_lane() const { return face_of_lane_; }
  /// [boundary face of the mesh] its lane; −1 for those of other shapes.
  std::vector<std::int64_t> lane_of_face() const;

  /// Arrays of traces and fluxes.
  void allocate(device::Device& device);
  /// Points of boundary faces. \param points given by a function, which is not called for a device that only counts
  void upload(device::Device& device, const Lazy<BoundaryPoints>& points);

  kernels::FaceArrays arrays() const;
  void* traces() const { return address(traces_); }
  void* next_traces() const { return address(next_traces_); }
  void* viscous_traces() const { return address(viscous_traces_); }
  void* face_gradients() const { return address(face_gradients_); }
  /// The next stage's traces become the present ones.
  void swap_traces() { std::swap(traces_, next_traces_); }

  /// Of a stage. Its abscissa, weight and what it reports are the caller's to set.
  kernels::GhostArguments ghost_arguments() const;
  /// Where boundary faces leave what flows through them at their points: of `ghosts`, or of `boundary_fluxes`.
  enum class Report { inviscid, viscous };
  void* report(Report which) const;
  /// One quantity of a report (kernels::GhostArguments::report). \param values [boundary face][point][variable], by
  /// BoundaryPoints::first_point
  void read_report(device::Device& device, Report which, std::size_t quantity, const BoundaryPoints& points,
                   std::vector<double>& values) const;

  /// [face block][variable][lane] what has flowed through faces, in the current step and in all accepted steps before;
  /// null where there are no boundary faces.
  device::Memory* pending_flux() const { return pending_flux_.get(); }
  device::Memory* total_flux() const { return total_flux_.get(); }
  /// Values [face block][variable][lane] as [boundary face of the mesh][variable], in which other sets have theirs, and
  /// back. \throws std::invalid_argument in scatter() for another number of values
  void gather(const std::vector<double>& values, std::vector<double>& to) const;
  std::vector<double> scatter(const std::vector<double>& values) const;
  /// Adds values [face block][variable][lane] of the faces that count to those of variables.
  void add(const std::vector<double>& values, const std::function<bool(const mesh::Face&)>& counts,
           std::vector<ExactSum>& to) const;

 private:
  void arrange_boundary(const Blocks& unit);
  std::size_t sum_position(std::size_t lane, std::size_t variable) const;
  std::unique_ptr<device::Memory> upload_points(device::Device& device, const Lazy<BoundaryPoints>& points,
                                                const std::vector<double> BoundaryPoints::*values, std::size_t n) const;
  std::size_t report_bytes() const;

  Shape shape_;
  std::string label_;
  const mesh::Mesh& mesh_;
  const std::vector<ElementSet>& sets_;
  const Spec& spec_;
  basis::Quadrature rule_;
  bool stores_traces_;
  std::vector<std::int64_t> first_slots_;  ///< [set], and behind the last one
  std::vector<mesh::CutSide> cut_;
  std::int64_t cut_slots_ = 0;             ///< with padding
  Blocks blocks_;                          ///< of boundary faces
  std::vector<mesh::Index> face_of_lane_;  ///< [padded lane] boundary face: boundaries start new blocks
  std::vector<bool> is_padding_;

  std::unique_ptr<device::Memory> traces_;       ///< of all sides, then ghosts; ghosts alone where none are stored
  std::unique_ptr<device::Memory> next_traces_;  ///< those that a stage leaves for the next one
  std::unique_ptr<device::Memory> viscous_traces_, face_gradients_;  ///< with viscosity
  std::unique_ptr<device::Memory> slots_, conditions_, positions_, normals_, wall_normals_, counts_;
  std::unique_ptr<device::Memory> pending_flux_, total_flux_, report_;
};

/// One for each shape of sides in the mesh.
using FaceSets = std::vector<FaceSet>;

/// That of a shape which the mesh has.
const FaceSet& faces_of(const FaceSets& faces, Shape shape);

}  // namespace galerna::dg
