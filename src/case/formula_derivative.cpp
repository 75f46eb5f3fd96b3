#include "case/formula_derivative.hpp"

#include <cmath>
#include <stdexcept>
#include <unordered_map>

namespace galerna::case_file {
namespace {

using enum Operation;

bool is(const NodePointer& node, double value) {
  return node->operation == number && !node->condition && node->value == value;
}

// Sums and products that leave out zeros and ones: most derivatives of a formula's parts vanish.

NodePointer plus(const NodePointer& a, const NodePointer& b) {
  return is(a, 0) ? b : is(b, 0) ? a : make_node(add, {a, b});
}

NodePointer minus(const NodePointer& a, const NodePointer& b) {
  if (is(b, 0)) return a;
  return is(a, 0) ? make_node(negate, {b}) : make_node(subtract, {a, b});
}

NodePointer times(const NodePointer& a, const NodePointer& b) {
  if (is(a, 0) || is(b, 1)) return a;
  return is(b, 0) || is(a, 1) ? b : make_node(multiply, {a, b});
}

NodePointer over(const NodePointer& a, const NodePointer& b) {
  return is(a, 0) || is(b, 1) ? a : make_node(divide, {a, b});
}

NodePointer of(Operation function, const NodePointer& a) {
  return make_node(function, {a});
}

NodePointer square(const NodePointer& a) {
  return make_node(multiply, {a, a});
}

/// Derivative of a^b.
NodePointer power_rule(const NodePointer& a, const NodePointer& b, const NodePointer& da, const NodePointer& db) {
  const NodePointer lower = make_node(power, {a, minus(b, make_number(1))});
  const NodePointer of_base = times(times(b, lower), da);
  return is(db, 0) ? of_base : plus(of_base, times(times(make_node(power, {a, b}), of(log, a)), db));
}

/// Derivative of a node from those of its arguments: by the chain rule, for each operation its own. There is no
/// default, so that an operation without a rule cannot pass for one whose derivative vanishes.
NodePointer rule(const FormulaNode& node, const std::vector<NodePointer>& d) {
  const std::vector<NodePointer>& a = node.arguments;
  const NodePointer one = make_number(1);
  switch (node.operation) {
    case add:
      return plus(d[0], d[1]);
    case subtract:
      return minus(d[0], d[1]);
    case multiply:
      return plus(times(d[0], a[1]), times(a[0], d[1]));
    case divide:  // (a/b)' = (a' − (a/b) b')/b
      return over(minus(d[0], times(make_node(divide, {a[0], a[1]}), d[1])), a[1]);
    case negate:
      return is(d[0], 0) ? d[0] : of(negate, d[0]);
    case power:
      return power_rule(a[0], a[1], d[0], d[1]);
    case where:
      return is(d[1], 0) && is(d[2], 0) ? d[1] : make_node(where, {a[0], d[1], d[2]});
    case Operation::min:
      return make_node(where, {make_node(less, {a[1], a[0]}), d[1], d[0]});
    case Operation::max:
      return make_node(where, {make_node(less, {a[0], a[1]}), d[1], d[0]});
    case mod:  // a − b floor(a/b)
      return minus(d[0], times(d[1], of(Operation::floor, make_node(divide, {a[0], a[1]}))));
    case Operation::atan2:  // of (a, b): (a' b − a b')/(a² + b²)
      return over(minus(times(d[0], a[1]), times(a[0], d[1])), plus(square(a[0]), square(a[1])));
    case Operation::abs:
      return times(of(sign, a[0]), d[0]);
    case Operation::sqrt:
      return times(over(make_number(0.5), of(Operation::sqrt, a[0])), d[0]);
    case Operation::exp:
      return times(of(Operation::exp, a[0]), d[0]);
    case Operation::log:
      return times(over(one, a[0]), d[0]);
    case Operation::sin:
      return times(of(Operation::cos, a[0]), d[0]);
    case Operation::cos:
      return times(of(negate, of(Operation::sin, a[0])), d[0]);
    case Operation::tan:
      return times(over(one, square(of(Operation::cos, a[0]))), d[0]);
    case Operation::asin:
      return times(over(one, of(Operation::sqrt, minus(one, square(a[0])))), d[0]);
    case Operation::acos:
      return times(over(make_number(-1), of(Operation::sqrt, minus(one, square(a[0])))), d[0]);
    case Operation::atan:
      return times(over(one, plus(one, square(a[0]))), d[0]);
    case Operation::sinh:
      return times(of(Operation::cosh, a[0]), d[0]);
    case Operation::cosh:
      return times(of(Operation::sinh, a[0]), d[0]);
    case Operation::tanh:
      return times(minus(one, square(of(Operation::tanh, a[0]))), d[0]);
    case Operation::erf:  // 2/√π exp(−a²)
      return times(times(make_number(M_2_SQRTPI), of(Operation::exp, of(negate, square(a[0])))), d[0]);
    // Constant between their jumps:
    case Operation::floor:
    case Operation::ceil:
    case sign:
      return make_number(0);
    // Not made of arguments that are numbers; derivative() sees to them itself.
    case number:
    case x:
    case y:
    case z:
    case t:
    case variable:
    case less:
    case less_equal:
    case greater:
    case greater_equal:
    case equal:
    case not_equal:
    case both:
    case either:
    case negation:
      break;
  }
  throw std::logic_error("an operation of formulas without a rule of differentiation");
}

}  // namespace

NodePointer derivative(const NodePointer& root, int direction, std::size_t count) {
  if (root->condition) return nullptr;
  constexpr Operation coordinates[] = {x, y, z};
  std::unordered_map<const FormulaNode*, NodePointer> known;
  const NodePointer zero = make_number(0), one = make_number(1);
  for (const FormulaNode* node : sorted_nodes(*root)) {
    NodePointer& result = known[node];
    if (node->operation == variable) {
      const auto index = static_cast<std::size_t>(node->value);
      if (index >= count) return nullptr;
      result = make_variable((1 + static_cast<std::size_t>(direction)) * count + index);
    } else if (node->operation == coordinates[direction]) {
      result = one;
    } else if (node->constant || node->condition || node->arguments.empty()) {
      result = zero;
    } else {
      std::vector<NodePointer> of_arguments;
      for (const NodePointer& argument : node->arguments) of_arguments.push_back(known.at(argument.get()));
      result = rule(*node, of_arguments);
    }
  }
  return known.at(root.get());
}

}  // namespace galerna::case_file
