#include "solver/polytopic/polytopic_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "case/reader.hpp"
#include "mesh/boundaries.hpp"
#include "mesh/geometry.hpp"
#include "mesh/split.hpp"
#include "solver/make_mesh.hpp"
#include "solver/outputs/check_outputs.hpp"

namespace galerna::solver {
namespace {

polytopic::FunctionText text_of(const case_file::Formula& formula) {
  return [formula](const std::string& name) { return formula.cpp(name); };
}

std::vector<polytopic::FunctionText> texts_of(const std::vector<case_file::Formula>& formulas) {
  std::vector<polytopic::FunctionText> texts;
  for (const case_file::Formula& formula : formulas) texts.push_back(text_of(formula));
  return texts;
}

/// \param simplices that the mesh has once its elements are split
mesh::Agglomeration agglomerate(const case_file::PolytopicSettings::Agglomerate& settings, const mesh::Mesh& mesh,
                                mesh::Index simplices) {
  const mesh::Index elements = mesh.element_count();
  if (!settings.file.empty()) return mesh::read_agglomeration(settings.file, mesh);
  if (settings.groups) return mesh::group_agglomeration(mesh);
  if (settings.polytopes) {
    if (*settings.polytopes > elements)
      throw InputError(settings.place, fmt::format("polytopes = {}, but the mesh has {} {} only", *settings.polytopes,
                                                   elements, elements == simplices ? "simplices" : "elements"));
    return mesh::make_agglomeration(mesh, *settings.polytopes);
  }
  if (settings.simplices && *settings.simplices > 1)
    return mesh::make_agglomeration(mesh, std::clamp<mesh::Index>(simplices / *settings.simplices, 1, elements));
  return mesh::element_agglomeration(mesh);
}

std::string place_of(const polytopic::Mesh& polytopes, std::size_t polytope) {
  return fmt::format(
      "polytope {} at {}", polytope,
      mesh::to_text(polytopic::centroid(polytopes, static_cast<std::int64_t>(polytope)), polytopes.dimension));
}

int degree_of(double value, const SourcePlace& place, const polytopic::Mesh& polytopes, std::size_t polytope) {
  if (value == std::floor(value) && value >= 0 && value <= highest_polytopic_degree) return static_cast<int>(value);
  throw InputError(place, fmt::format("the order is {:g} on {}; it must be an integer of 0 … {}", value,
                                      place_of(polytopes, polytope), highest_polytopic_degree));
}

std::vector<double> read_orders(const case_file::PolytopicSettings& settings, std::size_t polytopes) {
  std::ifstream stream(settings.order_file);
  std::vector<double> orders;
  for (double order; stream >> order;) orders.push_back(order);
  if (!stream.eof())
    throw InputError({settings.order_file.string()},
                     fmt::format("number {} cannot be read; the file has one integer a polytope", orders.size() + 1));
  if (orders.size() != polytopes)
    throw InputError({settings.order_file.string()},
                     fmt::format("the file has {} orders, but there are {} polytopes", orders.size(), polytopes));
  return orders;
}

bool is_zero(const case_file::Formula& formula) {
  return formula.constant() && formula(0, 0, 0, 0) == 0;
}

/// a as the upper triangle of a tensor.
std::vector<case_file::Formula> tensor_of(const case_file::PolytopicSettings& settings, int dimension) {
  const std::vector<case_file::Formula>& given = settings.diffusion;
  const auto entries = static_cast<std::size_t>(dimension * (dimension + 1) / 2);
  if (given.size() == entries) return given;
  if (given.size() > 1)
    throw InputError(settings.diffusion_place, fmt::format("diffusion has {} rows, but the mesh is in {} dimensions",
                                                           given.size() == 3 ? 2 : 3, dimension));
  std::vector<case_file::Formula> tensor(entries);
  if (!given.empty())
    for (int k = 0, entry = 0; k < dimension; entry += dimension - k, ++k)
      tensor[static_cast<std::size_t>(entry)] = given[0];
  return tensor;
}

}  // namespace

PolytopicMesh make_polytopic_mesh(const case_file::Settings& settings) {
  PolytopicMesh result;
  result.mesh = make_mesh(settings);
  std::vector<Problem> problems = check_boundaries(settings, result.mesh, {});
  const auto check = [&](const mesh::Mesh& simplices) {
    for (Problem& problem : check_outputs(settings, simplices)) problems.push_back(std::move(problem));
    if (!problems.empty()) throw InputError(problems);
  };
  const case_file::PolytopicSettings::Agglomerate& how = settings.polytopic->agglomerate;
  if (mesh::can_be_split(result.mesh)) {
    // Polytopes are made of whole elements.
    mesh::SplitMesh simplices = mesh::split(result.mesh);
    check(simplices.mesh);
    const mesh::Agglomeration whole = agglomerate(how, result.mesh, simplices.mesh.element_count());
    result.agglomeration.count = whole.count;
    for (const mesh::Index parent : simplices.parents)
      result.agglomeration.polytope.push_back(whole.polytope[static_cast<std::size_t>(parent)]);
    result.mesh = std::move(simplices.mesh);
  } else {
    check(result.mesh);
    result.agglomeration = agglomerate(how, result.mesh, result.mesh.element_count());
  }
  result.polytopes = polytopic::make_mesh(result.mesh, result.agglomeration);
  return result;
}

std::vector<int> make_degrees(const case_file::Settings& settings, const polytopic::Mesh& polytopes) {
  const case_file::PolytopicSettings& s = *settings.polytopic;
  const auto count = static_cast<std::size_t>(polytopes.polytopes);
  std::vector<double> orders;
  if (!s.order_file.empty()) orders = read_orders(s, count);
  std::vector<int> degrees;
  for (std::size_t k = 0; k < count; ++k) {
    const auto x = polytopic::centroid(polytopes, static_cast<std::int64_t>(k));
    degrees.push_back(
        degree_of(orders.empty() ? s.order(x[0], x[1], x[2], 0) : orders[k], s.order_place, polytopes, k));
  }
  return degrees;
}

const case_file::PolytopicBoundary& boundary_named(const case_file::PolytopicSettings& settings,
                                                   const std::string& name) {
  return *std::find_if(settings.boundaries.begin(), settings.boundaries.end(),
                       [&](const case_file::PolytopicBoundary& b) { return b.name == name; });
}

polytopic::Spec make_polytopic_spec(const case_file::Settings& settings, const mesh::Mesh& mesh,
                                    device::Precision precision) {
  const case_file::PolytopicSettings& s = *settings.polytopic;
  polytopic::Spec spec;
  spec.space = {mesh.dimension, s.slabs.has_value(), s.slabs && s.slabs->tensor};
  spec.precision = precision;
  spec.diffusion = texts_of(tensor_of(s, mesh.dimension));
  if (!s.velocity.empty() && static_cast<int>(s.velocity.size()) != mesh.dimension)
    throw InputError(s.velocity_place, fmt::format("velocity has {} components, but the mesh is in {} dimensions",
                                                   s.velocity.size(), mesh.dimension));
  if (!std::all_of(s.velocity.begin(), s.velocity.end(), is_zero)) {
    spec.velocity = texts_of(s.velocity);
    for (std::size_t k = 0; k < s.velocity.size(); ++k)
      spec.divergence.push_back(text_of(s.velocity[k].derivative(static_cast<int>(k))));
  }
  if (s.reaction && !is_zero(*s.reaction)) spec.reaction = text_of(*s.reaction);
  if (s.source) spec.source = text_of(*s.source);
  if (s.initial) spec.initial = text_of(*s.initial);
  if (s.exact) {
    spec.exact = text_of(*s.exact);
    for (int k = 0; k < mesh.dimension; ++k) spec.exact_gradient.push_back(text_of(s.exact->derivative(k)));
  }
  for (const mesh::Boundary& boundary : mesh.boundaries) {
    const case_file::PolytopicBoundary& own = boundary_named(s, boundary.name);
    spec.boundaries.push_back({own.dirichlet, text_of(own.data), {}});
    if (!is_zero(own.coefficient)) spec.boundaries.back().exchange = text_of(own.coefficient);
  }
  spec.penalty = *polytopic::find_penalty(s.penalty);
  spec.factor = s.penalty_factor.value_or(spec.penalty.factor);
  spec.volume_quadrature = s.volume_quadrature;
  spec.facet_quadrature = s.face_quadrature;
  spec.time_quadrature = s.time_quadrature;
  return spec;
}

std::vector<device::ProgramSource> make_polytopic_programs(const case_file::Settings& settings,
                                                           const device::Target& target, device::Precision precision) {
  const PolytopicMesh mesh = make_polytopic_mesh(settings);
  const std::vector<int> degrees = make_degrees(settings, mesh.polytopes);
  const std::set<int> different(degrees.begin(), degrees.end());
  const polytopic::Spec spec = make_polytopic_spec(settings, mesh.mesh, precision);
  return polytopic::make_programs(spec, different, target);
}

bool matrix_depends_on_time(const case_file::PolytopicSettings& settings) {
  const auto moves = [](const case_file::Formula& formula) { return formula.depends_on_time(); };
  return std::any_of(settings.diffusion.begin(), settings.diffusion.end(), moves) ||
         std::any_of(settings.velocity.begin(), settings.velocity.end(), moves) ||
         (settings.reaction && moves(*settings.reaction)) ||
         std::any_of(settings.boundaries.begin(), settings.boundaries.end(),
                     [&](const case_file::PolytopicBoundary& boundary) { return moves(boundary.coefficient); });
}

namespace {

/// Constants have neither a gradient nor a penalty.
void require_gradients(const SourcePlace& place, const polytopic::Mesh& polytopes, const std::vector<int>& degrees,
                       const std::vector<polytopic::Extremes>& extremes) {
  for (std::size_t k = 0; k < degrees.size(); ++k)
    if (degrees[k] == 0 && extremes[k].largest_diffusion > 0)
      throw InputError(place, fmt::format("the order is 0 on {}, where the diffusion is {:.6g}: constants have no "
                                          "gradient, so that nothing would diffuse; take an order of at least 1 there",
                                          place_of(polytopes, k), extremes[k].largest_diffusion));
}

/// \param least min(b·n, 0) + 2h
[[noreturn]] void throw_inflow(const case_file::PolytopicSettings& settings, double least, const std::string& place) {
  const auto robin = std::find_if(settings.boundaries.begin(), settings.boundaries.end(),
                                  [](const auto& boundary) { return !is_zero(boundary.coefficient); });
  if (robin == settings.boundaries.end())
    throw InputError(settings.velocity_place,
                     fmt::format("the flow enters (b·n = {:.6g}) through a boundary of type neumann or outflow, at {}; "
                                 "make it dirichlet there, or robin, with coefficient = −b·n",
                                 least, place));
  throw InputError(
      robin->place,
      fmt::format("on a boundary of type robin, neumann or outflow 2h + min(b·n, 0) is {:.6g}, at {}, where h is the "
                  "coefficient of robin, else 0; it must not be negative: take a coefficient of at least 0, and of "
                  "−b·n/2 where the flow enters, or make the boundary dirichlet",
                  least, place));
}

}  // namespace

/// Where nothing diffuses, flows, reacts or changes in time, no equation gives u.
static void require_equation(const case_file::PolytopicSettings& s, const polytopic::Mesh& polytopes,
                             const std::vector<polytopic::Extremes>& extremes) {
  const auto is_zero = [](const case_file::Formula& formula) { return formula.constant() && formula(0, 0, 0, 0) == 0; };
  if (s.slabs || (s.reaction && !is_zero(*s.reaction)) || !std::all_of(s.velocity.begin(), s.velocity.end(), is_zero))
    return;
  const auto bare = std::find_if(extremes.begin(), extremes.end(),
                                 [](const polytopic::Extremes& of) { return of.largest_diffusion == 0; });
  if (bare == extremes.end()) return;
  throw InputError(
      s.diffusion_place,
      fmt::format("the diffusion is 0 on {}, and the case has no velocity, reaction or time: nothing gives u "
                  "there; give one of them",
                  place_of(polytopes, static_cast<std::size_t>(bare - extremes.begin()))));
}

void check_coefficients(const case_file::Settings& settings, const polytopic::Mesh& polytopes,
                        const std::vector<int>& degrees, const std::vector<polytopic::Extremes>& extremes,
                        const std::function<void(const std::string&)>& warn) {
  const case_file::PolytopicSettings& s = *settings.polytopic;
  const auto least = [&](auto member) {  // what is not a number comes first
    const auto is_less = [&](const auto& a, const auto& b) {
      return std::isnan(a.*member) ? !std::isnan(b.*member) : a.*member < b.*member;
    };
    return static_cast<std::size_t>(std::min_element(extremes.begin(), extremes.end(), is_less) - extremes.begin());
  };
  using Extremes = polytopic::Extremes;
  const std::size_t diffusion = least(&Extremes::least_diffusion);
  const double value = extremes[diffusion].least_diffusion;
  if (std::isnan(value))
    throw Error(ExitCode::simulation_failed,
                fmt::format("the diffusion is not a number on {}", place_of(polytopes, diffusion)));
  if (!(value >= -1e-12 * std::abs(extremes[diffusion].largest_diffusion)))
    throw InputError(s.diffusion_place,
                     fmt::format("the diffusion has the eigenvalue {:.6g} on {}; it must not have negative ones", value,
                                 place_of(polytopes, diffusion)));
  constexpr double most = 1e100;  // of which a penalty is a large multiple
  const auto largest = std::max_element(extremes.begin(), extremes.end(), [](const Extremes& a, const Extremes& b) {
    return a.largest_diffusion < b.largest_diffusion;
  });
  if (largest->largest_diffusion > most)
    throw InputError(s.diffusion_place,
                     fmt::format("the diffusion is {:.6g} on {}, too large to compute with: it may be {:g} at most",
                                 largest->largest_diffusion,
                                 place_of(polytopes, static_cast<std::size_t>(largest - extremes.begin())), most));
  if (largest->largest_diffusion > 0 && largest->largest_diffusion < 1 / most)
    throw InputError(
        s.diffusion_place,
        fmt::format("the diffusion is {:.6g} at most, too small to compute with: it must be {:g} somewhere, "
                    "or 0; choose other units",
                    largest->largest_diffusion, 1 / most));
  require_gradients(s.order_place, polytopes, degrees, extremes);
  require_equation(s, polytopes, extremes);
  const std::size_t outflow = least(&Extremes::boundary_margin);
  if (extremes[outflow].boundary_margin < -1e-12)
    throw_inflow(s, extremes[outflow].boundary_margin, place_of(polytopes, outflow));
  const std::size_t reaction = least(&Extremes::least_reaction);
  if (extremes[reaction].least_reaction < -1e-12)
    warn(
        fmt::format("warning: c − ½∇·b is {:.6g} on {}: where it is negative the problem may have no or no stable "
                    "solution",
                    extremes[reaction].least_reaction, place_of(polytopes, reaction)));
}

void require_balance(const case_file::Settings& settings, double imbalance) {
  constexpr double largest = 1e-3;  // less is taken for an error of quadrature
  if (!(imbalance > largest)) return;
  throw InputError(
      {settings.file.string()},
      fmt::format("no boundary gives u and there is no reaction, so that u is known up to a constant only, and sources "
                  "and fluxes through the boundary do not add up to zero ({:.3g} of their absolute values is left): "
                  "there is no solution; make a boundary dirichlet or robin, or give a reaction",
                  imbalance));
}

std::string strange_penalties(const polytopic::Mesh& polytopes, const std::vector<int>& degrees,
                              const std::vector<polytopic::Extremes>& extremes,
                              const std::vector<double>& eigenvalues) {
  constexpr double strange = 1000;  // on meshes of all shapes λ is 0.1 to 1.3 times ā p² |∂κ| / |κ|
  std::size_t worst = 0;
  double largest = 0;
  std::int64_t count = 0;
  for (std::size_t k = 0; k < eigenvalues.size(); ++k) {
    const double usual = extremes[k].largest_diffusion * degrees[k] * degrees[k] * polytopes.measures[2 * k + 1] /
                         polytopes.measures[2 * k];
    if (!(eigenvalues[k] > strange * usual) || usual <= 0) continue;
    ++count;
    if (eigenvalues[k] / usual > largest) {
      largest = eigenvalues[k] / usual;
      worst = k;
    }
  }
  if (count == 0) return "";
  return fmt::format(
      "warning: the penalty is out of all proportion on {} polytope{}, most on {}: λ = {:.2g}, {:.1g} times what its "
      "shape and its diffusion explain. The diffusion jumps or vanishes inside of simplices: let sides of the mesh "
      "follow that, or take discretization.penalty = \"simplex\"",
      count, count == 1 ? "" : "s", place_of(polytopes, worst), eigenvalues[worst], largest);
}

double one_sided_share(const std::vector<polytopic::Extremes>& extremes) {
  constexpr double one_sided = 1e-3;
  const auto count = std::count_if(extremes.begin(), extremes.end(), [](const polytopic::Extremes& e) {
    return e.largest_diffusion > 0 && e.least_diffusion < one_sided * e.largest_diffusion;
  });
  return static_cast<double>(count) / static_cast<double>(extremes.size());
}

}  // namespace galerna::solver
