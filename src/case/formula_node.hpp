/// \file
/// Nodes of a formula's expression graph.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace galerna::case_file {

enum class Operation {
  number,
  x,
  y,
  z,
  t,
  variable,
  add,
  subtract,
  multiply,
  divide,
  negate,
  power,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  both,
  either,
  negation,
  where,
  abs,
  sqrt,
  exp,
  log,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  erf,
  min,
  max,
  floor,
  ceil,
  mod,
  sign
};

struct FormulaNode {
  Operation operation = Operation::number;
  double value = 0;  ///< of a number; the index of a variable of the solution
  std::vector<std::shared_ptr<const FormulaNode>> arguments;
  bool condition = false;  ///< true or false instead of a number
  bool constant = true;    ///< depends on none of x, y, z, t and the solution
};

using NodePointer = std::shared_ptr<const FormulaNode>;

/// The function that formulas call by this name; null if there is none.
struct FunctionEntry {
  const char* name;
  Operation operation;
  int arguments;
};
const FunctionEntry* find_function(const std::string& name);
std::vector<std::string> function_names();

/// A node, folded to a number where all arguments are constant. `arguments` must be of the right kinds.
NodePointer make_node(Operation operation, std::vector<NodePointer> arguments);
NodePointer make_number(double value);
NodePointer make_variable(std::size_t index);

/// All nodes that `root` reaches, arguments before the nodes that use them, each once.
std::vector<const FormulaNode*> sorted_nodes(const FormulaNode& root);

/// A graph as a list of steps, to be evaluated many times. It points into the graph.
class FormulaSteps {
 public:
  explicit FormulaSteps(const FormulaNode& root);
  /// Value of the root; conditions are 0 or 1. \param variables of the solution; may be null where none is used.
  double operator()(double x, double y, double z, double t, const double* variables) const;

 private:
  struct Step {
    const FormulaNode* node;
    std::array<std::size_t, 3> arguments;  ///< steps
  };
  std::vector<Step> steps_;
};

/// The right-hand side of a node in C++, given the names of its arguments.
std::string cpp_expression(const FormulaNode& node, const std::vector<std::string>& arguments);

}  // namespace galerna::case_file
