#include "case/polytopic_keys.hpp"

namespace galerna::case_file {
namespace {

using enum KeyType;

/// What slabs share with flows, whose steps they are.
void add_outputs(std::vector<Key>& all) {
  for (const char* section : {"output.solution", "output.checkpoint", "output.monitor", "output.probe.NAME",
                              "output.fields", "output.integral.NAME", "output.picture.NAME", "output.figure.NAME"})
    for (Key key : keys_of(section)) {
      if (key.name == "streamlines") continue;
      if (key.section == "output.monitor" && key.name == "steps") key.fallback = "1 without interval";
      all.push_back(key);
    }
}

std::vector<Key> make_keys() {
  std::vector<Key> all;
  const auto add = [&](const std::vector<Key>& list) { all.insert(all.end(), list.begin(), list.end()); };
  add(in("", {{"title", text, "the file's name", "", "shown in messages and pictures"}}));
  add(in("mesh", {{"file", path, "", "", "Gmsh mesh (MSH 2.2 or 4.1) of straight elements"},
                  {"refine", integer, "0", "", "uniform nested refinements, before simplices become polytopes",
                   within(0, 10)}}));
  add(in("mesh.agglomerate",
         {{"simplices", integer, "", "", "simplices a polytope has in the mean", at_least(1)},
          {"polytopes", integer, "", "", "how many there are to be", at_least(1)},
          {"file", path, "", "", "one integer an element, in the order of the mesh file: its polytope"},
          {"groups", boolean, "false", "", "every physical group is a polytope"}}));
  add(in("equations", {{"type", text, "", "", "−∇·(a∇u) + b·∇u + c u = f", one_of({"advection-diffusion-reaction"})},
                       {"diffusion", formulas, "0", "", "a: a formula, or the rows of a symmetric tensor"},
                       {"velocity", formulas, "", "", "b: a list of formulas; none: 0"},
                       {"reaction", formula, "0", "", "c"},
                       {"source", formula, "0", "", "f"}}));
  add(in("discretization",
         {{"type", text, "interior-penalty", "", "the method", one_of({"interior-penalty"})},
          {"order", formula, "", "",
           "degree p, 0 … 6: a number, or a formula of place, taken at the centroid of each polytope; 0 where nothing "
           "diffuses"},
          {"order_file", path, "", "", "in place of order: one integer a polytope"},
          {"penalty", text, "certified", "", "rule for the penalty",
           one_of({"certified", "boundary", "simplex", "capped"})},
          {"penalty_factor", number, "2 (simplex and capped: 10)", "", "C of that rule", above(0)},
          {"volume_quadrature", integer, "2 p (p = 0: 2)", "", "degree of exactness in simplices", within(0, 60)},
          {"face_quadrature", integer, "2 p + 1 (p = 0: 3)", "", "degree of exactness on facets", within(0, 60)},
          {"time_quadrature", integer, "2 p + 1 (p = 0: 3)", "", "degree of exactness in time, with slabs",
           within(0, 60)}}));
  add(in("time",
         {{"type", text, "slabs", "", "space–time slabs, solved one after the other", one_of({"slabs"})},
          {"end", number, "", "time", "where the last slab ends", above(0)},
          {"slabs", integer, "", "", "how many there are", at_least(1)},
          {"space", text, "total", "", "polynomials of total degree p in (x, t), or of degree p in x times p in t",
           one_of({"total", "tensor"})}}));
  add(in("initial", {{"value", formula, "", "", "u at the beginning, with [time]"}}));
  add(in("exact", {{"value", formula, "", "", "the solution, where it is known: errors are reported"}}));
  add(in("boundary.NAME",
         {{"type", text, "", "",
           "dirichlet: u is `value` where the boundary is elliptic or the flow enters; neumann: n·a∇u is `flux`; "
           "outflow: that is 0; robin: n·a∇u + h u is `flux` where the boundary is elliptic or the flow enters",
           one_of({"dirichlet", "neumann", "outflow", "robin"})},
          {"value", formula, "0", "", "dirichlet: u"},
          {"flux", formula, "0", "", "neumann: n·a∇u; robin: n·a∇u + h u"},
          {"coefficient", formula, "", "", "robin: h, at least 0"},
          {"plate", boolean, "false", "",
           "sides may lie upon those of this or another such boundary: a plate of no thickness"}}));
  add(in("solver", {{"type", text, "multigrid", "", "how the equations are solved: direct is for small ones",
                     one_of({"multigrid", "direct"})},
                    {"tolerance", number, "1e-10", "",
                     "of the residual, relative to the right-hand side; multigrid goes on until it estimates its error "
                     "at a hundredth of that, relative to the solution",
                     within(0, 1, true)},
                    {"max_iterations", integer, "500", "", "before the run fails", within(1, 1e9)}}));
  add(in("output",
         {{"directory", path, "output", "", "where files go, relative to the working directory"},
          {"solution", boolean, "true", "", "write solution.vtu; with slabs VTU files and solution.pvd"},
          {"picture", boolean, "true", "", "write solution.png at the end, in the plane"},
          {"matrix", boolean, "false", "", "write matrix.mtx and right_hand_side.mtx, in Matrix Market format"}}));
  add_outputs(all);
  return all;
}

}  // namespace

const std::vector<Key>& polytopic_keys() {
  static const std::vector<Key> all = make_keys();
  return all;
}

}  // namespace galerna::case_file
