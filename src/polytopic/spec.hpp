/// \file
/// What an interior-penalty discretization is of: equation, boundaries, penalty, spaces.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "basis/box.hpp"
#include "device/device.hpp"

namespace galerna::polytopic {

/// C++ text of `template <class V> V NAME(const V& x, const V& y, const V& z, const V& t)`.
using FunctionText = std::function<std::string(const std::string& name)>;

/// A rule for the penalty: a header of kernels/polytopic/penalty.
struct PenaltyRule {
  std::string name, description, header, type;
  double factor;            ///< C if the case does not say
  double least = 0;         ///< C must be larger
  bool eigenvalue = false;  ///< needs λ of kernels/polytopic/certify.hpp
};

/// All of them. A new one is a header and a line here.
const std::vector<PenaltyRule>& penalty_rules();
/// The rule of that name; null if there is none.
const PenaltyRule* find_penalty(const std::string& name);

/// −∇·(a∇u) + b·∇u + c u = f, and with slabs ∂_t u beside.
struct Spec {
  basis::BoxSpace space;
  device::Precision precision = device::Precision::double_precision;
  std::vector<FunctionText> diffusion;   ///< xx, xy, yy or xx, xy, xz, yy, yz, zz
  std::vector<FunctionText> velocity;    ///< [direction]; empty: none
  std::vector<FunctionText> divergence;  ///< [direction] ∂b_k/∂x_k; empty: 0
  FunctionText reaction;                 ///< empty: none
  FunctionText source;                   ///< empty: none
  FunctionText initial;                  ///< of slabs
  FunctionText exact;                    ///< empty: none; then errors are norms of the solution itself
  std::vector<FunctionText> exact_gradient;
  struct Boundary {
    bool dirichlet = true;       ///< u is given, else n·a∇u + h u
    FunctionText data;           ///< empty: 0
    FunctionText exchange = {};  ///< h ≥ 0; empty: 0
  };
  std::vector<Boundary> boundaries;  ///< in the order of the mesh's
  PenaltyRule penalty;
  double factor = 2;     ///< C
  std::string assembly;  ///< one of assemblies() (polytopic/assembly_programs.hpp); empty: the first that fits
  int item_threads = 1;  ///< of a GPU, that share a polytope or interface of few modes: 1, or 32 where they have
                         ///< many simplices and facets
  // Degrees of exactness; −1: QuadratureDegrees says.
  int volume_quadrature = -1, facet_quadrature = -1, time_quadrature = -1;
};

/// Degrees of exactness. Without those of the spec, those of constants are the ones of degree 1: errors are measured by
/// the same rules, and one point would see none.
struct QuadratureDegrees {
  int volume, facet, time;

  QuadratureDegrees(const Spec& spec, int largest_degree);
};

}  // namespace galerna::polytopic
