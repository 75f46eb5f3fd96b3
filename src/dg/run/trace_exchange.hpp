/// \file
/// Traces beyond the sides where a mesh is cut, from the ranks that have the elements there.
#pragma once

#include <cstddef>
#include <vector>

#include "dg/run/launcher.hpp"
#include "dg/run/ranks.hpp"
#include "dg/run/stage_part.hpp"
#include "dg/sides/face_set.hpp"

namespace galerna::dg {

/// What crosses a cut is memory, never arithmetic: a rank reads the numbers that the other one has, and gets the bits
/// that one rank alone would.
class TraceExchange : public StagePart {
 public:
  /// All must outlive it.
  TraceExchange(Launcher& launcher, const Spec& spec, const FaceSets& faces, const Ranks& ranks);

  void after(Phase phase, const StageCall& call) override;

 private:
  /// Slots of a face set that go to a rank, and where those that come from it lie.
  struct Slots {
    std::size_t face_set;
    std::vector<std::int64_t> send, receive;
  };
  struct Neighbour {
    int rank;
    std::vector<Slots> slots;
    std::size_t bytes = 0;  ///< of a message
  };
  /// [face set] an array of traces.
  using Arrays = std::vector<std::byte*>;
  void exchange(const Arrays& arrays) const;
  std::size_t slot_bytes(std::size_t face_set) const;

  Launcher& launcher_;
  const Spec& spec_;
  const FaceSets& faces_;
  const Ranks& ranks_;
  std::vector<Neighbour> neighbours_;
};

}  // namespace galerna::dg
