/// \file
/// Formulas of x, y, z and t, and in some places of the solution, in case files. A formula is parsed into an expression
/// graph; it can be evaluated here or written as C++ for the kernels. The graph is all that becomes code: a formula can
/// call nothing but the functions listed in formula.cpp.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace galerna::case_file {

struct FormulaNode;

/// An expression with a numeric value. Shared parts (named functions of the case) are stored once.
class Formula {
 public:
  /// What names mean beside x, y, z, t and pi.
  struct Names {
    std::vector<std::string> variables;  ///< of the solution, where a formula may use them; they come first
    std::map<std::string, double> constants;
    std::map<std::string, Formula> functions;
    bool constants_only = false;  ///< x, y, z, t and functions of them are refused
    bool derivatives = false;     ///< ddx(…) and ddy(…): derivatives in space of a formula of the variables
    bool space = false;           ///< and ddz(…)
    bool normal = false;          ///< normal_x and normal_y, in 3D also normal_z
  };

  Formula() : Formula(0.0) {}
  /// \param place where the case gives it, if it does
  explicit Formula(double value, SourcePlace place = {});

  /// Grammar: or, and, not (||, &&, !), comparisons, + −, * /, unary −, ^ or ** (to the right), parentheses, numbers,
  /// names, calls. \param place of the text; the column in messages is that of the offending character. \throws
  /// InputError for errors of syntax, unknown names (with the nearest one), mixed-up numbers and conditions, more than
  ///   10,000 characters or 100 nested parentheses.
  static Formula parse(const std::string& text, const SourcePlace& place, const Names& names);
  static Formula parse(const std::string& text, const SourcePlace& place);  ///< without names

  /// Of a formula without variables of the solution.
  double operator()(double x, double y, double z, double t) const;
  /// The value at a point in the plane. \param values of the n variables, then (where the formula uses them) their n
  /// derivatives by x, their n derivatives by y, in space those by z, then the normal's components.
  using AtPoint = std::function<double(double x, double y, double z, double t, const double* values)>;
  AtPoint at_point() const;
  /// ∂/∂x (direction 0), ∂/∂y (1) or ∂/∂z (2) of a formula without variables of the solution.
  Formula derivative(int direction) const;
  bool constant() const;  ///< depends on none of x, y, z, t and the solution
  bool depends_on_time() const;
  /// Whether it uses a number from `first` up to `last` (not included) of at_point's `values`.
  bool uses_values(std::size_t first, std::size_t last) const;
  const std::string& text() const { return text_; }
  const SourcePlace& place() const { return place_; }  ///< for messages about its values

  /// C++ text of `template <class V> V NAME(const V& x, const V& y, const V& z, const V& t)`: one line for each node,
  /// in terms of the functions of kernels/lane.hpp.
  std::string cpp(const std::string& name) const;
  /// The same of `template <class V, class U> V NAME(x, y, z, t, const U& u)`, u[i] being variable i of the solution.
  std::string cpp_of_solution(const std::string& name) const;

 private:
  std::string cpp(const std::string& name, bool of_solution) const;

  std::shared_ptr<const FormulaNode> root_;
  std::string text_;
  SourcePlace place_;
};

}  // namespace galerna::case_file
