/// \file
/// The order of the elements in the mesh file, which renumbering does not change.
#pragma once

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

/// The coefficients of a solution that has all of them, [element][variable][mode].
std::vector<double> to_source_order(const Solution& solution);

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
