/// \file
/// Tables of basis and shape functions at the points of a rule, and elements' nodes, for kernels/formulas.hpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "basis/basis.hpp"
#include "device/device.hpp"
#include "kernels/arguments.hpp"
#include "mesh/mesh.hpp"

namespace galerna::dg {

/// On the device, as long as the object lives.
class RuleTables {
 public:
  /// \param purpose for people, where memory is accounted for. \param rule points in the reference shape, in whole
  /// batches or not: the last one is repeated with weight 0. \param slopes whether derivatives of the basis are there
  RuleTables(device::Device& device, const std::string& purpose, Shape shape, int degree, int geometry_order,
             basis::Quadrature rule, bool slopes = false);

  void put(kernels::FormulaArguments& a) const;
  /// FormulaIntegralArguments::slopes
  const double* slopes() const;

 private:
  int points_, modes_, nodes_;
  std::unique_ptr<device::Memory> basis_, shapes_, weights_, slopes_;
};

/// [position][node][k]: what FormulaArguments::nodes is made of. \param positions of elements in the block
std::vector<double> node_coordinates(const mesh::Mesh& mesh, const mesh::ElementBlock& block,
                                     const std::vector<mesh::Index>& positions);

}  // namespace galerna::dg
