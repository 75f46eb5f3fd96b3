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
  };

  Formula() : Formula(0.0) {}
  explicit Formula(double value);

  /// Grammar: or, and, not (||, &&, !), comparisons, + −, * /, unary −, ^ or ** (to the right), parentheses, numbers,
  /// names, calls. \param place of the text; the column in messages is that of the offending character. \throws
  /// InputError for errors of syntax, unknown names (with the nearest one), mixed-up numbers and conditions, more than
  ///   10,000 characters or 100 nested parentheses.
  static Formula parse(const std::string& text, const SourcePlace& place, const Names& names);
  static Formula parse(const std::string& text, const SourcePlace& place);  ///< without names

  /// Of a formula without variables of the solution.
  double operator()(double x, double y, double z, double t) const;
  /// The value as a function of the solution's variables alone; x, y, z and t are 0.
  std::function<double(const double* variables)> of_solution() const;
  bool constant() const;          ///< depends on none of x, y, z, t and the solution
  bool of_place_or_time() const;  ///< depends on x, y, z or t
  bool depends_on_time() const;
  const std::string& text() const { return text_; }

  /// C++ text of `template <class V> V NAME(const V& x, const V& y, const V& z, const V& t)`: one line for each node,
  /// in terms of the functions of kernels/lane.hpp.
  std::string cpp(const std::string& name) const;
  /// The same of `template <class V, class U> V NAME(x, y, z, t, const U& u)`, u[i] being variable i of the solution.
  std::string cpp_of_solution(const std::string& name) const;

 private:
  std::string cpp(const std::string& name, bool of_solution) const;

  std::shared_ptr<const FormulaNode> root_;
  std::string text_;
};

}  // namespace galerna::case_file
