/// \file
/// Values of a solution at fixed reference points of every element of a block.
#pragma once

#include <vector>

#include "analysis/solution.hpp"
#include "basis/basis.hpp"

namespace galerna::analysis {

/// [block] number of the block's first element, and after the last block the number of elements.
std::vector<mesh::Index> element_offsets(const mesh::Mesh& mesh);

/// Evaluates the solution at the same reference points in each element of one block.
class BlockSampler {
 public:
  BlockSampler(const Solution& solution, int block, const std::vector<basis::Point>& points);

  int points() const { return static_cast<int>(basis_.rows()); }
  int block() const { return number_; }
  /// Goes on to another solution on the same mesh, of the same degree and variables.
  void look_at(const Solution& solution) { solution_ = &solution; }

  /// Conservative variables of the block's element `position`: values[point][variable].
  void variables(mesh::Index position, std::vector<double>& values) const;
  /// Places in space: [point].
  void places(mesh::Index position, std::vector<mesh::Point>& places) const;

 private:
  const Solution* solution_;
  const mesh::ElementBlock& block_;
  int number_;              // of the block
  basis::Matrix basis_;     // [point][mode]
  basis::Matrix geometry_;  // [point][node]
};

/// Sign of the Jacobian determinant at the centre of the block's element `position`: of the map from the reference
/// shape into space (into the x–y plane in 2D), +1 or −1.
int orientation(const mesh::Mesh& mesh, const mesh::ElementBlock& block, mesh::Index position);

/// Centre of the reference shape: mean of its corners.
basis::Point reference_centre(Shape shape);

}  // namespace galerna::analysis
