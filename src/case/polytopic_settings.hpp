/// \file
/// What a case file says of an interior-penalty method on polytopes; case/read_polytopic.cpp reads it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "case/formula.hpp"

namespace galerna::case_file {

/// A boundary: u is given, or n·a∇u + h u is.
struct PolytopicBoundary {
  std::string name;
  bool dirichlet = true;
  Formula data;         ///< u, or that sum
  Formula coefficient;  ///< h
  SourcePlace place;
};

struct PolytopicSettings {
  /// [mesh.agglomerate]: one of them, or none, then every simplex is an element of its own.
  struct Agglomerate {
    std::optional<long> simplices;  ///< a polytope has, in the mean
    std::optional<long> polytopes;
    std::filesystem::path file;  ///< "": none
    bool groups = false;
    SourcePlace place;
  } agglomerate;

  // [equations]: −∇·(a∇u) + b·∇u + c u = f
  std::vector<Formula> diffusion;  ///< one, or the upper triangle of a tensor by rows
  std::vector<Formula> velocity;   ///< empty: none
  std::optional<Formula> reaction, source;
  SourcePlace diffusion_place, velocity_place;

  // [discretization]
  Formula order;                     ///< of place, at the centroid of each polytope
  std::filesystem::path order_file;  ///< in place of it; "": none
  SourcePlace order_place;
  std::string penalty = "certified";
  std::optional<double> penalty_factor;
  SourcePlace penalty_place;
  int volume_quadrature = -1, face_quadrature = -1, time_quadrature = -1;

  /// [time]
  struct Slabs {
    double end = 1;
    long count = 1;
    bool tensor = false;
  };
  std::optional<Slabs> slabs;
  std::optional<Formula> initial;

  // [solver]
  std::string solver = "multigrid";
  double tolerance = 1e-10;
  long max_iterations = 500;

  std::vector<PolytopicBoundary> boundaries;
  std::optional<Formula> exact;
  bool picture = true;
  bool matrix = false;  ///< output.matrix: written in Matrix Market format
};

/// equations.type of these cases.
inline constexpr const char* polytopic_equations = "advection-diffusion-reaction";

}  // namespace galerna::case_file
