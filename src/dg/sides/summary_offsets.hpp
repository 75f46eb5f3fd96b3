/// \file
/// Where the summaries of elements and boundary faces lie (kernels/filter/summary.hpp), and which of them lie beyond
/// the sides of elements.
#pragma once

#include <cstdint>
#include <vector>

#include "dg/sides/cut_pieces.hpp"
#include "dg/sides/face_set.hpp"

namespace galerna::dg {

class SummaryOffsets {
 public:
  /// All must outlive it. \throws std::length_error where offsets would not fit into 32 bits
  SummaryOffsets(const mesh::Mesh& mesh, const Spec& spec, const std::vector<ElementSet>& sets, const FaceSets& faces);

  /// Numbers of all summaries, and those before a set and before the boundary faces of a face set.
  std::int64_t size() const { return size_; }
  std::int64_t first_of_set(std::size_t set) const { return first_of_set_[set]; }
  /// Numbers of the summary of one of its elements.
  int numbers_of_set(std::size_t set) const;
  std::int64_t first_of_faces(std::size_t face_set) const { return first_of_faces_[face_set]; }

  /// [element of the set][side][2] where the summary beyond begins, and its mean over the side. Beyond the boundary
  /// there is none: the element's own.
  std::vector<std::int32_t> beyond(std::size_t set) const;
  /// What ranks tell one another of elements at cuts: all but the means over other sides.
  std::vector<CutNeighbour> at_cuts() const;
  /// [lane of the face set] where the summary of the element inside begins.
  std::vector<std::int32_t> inside(std::size_t face_set) const;

 private:
  std::size_t set_of(mesh::Index element) const;
  std::int64_t of_element(mesh::Index element) const;
  std::int64_t of_side(const mesh::Side& side) const;
  /// Of what lies beyond cut side number k, counted through the face sets.
  std::int64_t beyond_cut(std::int64_t k) const;
  /// Calls visit(cut side, its number) for all.
  template <class Visit>
  void for_each_cut(const Visit& visit) const;

  const mesh::Mesh& mesh_;
  const std::vector<ElementSet>& sets_;
  const FaceSets& faces_;
  int variables_, lanes_;
  std::vector<std::int64_t> first_of_set_, first_of_faces_;
  std::int64_t first_of_cuts_ = 0;
  std::int64_t size_ = 0;
};

}  // namespace galerna::dg
