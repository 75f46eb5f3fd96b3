#include "case/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "case/formula_derivative.hpp"
#include "case/formula_node.hpp"

namespace galerna::case_file {
namespace {

using enum Operation;

constexpr std::size_t longest_text = 10'000;
constexpr int deepest_nesting = 100;
const char* const normal_names[] = {"normal_x", "normal_y", "normal_z"};

/// Recursive descent over the text, one function for each level of precedence.
class Parser {
 public:
  Parser(const std::string& text, const SourcePlace& place, const Formula::Names& names,
         const std::map<std::string, NodePointer>& functions)
      : text_(text), place_(place), names_(names), functions_(functions) {}

  NodePointer parse() {
    if (text_.size() > longest_text) fail(0, fmt::format("the formula is longer than {} characters", longest_text));
    NodePointer node = disjunction();
    skip_spaces();
    if (at_ < text_.size()) fail_unexpected(at_);
    require_number(node, 0);
    return node;
  }

 private:
  [[noreturn]] void fail(std::size_t at, const std::string& message) const {
    SourcePlace place = place_;
    if (place.column > 0) place.column += static_cast<int>(at);
    throw InputError(place, message);
  }

  /// Says what stands there, a whole character of UTF-8.
  [[noreturn]] void fail_unexpected(std::size_t at) const {
    std::size_t end = at + 1;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
    const std::string character = text_.substr(at, end - at);
    static const std::map<std::string, const char*> meant = {
        {"−", "-"},  {"–", "-"},  {"—", "-"},  {"·", "*"},  {"×", "*"},  {"÷", "/"},    {"²", "^2"},
        {"³", "^3"}, {"≤", "<="}, {"≥", ">="}, {"≠", "!="}, {"π", "pi"}, {"√", "sqrt"}, {"γ", "gamma"}};
    const auto found = meant.find(character);
    fail(at, fmt::format("unexpected '{}' in the formula{}", character,
                         found == meant.end() ? "" : fmt::format(": write {}", found->second)));
  }

  void skip_spaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  /// Takes `token` if it comes next; words must end there.
  bool take(const std::string& token) {
    skip_spaces();
    if (text_.compare(at_, token.size(), token) != 0) return false;
    const std::size_t end = at_ + token.size();
    if (std::isalpha(static_cast<unsigned char>(token[0])) && end < text_.size() && is_name_character(text_[end]))
      return false;
    at_ = end;
    return true;
  }

  static bool is_name_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

  void require_number(const NodePointer& node, std::size_t at) const {
    if (node->condition) fail(at, "a condition stands where a number is needed; use where(condition, a, b)");
  }
  void require_condition(const NodePointer& node, std::size_t at) const {
    if (!node->condition) fail(at, "a number stands where a condition is needed, such as x < 0");
  }

  NodePointer logical(Operation operation, NodePointer left, const NodePointer& right, std::size_t at) {
    require_condition(left, at);
    require_condition(right, at);
    return make_node(operation, {left, right});
  }

  NodePointer disjunction() {
    const std::size_t begin = at_;
    NodePointer node = conjunction();
    while (take("or") || take("||")) node = logical(either, node, conjunction(), begin);
    return node;
  }

  NodePointer conjunction() {
    const std::size_t begin = at_;
    NodePointer node = inversion();
    while (take("and") || take("&&")) node = logical(both, node, inversion(), begin);
    return node;
  }

  NodePointer inversion() {
    skip_spaces();
    const std::size_t begin = at_;
    const bool followed_by_equals = at_ + 1 < text_.size() && text_[at_ + 1] == '=';
    if (take("not") || (!followed_by_equals && take("!"))) {
      const Depth depth(*this);
      NodePointer node = inversion();
      require_condition(node, begin);
      return make_node(negation, {node});
    }
    return comparison();
  }

  NodePointer comparison() {
    skip_spaces();
    const std::size_t begin = at_;
    NodePointer left = sum();
    static const std::pair<const char*, Operation> signs[] = {
        {"<=", less_equal}, {">=", greater_equal}, {"==", equal}, {"!=", not_equal}, {"<", less}, {">", greater}};
    for (const auto& [token, operation] : signs)
      if (take(token)) {
        NodePointer right = sum();
        require_number(left, begin);
        require_number(right, begin);
        refuse_equals();
        if (std::any_of(std::begin(signs), std::end(signs), [&](const auto& sign) { return take(sign.first); }))
          fail(begin, "comparisons make no chain: write a < x and x < b for a < x < b");
        return make_node(operation, {left, right});
      }
    refuse_equals();
    return left;
  }

  void refuse_equals() {
    skip_spaces();
    const bool equals = at_ < text_.size() && text_[at_] == '=';
    if (equals && text_.compare(at_, 2, "==") != 0) fail(at_, "'=' compares nothing: write ==");
  }

  NodePointer arithmetic(Operation operation, const NodePointer& left, const NodePointer& right, std::size_t at) {
    require_number(left, at);
    require_number(right, at);
    return make_node(operation, {left, right});
  }

  NodePointer sum() {
    skip_spaces();
    const std::size_t begin = at_;
    NodePointer node = product();
    while (true) {
      if (take("+"))
        node = arithmetic(add, node, product(), begin);
      else if (take("-"))
        node = arithmetic(subtract, node, product(), begin);
      else
        return node;
    }
  }

  NodePointer product() {
    skip_spaces();
    const std::size_t begin = at_;
    NodePointer node = unary();
    while (true) {
      if (take("*"))
        node = arithmetic(multiply, node, unary(), begin);
      else if (take("/"))
        node = arithmetic(divide, node, unary(), begin);
      else
        return node;
    }
  }

  NodePointer unary() {
    skip_spaces();
    const std::size_t begin = at_;
    const Depth depth(*this);
    if (take("+")) return unary();
    if (!take("-")) return exponentiation();
    NodePointer node = unary();
    require_number(node, begin);
    return make_node(negate, {node});
  }

  NodePointer exponentiation() {
    skip_spaces();
    const std::size_t begin = at_;
    NodePointer base = primary();
    if (!take("^") && !take("**")) return base;
    return arithmetic(power, base, unary(), begin);
  }

  NodePointer primary() {
    skip_spaces();
    const std::size_t begin = at_;
    if (at_ >= text_.size()) fail(at_, "the formula ends where a value is expected");
    if (take("(")) {
      const Depth depth(*this);
      NodePointer node = disjunction();
      if (!take(")")) fail(at_, fmt::format("missing ')' for the '(' at character {}", begin + 1));
      return node;
    }
    const char c = text_[at_];
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') return number_literal();
    if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') return name();
    fail_unexpected(at_);
  }

  NodePointer number_literal() {
    double value = 0;
    const char* first = text_.data() + at_;
    const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) fail(at_, "the number is out of range");
    if (error != std::errc()) fail(at_, "this is no number");
    const std::size_t begin = at_;
    at_ += static_cast<std::size_t>(end - first);
    if (at_ < text_.size() && is_name_character(text_[at_]))
      fail(begin,
           fmt::format("missing operator after {}; write 2*x for two times x", text_.substr(begin, at_ - begin)));
    return make_number(value);
  }

  NodePointer name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name_character(text_[at_])) ++at_;
    const std::string word = text_.substr(begin, at_ - begin);
    skip_spaces();
    const bool called = at_ < text_.size() && text_[at_] == '(';
    if (const FunctionEntry* function = find_function(word)) {
      if (!called) fail(begin, fmt::format("{} is a function: write {}(…)", word, word));
      return call(*function, begin);
    }
    static const std::map<std::string, Operation> coordinates = {{"x", x}, {"y", y}, {"z", z}, {"t", t}};
    if (called && (word == "ddx" || word == "ddy" || (word == "ddz" && names_.space)))
      return derivative_call(word, begin);
    if (called) fail(begin, unknown(word, called_names(), "function"));
    if (const auto found = coordinates.find(word); found != coordinates.end()) {
      if (names_.constants_only) fail_variable(begin, word, "is a variable");
      return make_node(found->second, {});
    }
    if (word == "pi") return make_number(M_PI);
    for (std::size_t v = 0; v < names_.variables.size(); ++v)
      if (word == names_.variables[v]) return make_variable(v);
    const std::size_t dimension = names_.space ? 3 : 2;
    for (std::size_t k = 0; names_.normal && k < dimension; ++k)
      if (word == normal_names[k]) return make_variable((1 + dimension) * names_.variables.size() + k);
    if (const auto found = names_.constants.find(word); found != names_.constants.end())
      return make_number(found->second);
    if (const auto found = functions_.find(word); found != functions_.end()) {
      if (names_.constants_only && !found->second->constant) fail_variable(begin, word, "depends on x, y, z or t");
      return found->second;
    }
    if (!names_.normal && std::find(normal_names, normal_names + 3, word) != normal_names + 3)
      fail(begin, fmt::format("'{}' is known only in [output.integral.NAME] along a boundary", word));
    std::vector<std::string> known = {"pi"};
    if (!names_.constants_only) known.insert(known.begin(), {"x", "y", "z", "t"});
    known.insert(known.end(), names_.variables.begin(), names_.variables.end());
    if (names_.normal) known.insert(known.end(), normal_names, normal_names + dimension);
    for (const auto& [constant, value] : names_.constants) known.push_back(constant);
    for (const auto& [function, node] : functions_) known.push_back(function);
    fail(begin, unknown(word, known, "name"));
  }

  [[noreturn]] void fail_variable(std::size_t at, const std::string& word, const char* why) const {
    fail(at,
         fmt::format("'{}' {}, but only constants may stand here: numbers, pi and names of [constants]", word, why));
  }

  static std::string unknown(const std::string& word, const std::vector<std::string>& known, const char* what) {
    const std::string near = nearest_name(word, known);
    return fmt::format("unknown {} '{}'{}; known are {}", what, word,
                       near.empty() ? "" : "; did you mean '" + near + "'?", list_names(known));
  }

  std::vector<std::string> called_names() const {
    std::vector<std::string> known = function_names();
    if (names_.derivatives) known.insert(known.end(), {"ddx", "ddy"});
    if (names_.derivatives && names_.space) known.emplace_back("ddz");
    return known;
  }

  NodePointer derivative_call(const std::string& word, std::size_t begin) {
    if (!names_.derivatives) fail(begin, fmt::format("{}(…) has a meaning in formulas of [output] only", word));
    const Depth depth(*this);
    take("(");
    const NodePointer argument = disjunction();
    if (!take(")")) fail(at_, fmt::format("missing ')' after the argument of {}", word));
    require_number(argument, begin);
    NodePointer result = derivative(argument, word.back() - 'x', names_.variables.size());
    if (!result)
      fail(begin, fmt::format("{}(…) of what is a derivative already, or of the normal: only first derivatives of "
                              "the solution are known",
                              word));
    return result;
  }

  NodePointer call(const FunctionEntry& function, std::size_t begin) {
    const Depth depth(*this);
    take("(");
    std::vector<NodePointer> arguments;
    if (!take(")")) {
      do arguments.push_back(disjunction());
      while (take(","));
      if (!take(")")) fail(at_, fmt::format("missing ')' after the arguments of {}", function.name));
    }
    if (static_cast<int>(arguments.size()) != function.arguments)
      fail(begin, fmt::format("{} takes {} argument{}, not {}", function.name, function.arguments,
                              function.arguments == 1 ? "" : "s", arguments.size()));
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (function.operation == where && i == 0)
        require_condition(arguments[i], begin);
      else
        require_number(arguments[i], begin);
    }
    return make_node(function.operation, std::move(arguments));
  }

  /// Counts nested levels, so that hostile input cannot exhaust the stack.
  class Depth {
   public:
    explicit Depth(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > deepest_nesting)
        parser_.fail(parser_.at_, fmt::format("the formula is nested more than {} levels deep", deepest_nesting));
    }
    ~Depth() { --parser_.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;

   private:
    Parser& parser_;
  };

  const std::string& text_;
  const SourcePlace& place_;
  const Formula::Names& names_;
  const std::map<std::string, NodePointer>& functions_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Formula::Formula(double value, SourcePlace place)
    : root_(make_number(value)), text_(fmt::format("{}", value)), place_(std::move(place)) {}

Formula Formula::parse(const std::string& text, const SourcePlace& place, const Names& names) {
  std::map<std::string, NodePointer> functions;
  for (const auto& [name, function] : names.functions) functions.emplace(name, function.root_);
  Formula formula;
  formula.root_ = Parser(text, place, names, functions).parse();
  formula.text_ = text;
  formula.place_ = place;
  return formula;
}

Formula Formula::parse(const std::string& text, const SourcePlace& place) {
  return parse(text, place, Names());
}

double Formula::operator()(double px, double py, double pz, double pt) const {
  return FormulaSteps(*root_)(px, py, pz, pt, nullptr);
}

Formula::AtPoint Formula::at_point() const {
  return [root = root_, steps = FormulaSteps(*root_)](double px, double py, double pz, double pt,
                                                      const double* values) { return steps(px, py, pz, pt, values); };
}

Formula Formula::derivative(int direction) const {
  Formula result;
  result.root_ = case_file::derivative(root_, direction, 0);
  result.text_ = fmt::format("d/d{} {}", "xyz"[direction], text_);
  result.place_ = place_;
  return result;
}

bool Formula::constant() const {
  return root_->constant;
}

bool Formula::depends_on_time() const {
  const std::vector<const FormulaNode*> nodes = sorted_nodes(*root_);
  return std::any_of(nodes.begin(), nodes.end(), [](const FormulaNode* n) { return n->operation == Operation::t; });
}

bool Formula::uses_values(std::size_t first, std::size_t last) const {
  const std::vector<const FormulaNode*> nodes = sorted_nodes(*root_);
  return std::any_of(nodes.begin(), nodes.end(), [&](const FormulaNode* node) {
    if (node->operation != variable) return false;
    const auto index = static_cast<std::size_t>(node->value);
    return index >= first && index < last;
  });
}

std::string Formula::cpp(const std::string& name) const {
  return cpp(name, false);
}

std::string Formula::cpp_of_solution(const std::string& name) const {
  return cpp(name, true);
}

std::string Formula::cpp(const std::string& name, bool of_solution) const {
  std::unordered_map<const FormulaNode*, std::string> names;
  std::string lines;
  for (const FormulaNode* node : sorted_nodes(*root_)) {
    std::vector<std::string> arguments;
    for (const NodePointer& argument : node->arguments) arguments.push_back(names.at(argument.get()));
    const std::string variable = fmt::format("v{}", names.size());
    names[node] = variable;
    lines += fmt::format("  const {} {} = {};\n", node->condition ? "auto" : "V", variable,
                         cpp_expression(*node, arguments));
  }
  return fmt::format(
      "template <class V{}>\nV {}([[maybe_unused]] const V& x, [[maybe_unused]] const V& y, [[maybe_unused]] const V& "
      "z,\n"
      "    [[maybe_unused]] const V& t{}) {{\n{}  return {};\n}}\n",
      of_solution ? ", class U" : "", name, of_solution ? ", [[maybe_unused]] const U& u" : "", lines,
      names.at(root_.get()));
}

}  // namespace galerna::case_file
