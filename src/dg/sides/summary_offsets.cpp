#include "dg/sides/summary_offsets.hpp"

#include <fmt/format.h>

#include <limits>
#include <span>
#include <stdexcept>

#include "base/parallel.hpp"
#include "kernels/filter/summary_layout.hpp"

namespace galerna::dg {
namespace {

using kernels::summary_of_mean;

/// Where item number `item` begins in an array [block][n][lane].
std::int64_t begin_of(const Blocks& blocks, std::int64_t item, std::int64_t n) {
  return item / blocks.lanes * n * blocks.lanes + item % blocks.lanes;
}

}  // namespace

SummaryOffsets::SummaryOffsets(const mesh::Mesh& mesh, const Spec& spec, const std::vector<ElementSet>& sets,
                               const FaceSets& faces)
    : mesh_(mesh), sets_(sets), faces_(faces), variables_(spec.variable_count()), lanes_(sets.front().blocks.lanes) {
  for (std::size_t b = 0; b < sets.size(); ++b) {
    first_of_set_.push_back(size_);
    size_ += sets[b].blocks.padded() * numbers_of_set(b);
  }
  for (const FaceSet& set : faces) {
    first_of_faces_.push_back(size_);
    size_ += set.blocks().padded() * (summary_of_mean + variables_);
  }
  first_of_cuts_ = size_;
  std::int64_t cuts = 0;
  for (const FaceSet& set : faces) cuts += static_cast<std::int64_t>(set.cut().size());
  size_ += (cuts + lanes_ - 1) / lanes_ * lanes_ * (summary_of_mean + variables_ + 1);
  if (size_ > std::numeric_limits<std::int32_t>::max())
    throw std::length_error(fmt::format("the entropy filter finds {} numbers at most, but {} elements leave {}",
                                        std::numeric_limits<std::int32_t>::max(), mesh.element_count(), size_));
}

int SummaryOffsets::numbers_of_set(std::size_t set) const {
  return summary_of_mean + variables_ + sets_[set].operators.sides();
}

std::size_t SummaryOffsets::set_of(mesh::Index element) const {
  std::size_t set = sets_.size() - 1;
  while (sets_[set].first_element > element) --set;
  return set;
}

std::int64_t SummaryOffsets::of_element(mesh::Index element) const {
  const std::size_t set = set_of(element);
  const ElementSet& of = sets_[set];
  return first_of_set_[set] +
         begin_of(of.blocks, element - of.first_element, summary_of_mean + variables_ + of.operators.sides());
}

std::int64_t SummaryOffsets::of_side(const mesh::Side& side) const {
  const int lanes = sets_[set_of(side.element)].blocks.lanes;
  return of_element(side.element) + std::int64_t{summary_of_mean + variables_ + side.side} * lanes;
}

std::int64_t SummaryOffsets::beyond_cut(std::int64_t k) const {
  return first_of_cuts_ + k / lanes_ * (summary_of_mean + variables_ + 1) * lanes_ + k % lanes_;
}

template <class Visit>
void SummaryOffsets::for_each_cut(const Visit& visit) const {
  std::int64_t k = 0;
  for (const FaceSet& set : faces_)
    for (const mesh::CutSide& cut : set.cut()) visit(cut, k++);
}

std::vector<CutNeighbour> SummaryOffsets::at_cuts() const {
  std::vector<CutNeighbour> neighbours;
  for_each_cut([&](const mesh::CutSide& cut, std::int64_t k) {
    CutPiece& piece = piece_of(neighbours, cut.rank, 0);
    piece.numbers = summary_of_mean + variables_ + 1;
    piece.stride = lanes_;
    piece.send.push_back(of_element(cut.side.element));
    piece.send_last.push_back(of_side(cut.side));
    piece.receive.push_back(beyond_cut(k));
  });
  return neighbours;
}

std::vector<std::int32_t> SummaryOffsets::beyond(std::size_t set) const {
  const ElementSet& of = sets_[set];
  const int sides = of.operators.sides();
  std::vector<std::int32_t> result(static_cast<std::size_t>(of.blocks.items * sides * 2));
  const auto write = [&](const mesh::Side& at, std::int64_t mean, std::int64_t over_side) {
    if (set_of(at.element) != set) return;
    const auto k = static_cast<std::size_t>(((at.element - of.first_element) * sides + at.side) * 2);
    result[k] = static_cast<std::int32_t>(mean);
    result[k + 1] = static_cast<std::int32_t>(over_side);
  };
  const auto inner = std::span(mesh_.faces).subspan(static_cast<std::size_t>(mesh_.boundary_faces));
  in_parallel(static_cast<std::int64_t>(inner.size()), 1 << 14, [&](std::int64_t begin, std::int64_t end) {
    for (auto f = static_cast<std::size_t>(begin); f < static_cast<std::size_t>(end); ++f) {
      const mesh::Side &left = inner[f].left, &right = inner[f].right;
      write(left, of_element(right.element), of_side(right));
      write(right, of_element(left.element), of_side(left));
    }
  });
  for_each_cut([&](const mesh::CutSide& cut, std::int64_t k) {
    write(cut.side, beyond_cut(k), beyond_cut(k) + std::int64_t{summary_of_mean + variables_} * lanes_);
  });
  for (std::size_t s = 0; s < faces_.size(); ++s)
    faces_[s].for_each_face([&](std::size_t lane, mesh::Index face) {
      const mesh::Side& at = mesh_.faces[static_cast<std::size_t>(face)].left;
      write(at,
            first_of_faces_[s] +
                begin_of(faces_[s].blocks(), static_cast<std::int64_t>(lane), summary_of_mean + variables_),
            of_side(at));
    });
  return result;
}

std::vector<std::int32_t> SummaryOffsets::inside(std::size_t face_set) const {
  std::vector<std::int32_t> result;
  for (mesh::Index face : faces_[face_set].face_of_lane())
    result.push_back(static_cast<std::int32_t>(of_element(mesh_.faces[static_cast<std::size_t>(face)].left.element)));
  return result;
}

}  // namespace galerna::dg
