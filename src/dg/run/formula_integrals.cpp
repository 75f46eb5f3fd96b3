#include "dg/run/formula_integrals.hpp"

#include <algorithm>

#include "mesh/boundaries.hpp"

namespace galerna::dg {
namespace {

const char* const purpose = "integrals of formulas";

// FormulaIntegralArguments::places
constexpr double everywhere = -1, padding = -2, nowhere = -3;

/// The region, and what stands for it together with others.
std::vector<double> region_numbers(const mesh::Mesh& mesh, const std::string& name) {
  const int region = mesh::find_region(mesh, name);
  std::vector<double> numbers = {static_cast<double>(region)};
  for (std::size_t s = 0; s < mesh.shared_regions.size(); ++s)
    if (std::ranges::count(mesh.shared_regions[s], region) > 0)
      numbers.push_back(static_cast<double>(mesh.region_names.size() + s));
  return numbers;
}

double boundary_number(const mesh::Mesh& mesh, const std::string& name) {
  return static_cast<double>(&mesh::find_boundary(mesh, name) - mesh.boundaries.data());
}

/// The points of a rule on side `side` of a shape.
basis::Quadrature on_side(Shape shape, int side, basis::Quadrature rule) {
  rule.points = basis::side_points(shape, side, rule.points);
  return rule;
}

/// The rule of sides of a shape: p + 4 Gauss–Legendre points in 2D.
basis::Quadrature side_rule(Shape side, int degree, int geometry_order) {
  if (side == Shape::line) return basis::gauss_legendre(degree + 4);
  return basis::quadrature(side, basis::function_degree(side, degree, geometry_order));
}

/// FormulaIntegralArguments::outward of a side.
void put_normal(kernels::FormulaIntegralArguments& a, Shape shape, int side) {
  const auto normal = reference_normal(shape, side);
  const double weights = reference_measure(side_shape(shape, side));
  for (std::size_t d = 0; d < 3; ++d) a.outward[d] = normal[d] / weights;
}

}  // namespace

FormulaIntegrals::FormulaIntegrals(device::Launcher& launcher, const mesh::Mesh& mesh, const Spec& spec,
                                   const std::vector<ElementSet>& sets, const StateArrays& states, const Ranks* ranks)
    : launcher_(launcher),
      device_(launcher.device()),
      mesh_(mesh),
      spec_(spec),
      sets_(sets),
      states_(states),
      ranks_(ranks) {
  for (const bool sides : {false, true}) {
    Group group = group_of(sides);
    if (group.integrals.empty()) continue;
    sides ? add_sides(group) : add_elements(group);
    allocate_sums(group);
    groups_.push_back(std::move(group));
  }
}

FormulaIntegrals::Group FormulaIntegrals::group_of(bool sides) const {
  Group group;
  std::vector<std::vector<double>> wanted;
  group.entry = sides ? "formula_side_integrals" : "formula_integrals";
  for (std::size_t i = 0; i < spec_.integrals.size(); ++i) {
    const FormulaIntegral& integral = spec_.integrals[i];
    if (integral.boundary.has_value() != sides) continue;
    group.integrals.push_back(i);
    group.gradients = group.gradients || integral.gradients;
    wanted.push_back(sides             ? std::vector{boundary_number(mesh_, *integral.boundary)}
                     : integral.region ? region_numbers(mesh_, *integral.region)
                                       : std::vector{everywhere});
    group.choices = std::max(group.choices, wanted.back().size());
  }
  for (std::vector<double>& places : wanted) {
    places.resize(group.choices, nowhere);
    group.wanted.insert(group.wanted.end(), places.begin(), places.end());
  }
  return group;
}

void FormulaIntegrals::add_elements(Group& group) const {
  for (std::size_t b = 0; b < sets_.size(); ++b) {
    const mesh::ElementBlock& block = mesh_.blocks[b];
    const basis::Quadrature rule =
        basis::quadrature(block.shape, basis::function_degree(block.shape, spec_.degree, block.order));
    std::vector<mesh::Index> positions(static_cast<std::size_t>(block.size()));
    for (std::size_t e = 0; e < positions.size(); ++e) positions[e] = static_cast<mesh::Index>(e);
    add_part(group, sets_[b], positions, rule, std::vector<double>(block.region.begin(), block.region.end()));
  }
}

void FormulaIntegrals::add_sides(Group& group) const {
  for (std::size_t b = 0; b < sets_.size(); ++b) {
    const Shape shape = mesh_.blocks[b].shape;
    const int order = mesh_.blocks[b].order;
    for (int number = 0; number < side_count(shape); ++number) {
      std::vector<mesh::Index> positions;
      std::vector<double> places;
      for (std::size_t k = 0; k < mesh_.boundaries.size(); ++k) {
        const auto place = static_cast<double>(k);
        if (std::find(group.wanted.begin(), group.wanted.end(), place) == group.wanted.end()) continue;
        for (const mesh::Side& side : mesh_.boundaries[k].sides) {
          const mesh::Mesh::Location at = mesh_.locate(side.element);
          if (at.block != static_cast<int>(b) || side.side != number) continue;
          positions.push_back(at.position);
          places.push_back(place);
        }
      }
      if (positions.empty()) continue;
      const basis::Quadrature rule = side_rule(side_shape(shape, number), spec_.degree, order);
      Part& part = add_part(group, sets_[b], positions, on_side(shape, number, rule), places);
      put_normal(part.arguments, shape, number);
      part.positions = upload_integers(device_, purpose, part.blocks, 1, [&] {
        return padded(part.blocks, std::vector<std::int32_t>(positions.begin(), positions.end()), 1);
      });
      part.arguments.positions = static_cast<const std::int32_t*>(address(part.positions));
    }
  }
}

/// \param positions of the elements in the set, or of those that sides belong to; `places` of the same
FormulaIntegrals::Part& FormulaIntegrals::add_part(Group& group, const ElementSet& set,
                                                   const std::vector<mesh::Index>& positions,
                                                   const basis::Quadrature& rule,
                                                   const std::vector<double>& places) const {
  const auto number = static_cast<std::size_t>(&set - sets_.data());
  const mesh::ElementBlock& block = mesh_.blocks[number];
  const Blocks blocks = make_blocks(static_cast<std::int64_t>(positions.size()), device_, spec_.precision);
  Part part{&set,
            blocks,
            group.next_block(),
            RuleTables(device_, purpose, block.shape, spec_.degree, block.order, rule, group.gradients),
            {},
            {},
            {}};
  const auto precision = device::Precision::double_precision;
  part.nodes = upload_blocked(device_, purpose, precision, blocks, block.nodes_per_element() * mesh_.dimension,
                              [&] { return node_coordinates(mesh_, block, positions); });
  Blocks all = blocks;
  all.items = blocks.padded();
  part.places = upload_blocked(device_, purpose, precision, all, 1, [&] {
    std::vector<double> lanes = places;
    lanes.resize(static_cast<std::size_t>(all.items), padding);
    return lanes;
  });
  part.tables.put(part.arguments.rule);
  part.arguments.rule.nodes = static_cast<const double*>(address(part.nodes));
  part.arguments.slopes = part.tables.slopes();
  part.arguments.places = static_cast<const double*>(address(part.places));
  group.parts.push_back(std::move(part));
  return group.parts.back();
}

void FormulaIntegrals::allocate_sums(Group& group) const {
  const std::int64_t blocks = group.blocks();
  const std::size_t count = group.integrals.size();
  group.wanted_array = upload(device_, purpose, group.wanted);
  group.partials = allocate_cleared(device_, purpose, 3 * count * static_cast<std::size_t>(blocks) * sizeof(double));
  group.sums = allocate_cleared(device_, purpose, count * sizeof(double));
  for (Part& part : group.parts) {
    part.arguments.wanted = static_cast<const double*>(address(group.wanted_array));
    part.arguments.choices = static_cast<std::int64_t>(group.choices);
    part.arguments.rule.partials = static_cast<double*>(address(group.partials)) + part.first_block;
    part.arguments.rule.blocks = blocks;
  }
}

std::vector<double> FormulaIntegrals::values(device::Memory& state, double time) const {
  std::vector<double> result(spec_.integrals.size());
  for (const Group& group : groups_) {
    launcher_.for_each(group.parts, [&](const Part& part) {
      kernels::FormulaIntegralArguments a = part.arguments;
      a.rule.state = states_.part(state, *part.set);
      a.rule.time = time;
      launcher_.launch(group.entry, range_of(part.blocks, device_.kind()), a);
    });
    const std::int64_t blocks = group.blocks();
    if (ranks_) join_rows(*ranks_, device_, *group.partials, blocks, 0, static_cast<int>(group.integrals.size()));
    for (std::size_t i = 0; i < group.integrals.size(); ++i) {
      const auto number = static_cast<std::int64_t>(i);
      const kernels::IntegralSumArguments sum{static_cast<const double*>(address(group.partials)) + 3 * number * blocks,
                                              blocks, static_cast<double*>(address(group.sums)) + i};
      launcher_.launch("formula_integral_sum", {device_.kind() == device::Kind::cuda ? 256 : 1, 256}, sum);
    }
    const std::vector<double> sums = read_numbers(device_, group.sums.get());
    for (std::size_t i = 0; i < sums.size(); ++i) result[group.integrals[i]] = sums[i];
  }
  return result;
}

}  // namespace galerna::dg
