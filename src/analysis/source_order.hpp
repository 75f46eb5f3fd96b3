/// \file
/// The order of the elements in the mesh file, which renumbering does not change.
#pragma once

#include <span>
#include <vector>

#include "analysis/solution.hpp"

namespace galerna::analysis {

struct SourceElement {
  int block;
  mesh::Index position;  ///< in the block
};

/// All elements, sorted by ElementBlock::source (equal ones by shape and geometry order).
std::vector<SourceElement> source_order(const mesh::Mesh& mesh);

/// Reorders values from the order of the mesh's elements to their order in the mesh file (ElementBlock::source), which
/// does not depend on how the mesh is numbered: values[element][i], i < values_per_element[block]. \throws
/// std::invalid_argument when sizes do not fit.
std::vector<double> to_source_order(const mesh::Mesh& mesh, const std::vector<double>& values,
                                    const std::vector<int>& values_per_element);
/// The reverse.
std::vector<double> from_source_order(const mesh::Mesh& mesh, const std::vector<double>& values,
                                      const std::vector<int>& values_per_element);

/// The coefficients [element][variable][mode] of a solution that has all of them, piece by piece.
class SourceOrdered {
 public:
  /// \param solution must outlive it, as its mesh.
  explicit SourceOrdered(const Solution& solution);

  std::size_t size() const { return starts_.back(); }
  /// Writes the numbers from `begin` to `end`, from any thread.
  void fill(std::size_t begin, std::size_t end, double* to) const;

 private:
  template <class Visit>
  void visit(std::size_t begin, std::size_t end, const Visit& visit) const;
  void fill_together(std::size_t begin, std::size_t end, double* to) const;

  const Solution& solution_;
  std::vector<mesh::Index> elements_;  ///< [place in the file] number in the mesh
  std::vector<std::size_t> starts_;    ///< numbers before each group of elements, and all
};

/// Where the values of elements lie in the order of the mesh file: the reverse, piece by piece.
class SourcePlaces {
 public:
  /// \param mesh must outlive it.
  SourcePlaces(const mesh::Mesh& mesh, std::vector<int> values_per_element);
  /// Number of the element's first value.
  std::size_t first(std::size_t block, mesh::Index position) const {
    return firsts_.empty() ? static_cast<std::size_t>(source_[static_cast<std::size_t>(position)] * each_)
                           : firsts_[block][static_cast<std::size_t>(position)];
  }

 private:
  std::span<const mesh::Index> source_;  ///< of the only block, whose elements all have `each_` values
  mesh::Index each_ = 0;
  std::vector<std::vector<std::size_t>> firsts_;  ///< [block][position] where there are several
};

/// Values [boundary face of the mesh][i] sorted by the faces' elements in the mesh file, and by their sides there.
std::vector<double> faces_to_source_order(const mesh::Mesh& mesh, const std::vector<double>& values,
                                          std::size_t values_per_face);
/// The reverse. Both \throw std::invalid_argument when sizes do not fit.
std::vector<double> faces_from_source_order(const mesh::Mesh& mesh, const std::vector<double>& values,
                                            std::size_t values_per_face);

/// Numbers of an element of each block in [element][variable][mode]: [block].
std::vector<int> coefficients_per_element(const mesh::Mesh& mesh, int degree, std::size_t variables);

/// Solution of degree `from` as one of degree `to`: [element][variable][mode] of elements of one shape. The L2
/// projection: on triangles and tetrahedra, whose bases are hierarchical, modes are dropped or zeros appended exactly.
std::vector<double> project_degree(const std::vector<double>& coefficients, Shape shape, int from, int to);

/// The same for all blocks of a mesh, [block][element][variable][mode].
std::vector<double> project_degree(const std::vector<double>& coefficients, const mesh::Mesh& mesh,
                                   std::size_t variables, int from, int to);

}  // namespace galerna::analysis
