#include "case/formula_node.hpp"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>
#include <unordered_set>

namespace galerna::case_file {
namespace {

using enum Operation;

constexpr FunctionEntry functions[] = {{"where", where, 3},
                                       {"abs", Operation::abs, 1},
                                       {"sqrt", Operation::sqrt, 1},
                                       {"exp", Operation::exp, 1},
                                       {"log", Operation::log, 1},
                                       {"sin", Operation::sin, 1},
                                       {"cos", Operation::cos, 1},
                                       {"tan", Operation::tan, 1},
                                       {"asin", Operation::asin, 1},
                                       {"acos", Operation::acos, 1},
                                       {"atan", Operation::atan, 1},
                                       {"atan2", Operation::atan2, 2},
                                       {"sinh", Operation::sinh, 1},
                                       {"cosh", Operation::cosh, 1},
                                       {"tanh", Operation::tanh, 1},
                                       {"erf", Operation::erf, 1},
                                       {"pow", power, 2},
                                       {"min", Operation::min, 2},
                                       {"max", Operation::max, 2},
                                       {"floor", Operation::floor, 1},
                                       {"ceil", Operation::ceil, 1},
                                       {"mod", mod, 2},
                                       {"sign", sign, 1}};

bool gives_condition(Operation operation) {
  switch (operation) {
    case less:
    case less_equal:
    case greater:
    case greater_equal:
    case equal:
    case not_equal:
    case both:
    case either:
    case negation:
      return true;
    default:
      return false;
  }
}

/// Value of an operation on numbers (conditions count as 0 and 1).
double apply(const FormulaNode& node, const double* a) {
  switch (node.operation) {
    case number:
      return node.value;
    case add:
      return a[0] + a[1];
    case subtract:
      return a[0] - a[1];
    case multiply:
      return a[0] * a[1];
    case divide:
      return a[0] / a[1];
    case negate:
      return -a[0];
    case power:
      return std::pow(a[0], a[1]);
    case less:
      return a[0] < a[1];
    case less_equal:
      return a[0] <= a[1];
    case greater:
      return a[0] > a[1];
    case greater_equal:
      return a[0] >= a[1];
    case equal:
      return a[0] == a[1];
    case not_equal:
      return a[0] != a[1];
    case both:
      return a[0] != 0 && a[1] != 0;
    case either:
      return a[0] != 0 || a[1] != 0;
    case negation:
      return a[0] == 0;
    case where:
      return a[0] != 0 ? a[1] : a[2];
    case Operation::abs:
      return std::abs(a[0]);
    case Operation::sqrt:
      return std::sqrt(a[0]);
    case Operation::exp:
      return std::exp(a[0]);
    case Operation::log:
      return std::log(a[0]);
    case Operation::sin:
      return std::sin(a[0]);
    case Operation::cos:
      return std::cos(a[0]);
    case Operation::tan:
      return std::tan(a[0]);
    case Operation::asin:
      return std::asin(a[0]);
    case Operation::acos:
      return std::acos(a[0]);
    case Operation::atan:
      return std::atan(a[0]);
    case Operation::atan2:
      return std::atan2(a[0], a[1]);
    case Operation::sinh:
      return std::sinh(a[0]);
    case Operation::cosh:
      return std::cosh(a[0]);
    case Operation::tanh:
      return std::tanh(a[0]);
    case Operation::erf:
      return std::erf(a[0]);
    case Operation::min:
      return a[1] < a[0] ? a[1] : a[0];
    case Operation::max:
      return a[0] < a[1] ? a[1] : a[0];
    case Operation::floor:
      return std::floor(a[0]);
    case Operation::ceil:
      return std::ceil(a[0]);
    case mod:
      return a[0] - a[1] * std::floor(a[0] / a[1]);
    case sign:
      return a[0] > 0 ? 1 : (a[0] < 0 ? -1 : 0);
    default:
      return 0;
  }
}

const char* infix(Operation operation) {
  switch (operation) {
    case add:
      return "+";
    case subtract:
      return "-";
    case multiply:
      return "*";
    case divide:
      return "/";
    case less:
      return "<";
    case less_equal:
      return "<=";
    case greater:
      return ">";
    case greater_equal:
      return ">=";
    case equal:
      return "==";
    case not_equal:
      return "!=";
    case both:
      return "&&";
    case either:
      return "||";
    default:
      return nullptr;
  }
}

std::string literal(double value) {
  if (std::isnan(value)) return "V(0.0) / V(0.0)";
  if (std::isinf(value)) return value > 0 ? "V(1.0) / V(0.0)" : "V(-1.0) / V(0.0)";
  return fmt::format("V(Scalar<V>({:a}))", value);
}

}  // namespace

const FunctionEntry* find_function(const std::string& name) {
  for (const FunctionEntry& entry : functions)
    if (name == entry.name) return &entry;
  return nullptr;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const FunctionEntry& entry : functions) names.emplace_back(entry.name);
  return names;
}

NodePointer make_number(double value) {
  auto node = std::make_shared<FormulaNode>();
  node->value = value;
  return node;
}

NodePointer make_variable(std::size_t index) {
  auto node = std::make_shared<FormulaNode>();
  node->operation = variable;
  node->value = static_cast<double>(index);
  node->constant = false;
  return node;
}

NodePointer make_node(Operation operation, std::vector<NodePointer> arguments) {
  auto node = std::make_shared<FormulaNode>();
  node->operation = operation;
  node->condition = gives_condition(operation);
  node->constant = operation != x && operation != y && operation != z && operation != t;
  double values[3] = {};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    node->constant = node->constant && arguments[i]->constant;
    values[i] = arguments[i]->value;
  }
  node->arguments = std::move(arguments);
  if (!node->constant || node->arguments.empty()) return node;
  if (!node->condition) return make_number(apply(*node, values));
  // A constant condition stays a condition: 0 < 1 or 1 < 0, its value kept for further folding.
  node->value = apply(*node, values);
  return node;
}

std::vector<const FormulaNode*> sorted_nodes(const FormulaNode& root) {
  std::vector<const FormulaNode*> sorted;
  std::unordered_set<const FormulaNode*> seen;
  std::vector<std::pair<const FormulaNode*, bool>> stack = {{&root, false}};
  while (!stack.empty()) {
    const auto [node, expanded] = stack.back();
    stack.pop_back();
    if (expanded) {
      sorted.push_back(node);
      continue;
    }
    if (!seen.insert(node).second) continue;
    stack.emplace_back(node, true);
    for (const NodePointer& argument : node->arguments) stack.emplace_back(argument.get(), false);
  }
  return sorted;
}

FormulaSteps::FormulaSteps(const FormulaNode& root) {
  std::unordered_map<const FormulaNode*, std::size_t> index;
  for (const FormulaNode* node : sorted_nodes(root)) {
    Step step{node, {}};
    for (std::size_t i = 0; i < node->arguments.size(); ++i) step.arguments[i] = index.at(node->arguments[i].get());
    index[node] = steps_.size();
    steps_.push_back(step);
  }
}

double FormulaSteps::operator()(double px, double py, double pz, double pt, const double* variables) const {
  thread_local std::vector<double> values;  // not made anew for each of millions of points
  values.clear();
  for (const Step& step : steps_) {
    double arguments[3] = {};
    for (std::size_t i = 0; i < step.node->arguments.size(); ++i) arguments[i] = values[step.arguments[i]];
    switch (step.node->operation) {
      case x:
        values.push_back(px);
        break;
      case y:
        values.push_back(py);
        break;
      case z:
        values.push_back(pz);
        break;
      case t:
        values.push_back(pt);
        break;
      case variable:
        values.push_back(variables[static_cast<std::size_t>(step.node->value)]);
        break;
      default:
        values.push_back(apply(*step.node, arguments));
    }
  }
  return values.back();
}

std::string cpp_expression(const FormulaNode& node, const std::vector<std::string>& a) {
  if (const char* sign_text = infix(node.operation)) return fmt::format("{} {} {}", a[0], sign_text, a[1]);
  switch (node.operation) {
    case number:
      return literal(node.value);
    case x:
      return "x";
    case y:
      return "y";
    case z:
      return "z";
    case t:
      return "t";
    case variable:
      return fmt::format("V(u[{}])", static_cast<int>(node.value));
    case negate:
      return "-" + a[0];
    case negation:
      return "!" + a[0];
    case where:
      return fmt::format("select({}, {}, {})", a[0], a[1], a[2]);
    case power: {
      const FormulaNode& exponent = *node.arguments[1];
      const double n = exponent.value;
      if (exponent.operation == number && n == std::floor(n) && std::abs(n) <= 16)
        return fmt::format("power<{}>({})", static_cast<int>(n), a[0]);
      return fmt::format("pow({}, {})", a[0], a[1]);
    }
    default:
      break;
  }
  for (const FunctionEntry& entry : functions)
    if (entry.operation == node.operation)
      return a.size() == 2 ? fmt::format("galerna::kernels::{}({}, {})", entry.name, a[0], a[1])
                           : fmt::format("galerna::kernels::{}({})", entry.name, a[0]);
  return "";
}

}  // namespace galerna::case_file
