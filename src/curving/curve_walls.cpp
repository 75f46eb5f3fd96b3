#include "curving/curve_walls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/index.hpp"
#include "base/interruption.hpp"
#include "base/parallel.hpp"
#include "curving/body.hpp"
#include "curving/cramped.hpp"
#include "curving/layers.hpp"
#include "mesh/checks.hpp"
#include "mesh/geometry.hpp"
#include "mesh/raise.hpp"
#include "mesh/validity.hpp"

namespace galerna::curving {
namespace {

using mesh::Index;
using mesh::Point;

constexpr double least_ratio = 0.05;  // of min J / max J
constexpr double kept_ratio = 0.5;    // of that of the straight element, where it is less
constexpr int halvings = 5, more_rounds = 20;
constexpr double rough = 1e-5, fine = 1e-6;  // tolerances of solutions: while nodes are held back, and at the end

void check(const mesh::Mesh& mesh, const Options& options) {
  const auto fail = [&](const std::string& text) { throw InputError({mesh.file}, text); };
  if (options.order < 2 || options.order > 4)
    fail(fmt::format("geometry order {} of curved walls: allowed are 2 to 4", options.order));
  if (options.layers < 1) fail(fmt::format("{} layers of curved elements: allowed are 1 and more", options.layers));
  if (!(options.poisson > -1 && options.poisson < 0.5))
    fail(fmt::format("Poisson's ratio {:g}: it must be less than 0.5 and more than −1", options.poisson));
  for (const mesh::ElementBlock& block : mesh.blocks)
    if (block.order > 1)
      fail(fmt::format("the mesh has {} of geometry order {} already: write it with straight elements (order 1)",
                       plural_name(block.shape), block.order));
}

void refuse(const mesh::Mesh& mesh, const std::vector<Cramped>& cramped) {
  std::vector<std::string> texts;
  for (const Cramped& c : cramped)
    texts.push_back(
        fmt::format("{} has two sides or all corners on one smooth wall, and would fold: mesh it otherwise, or "
                    "let it be split (mesh.elasticity.split)",
                    mesh::place_of(mesh, c.element)));
  mesh::report_problems(mesh, texts);
}

/// Bounds of all raised elements: [element], of straight ones those of a parallelepiped.
std::vector<mesh::Validity> bounds_of(const mesh::Mesh& mesh) {
  mesh::Validity straight;
  straight.verdict = mesh::Validity::Verdict::valid;
  straight.least = straight.reached = straight.most = 1;
  std::vector<mesh::Validity> result(at(mesh.element_count()), straight);
  in_parallel(mesh.element_count(), 64, [&](Index begin, Index end) {
    for (Index e = begin; e < end; ++e)
      if (mesh.blocks[at(mesh.locate(e).block)].order > 1) result[at(e)] = mesh::validity(mesh, e);
  });
  return result;
}

class WallCurver {
 public:
  WallCurver(const mesh::Mesh& mesh, const mesh::Surfaces& surfaces, const Options& options)
      : options_(options),
        sides_(mesh, surfaces),
        walls_(place_wall_nodes(mesh, surfaces, sides_, options.order)),
        layers_(find_layers(mesh, walls_, options.layers)),
        raised_(mesh::raise(mesh, options.order, layers_.chosen).mesh),
        body_(make_body(raised_, sides_, walls_, wall_of_)),
        displacement_(at(body_.unknowns())),
        share_(at(body_.unknowns()), 1.0) {
    unknown_of_.assign(walls_.list.size(), -1);
    wall_at_.assign(at(body_.unknowns()), not_wall);
    for (std::size_t n = 0; n < wall_of_.size(); ++n)
      if (wall_of_[n] != not_wall) {
        const Index unknown = unknown_of_[wall_of_[n]] = body_.unknown[n];
        if (wall_at_[at(unknown)] == not_wall) wall_at_[at(unknown)] = wall_of_[n];
      }
  }

  Curved run() {
    const std::vector<mesh::Validity> straight = bounds_of(raised_);
    check_straight(straight);
    const Elasticity elasticity(body_, options_.poisson);
    find_wall_nodes_at_corners();
    double tolerance = rough;
    for (int round = 0;;) {
      stop_if_interrupted("moving the walls' nodes onto their shapes");
      give_displacements();
      solve(elasticity, tolerance);
      mesh::Mesh moved = move_nodes();
      const std::vector<Index> failed = judge(moved, straight);
      if (failed.empty() && tolerance == fine) return finish(std::move(moved));
      if (failed.empty()) {
        tolerance = fine;
      } else if (hold_back(failed, round++)) {
        tolerance = rough;
      } else if (tolerance == fine) {
        std::fill(share_.begin(), share_.end(), 0.0);
      } else {
        tolerance = fine;  // elements that no wall moves may have failed since the solution is rough
      }
    }
  }

 private:
  void check_straight(const std::vector<mesh::Validity>& straight) const {
    std::vector<std::string> texts;
    for (Index e = 0; e < raised_.element_count(); ++e)
      if (straight[at(e)].verdict != mesh::Validity::Verdict::valid)
        texts.push_back(fmt::format("{} is folded before it is curved: mend the straight mesh", place_of(raised_, e)));
    mesh::report_problems(raised_, texts);
  }

  void solve(const Elasticity& elasticity, double tolerance) {
    const Solve solve = curving::solve(body_, elasticity, displacement_, tolerance);
    ++report_.solves;
    report_.iterations += solve.iterations;
    report_.converged = solve.converged;
  }

  /// Displacements of walls; what follows them keeps those of the round before as a start.
  void give_displacements() {
    for (std::size_t unknown = 0; unknown < wall_at_.size(); ++unknown)
      if (const std::size_t wall = wall_at_[unknown]; wall != not_wall) {
        const WallNode& node = walls_.list[wall];
        displacement_[unknown] = times(share_[unknown], minus(node.target, node.straight));
      }
  }

  mesh::Mesh move_nodes() const {
    mesh::Mesh moved = raised_;
    for (std::size_t n = 0; n < moved.nodes.size(); ++n)
      if (const Index unknown = body_.unknown[n]; unknown >= 0) {
        const bool arrived = wall_of_[n] != not_wall && share_[at(unknown)] == 1;
        moved.nodes[n] = arrived ? walls_.list[wall_of_[n]].target : plus(moved.nodes[n], displacement_[at(unknown)]);
      }
    return moved;
  }

  std::vector<Index> judge(const mesh::Mesh& moved, const std::vector<mesh::Validity>& straight) {
    const std::vector<mesh::Validity> bounds = bounds_of(moved);
    std::vector<Index> failed;
    report_.least_ratio = 1;
    for (Index e = 0; e < moved.element_count(); ++e) {
      const double allowed = std::min(least_ratio, kept_ratio * straight[at(e)].ratio()), own = bounds[at(e)].ratio();
      const bool turned = bounds[at(e)].sign != straight[at(e)].sign;  // inside out as a whole
      if (bounds[at(e)].verdict != mesh::Validity::Verdict::valid || own < allowed || turned) failed.push_back(e);
      if (own < report_.least_ratio) report_.least_ratio = own, report_.worst = e;
    }
    return failed;
  }

  /// Which wall nodes lie on wall sides at each corner of a wall.
  void find_wall_nodes_at_corners() {
    for (const auto& [place, number] : walls_.numbers)
      for (const Index corner : place.corners)
        if (corner >= 0) at_corner_[corner].push_back(number);
    for (auto& [corner, list] : at_corner_) std::sort(list.begin(), list.end());
  }

  /// Holds back the wall nodes of elements that failed; of elements without any, those round the corners that they were
  /// reached from. \return whether there are any
  bool hold_back(const std::vector<Index>& failed, int round) {
    std::vector<char> hold(share_.size(), 0);
    for (const Index e : failed) {
      bool own = false;
      for (const Index n : raised_.element_nodes(e))
        if (const Index unknown = body_.unknown[at(n)]; moves(unknown)) hold[at(unknown)] = 1, own = true;
      if (own) continue;
      for (const Index corner : raised_.corners(e))
        if (const Index origin = layers_.origin[at(corner)]; origin >= 0)
          for (const std::size_t wall : at_corner_[origin]) hold[at(unknown_of_[wall])] = 1;
    }
    bool held = false;
    for (Index unknown = 0; unknown < body_.unknowns(); ++unknown) {
      if (!hold[at(unknown)] || !moves(unknown)) continue;
      share_[at(unknown)] = round < halvings ? 0.5 * share_[at(unknown)] : 0;
      held = true;
    }
    if (round >= halvings + more_rounds) std::fill(share_.begin(), share_.end(), 0.0);
    return held;
  }

  /// Whether it is a wall's and has some of its displacement left.
  bool moves(Index unknown) const { return wall_at_[at(unknown)] != not_wall && share_[at(unknown)] > 0; }

  Curved finish(mesh::Mesh moved) {
    for (std::size_t n = 0; n < wall_of_.size(); ++n) {
      if (wall_of_[n] == not_wall) continue;
      const WallNode& node = walls_.list[wall_of_[n]];
      const double left = (1 - share_[at(body_.unknown[n])]) * mesh::distance(node.target, node.straight);
      if (left > 0) report_.held.push_back({static_cast<Index>(n), moved.nodes[n], left});
    }
    std::stable_sort(report_.held.begin(), report_.held.end(),
                     [](const HeldNode& a, const HeldNode& b) { return a.distance > b.distance; });
    for (const mesh::ElementBlock& block : moved.blocks)
      if (block.order > 1) report_.curved += block.size();
    report_.wall_nodes = static_cast<Index>(walls_.list.size());
    report_.unknowns = moved.dimension * body_.unknowns();
    return {std::move(moved), std::move(report_)};
  }

  Options options_;
  SideTable sides_;
  WallNodes walls_;
  Layers layers_;
  mesh::Mesh raised_;                 ///< straight-sided
  std::vector<std::size_t> wall_of_;  ///< [node]
  Body body_;
  std::vector<Vector> displacement_;  ///< [unknown]
  std::vector<double> share_;         ///< [unknown] of a wall's displacement that is given
  std::vector<Index> unknown_of_;     ///< [wall node]
  std::vector<std::size_t> wall_at_;  ///< [unknown] the first of its wall nodes
  std::unordered_map<Index, std::vector<std::size_t>> at_corner_;
  Report report_;
};

}  // namespace

Curved curve_walls(const mesh::Mesh& mesh, const mesh::Surfaces& surfaces, const Options& options) {
  check(mesh, options);
  mesh::Mesh divided = mesh;
  Index splits = 0;
  std::vector<Cramped> cramped;
  for (int round = 0; round < 5; ++round) {  // neighbours of an element that was split wait for the next round
    cramped = find_cramped(divided, SideTable(divided, surfaces));
    if (!options.split) refuse(divided, cramped);
    const Index more = split_cramped(divided, cramped);
    splits += more;
    if (more == 0) break;
  }
  Curved curved = WallCurver(divided, surfaces, options).run();
  curved.report.split = splits;
  curved.report.cramped = static_cast<Index>(cramped.size());
  return curved;
}

std::string describe(const Curved& curved) {
  const Report& report = curved.report;
  std::string text = fmt::format(
      "curved: {} of {} elements, {} nodes on walls, {} unknowns, {} iterations in {} solve{}\n"
      "valid: all, proved; smallest min J / max J {:.3g}",
      report.curved, curved.mesh.element_count(), report.wall_nodes, report.unknowns, report.iterations, report.solves,
      report.solves == 1 ? "" : "s", report.least_ratio);
  if (report.worst >= 0) text += ", of " + place_of(curved.mesh, report.worst);
  if (report.split > 0)
    text += fmt::format("\nsplit: {} edges of elements with two sides or all corners on a wall", report.split);
  if (report.cramped > 0) text += fmt::format("\ncramped: {} such elements are left", report.cramped);
  text += fmt::format("\nheld back: {} of {} nodes on walls\n", report.held.size(), report.wall_nodes);
  constexpr std::size_t shown = 10;
  for (std::size_t i = 0; i < std::min(shown, report.held.size()); ++i)
    text += fmt::format("  at {}, {:.3g} from its shape\n", mesh::to_text(report.held[i].place, curved.mesh.dimension),
                        report.held[i].distance);
  if (report.held.size() > shown) text += fmt::format("  and {} more, nearer\n", report.held.size() - shown);
  if (!report.converged)
    text += "warning: the elastic displacement did not converge; the certificate holds all the same\n";
  return text;
}

std::string held_as_csv(const std::vector<HeldNode>& held) {
  std::string text = "x,y,z,distance\n";
  for (const auto& [node, x, distance] : held)
    text += fmt::format("{:.17g},{:.17g},{:.17g},{:.17g}\n", x[0], x[1], x[2], distance);
  return text;
}

}  // namespace galerna::curving
