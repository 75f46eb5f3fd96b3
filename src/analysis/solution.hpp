/// \file
/// What the writers of files/ are given: a discontinuous polynomial field on a mesh, and how to turn it into numbers
/// to show.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "analysis/field_faults.hpp"
#include "mesh/mesh.hpp"

namespace galerna::analysis {

/// A field that may depend on the place, the time and the solution's gradients beside the state.
struct FurtherField {
  std::string name;
  bool listed = true;     ///< shown where no list of fields is given
  bool gradients = true;  ///< whether it looks at them
  /// \param values [variable], ∂/∂x [variable], ∂/∂y [variable], in space ∂/∂z [variable]
  std::function<double(double x, double y, double z, double time, const double* values)> evaluate;
};

/// Fields derived from the solution at a point, e.g. pressure from the conservative state.
struct FieldSet {
  /// Those of the state alone: density, velocity_x, velocity_y, pressure, mach, temperature, momentum_x, …, energy.
  std::vector<std::string> names;
  /// variables[variable] -> values[field] of `names`, one point.
  std::function<void(const double* variables, double* values)> evaluate;
  std::vector<FurtherField> further = {};     ///< numbered behind `names`
  std::vector<std::string> of_elements = {};  ///< numbered behind `further`: Solution::element_values; never listed
  std::shared_ptr<FieldFaults> faults = {};   ///< hears of values that are no numbers; null: nobody does

  /// Index of the field; −1 if there is none of that name.
  int find(const std::string& name) const;
  std::vector<std::string> all_names() const;
  std::vector<std::string> listed_names() const;
};

/// What is known of a solution on one block of the mesh.
struct Piece {
  /// [element][variable][mode], modes of basis/basis.hpp on the reference shape with each element's own node order.
  std::vector<double> coefficients;
  std::vector<mesh::Index> positions = {};  ///< of the elements in the block, ascending; empty: all of them
  /// Writes [variable][mode] of the element at a position, from any thread. Then there are no `coefficients`, but all
  /// elements: a second copy of a large state would fill the host.
  std::function<void(mesh::Index position, double* to)> unpack = {};
  /// The same for many elements, one behind the other; empty where it would not be faster.
  std::function<void(std::span<const mesh::Index> positions, double* to)> unpack_many = {};
};

/// The discrete solution, or as much of it as is needed.
struct Solution {
  const mesh::Mesh* mesh = nullptr;
  int degree = 0;
  std::vector<std::string> variables;  ///< density, momentum_x, momentum_y, energy
  std::vector<Piece> pieces;           ///< [block]
  FieldSet fields;
  std::vector<double> element_values = {};  ///< [element of the mesh][FieldSet::of_elements]
  double time = 0;
  bool accurate = true;  ///< false: elements had time steps of their own, and `time` is no time of the flow
  long step = 0;

  /// [variable][mode] of an element that is in the block's piece. \param room holds them where they are unpacked
  const double* modes(int block, mesh::Index position, std::vector<double>& room) const;
  /// The same of many elements of a block: a state on a GPU is asked for them at once.
  /// \return [position][variable][mode], until `room` changes
  const double* modes_of(int block, std::span<const mesh::Index> positions, std::vector<double>& room) const;
  /// Of element_values those of an element; null where there are none.
  const double* values_of(int block, mesh::Index position) const;
  /// Takes coefficients of all elements, block behind block, apart; and puts them together.
  void set_coefficients(std::vector<double> all);
  std::vector<double> coefficients() const;
};

/// The block's piece. \throws std::invalid_argument when the number of its coefficients does not fit the mesh, degree
/// and variables.
const Piece& piece_of(const Solution& solution, int block);

}  // namespace galerna::analysis
