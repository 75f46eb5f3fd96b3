#include "dg/programs/index_program.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "dg/programs/program_equations.hpp"

namespace galerna::dg {
namespace {

/// kernels/array.hpp with an index that is looked at; in place of it, since #pragma once keeps others from including
/// it.
const char* const checked_arrays = R"cpp(
#define Array PlainArray
#include "kernels/array.hpp"
#undef Array
  namespace galerna::kernels {
  struct IndexFault {
    int index, size, place;
  };
  inline IndexFault* index_fault = nullptr;
  constexpr int checked_index(int i, int size) {
    if (i >= 0 && i < size) return i;
    if (index_fault && index_fault->size == 0) index_fault->index = i, index_fault->size = size;
    return 0;
  }
  template <class T, int n>
  struct Array {
    T values[n];
    constexpr T& operator[](int i) { return values[checked_index(i, n)]; }
    constexpr const T& operator[](int i) const { return values[checked_index(i, n)]; }
    static constexpr int size() { return n; }
  };
  /// Of numbers and arrays of them; nothing is known of other types.
  template <class T>
  constexpr bool is_finite(const T&) {
    return true;
  }
  constexpr bool is_finite(double x) {
    return x - x == 0;
  }
  template <class T, int n>
  constexpr bool is_finite(const Array<T, n>& x) {
    for (int i = 0; i < n; ++i)
      if (!is_finite(x.values[i])) return false;
    return true;
  }
  template <class T>
  void look_at(IndexFault& fault, const T& result) {
    if (fault.size == 0 && !is_finite(result)) fault.size = not_finite;
  }
  inline void look_at_speed(IndexFault& fault, double speed) {
    look_at(fault, speed);
    if (fault.size == 0 && speed < 0) fault.size = negative;
  }
  inline void look_at_mask(IndexFault& fault, bool admissible) {
    if (fault.size == 0 && !admissible) fault.size = inadmissible;
  }
  }  // namespace galerna::kernels
)cpp";

/// Function as messages name it, and a call of it.
using Call = std::pair<std::string, std::string>;

/// What looks at the result of a function.
const char* look_of(const Call& call) {
  if (call.first.find("wave_speed(") != std::string::npos) return "look_at_speed";
  return call.first == "admissible(u)" ? "look_at_mask" : "look_at";
}

std::vector<Call> calls(const Spec& spec) {
  std::vector<Call> list;
  if (spec.equations.from_primitive) list.emplace_back("from_primitive(values)", "u = D::from_primitive(values)");
  list.insert(list.end(), {{"primitive(u)", "D::primitive(u)"},
                           {"flux(u, a)", "D::flux(u, a)"},
                           {"flux(u, w, a)", "D::flux(u, D::primitive(u), a)"},
                           {"largest_wave_speed(u)", "D::largest_wave_speed(u)"},
                           {"wave_speed(u, n)", "D::wave_speed(u, a)"},
                           {"wave_speed(u, w, n)", "D::wave_speed(u, D::primitive(u), a)"},
                           {"admissible(u)", "D::admissible(u)"},
                           {"pressure(u)", "D::pressure(u)"},
                           {"entropy_ratio(u, reference)", "D::entropy_ratio(u, u)"}});
  if (spec.equations.source) list.emplace_back("source(u, position, time)", "D::source(u, at.position, at.time)");
  if (spec.viscous)
    list.insert(list.end(), {{"viscous_flux(u, gradients, a)", "D::viscous_flux(u, gradients, a)"},
                             {"viscous_flux(u, w, gradients, a)", "D::viscous_flux(u, D::primitive(u), gradients, a)"},
                             {"largest_diffusivity(u)", "D::largest_diffusivity(u)"}});
  std::set<std::string> ghosts;
  for (const BoundaryCondition& boundary : spec.boundaries)
    if (boundary.kernel.header == spec.equations.header && ghosts.insert(boundary.kernel.type).second)
      list.emplace_back(boundary.kernel.type + "::ghost(inside, at)",
                        boundary.kernel.type + "::template ghost<S>(u, at)");
  return list;
}

}  // namespace

std::vector<std::string> called_functions(const Spec& spec) {
  std::vector<std::string> names;
  for (const Call& call : calls(spec)) names.push_back(call.first);
  return names;
}

device::ProgramSource index_program(const Spec& spec) {
  const std::string codes = fmt::format(
      "namespace galerna::kernels {{\nconstexpr int not_finite = {}, negative = {}, inadmissible = {};\n}}\n",
      not_finite_fault, negative_speed_fault, inadmissible_fault);
  device::ProgramSource source{spec.title + ", functions of the header", codes + checked_arrays, {"call_equations"}};
  if (spec.equations.text) source.headers.push_back(*spec.equations.text);
  source.text += "#include \"kernels/boundary/condition.hpp\"\n";
  for (const std::string& header : equation_headers(spec)) source.text += fmt::format("#include \"{}\"\n", header);
  source.text += fmt::format("#include \"{}\"\n", spec.flux.header);
  source.text += "namespace galerna::kernels {\n" + equations_text(spec);
  source.text += fmt::format(
      "struct Arguments {{\n  int places;\n  const double *positions, *values;\n  IndexFault* faults;\n"
      "  volatile int* now;\n}};\n"
      "template <class D, class S>\nvoid call_all(const Arguments& arguments, int place) {{\n"
      "  constexpr int dimension = {};\n  Array<double, D::variables> values{{}}, u{{}};\n"
      "  for (int v = 0; v < D::variables; ++v) u[v] = values[v] = arguments.values[place * D::variables + v];\n"
      "  Array<double, dimension> a{{}};\n  a[0] = 1;\n"
      "  Array<Array<double, D::variables>, dimension> gradients{{}};\n"
      "  FacePoint<double, dimension> at{{}};\n  at.normal[0] = at.wall_normal[0] = 1;\n"
      "  for (int k = 0; k < 3; ++k) at.position[k] = arguments.positions[place * 3 + k];\n",
      dimension(spec.shape));
  const std::vector<Call> all = calls(spec);
  for (std::size_t k = 0; k < all.size(); ++k)
    source.text += fmt::format(
        "  *arguments.now = {0};\n  index_fault = arguments.faults + {0};\n"
        "  if (index_fault->size == 0) index_fault->place = place;\n"
        "  if constexpr (requires {{ {1}; }}) {2}(*index_fault, {1});\n",
        k, all[k].second, look_of(all[k]));
  source.text +=
      "  index_fault = nullptr;\n}\n}  // namespace galerna::kernels\n"
      "extern \"C\" void call_equations(const void* arguments, std::int64_t, std::int64_t) {\n"
      "  using namespace galerna::kernels;\n"
      "  const Arguments& all = *static_cast<const Arguments*>(arguments);\n"
      "  for (int place = 0; place < all.places; ++place) call_all<Definition, System>(all, place);\n}\n";
  return source;
}

}  // namespace galerna::dg
