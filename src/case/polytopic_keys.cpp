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
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<Key> all = {
      {"", "title", text, "the file's name", "", "shown in messages and pictures"},
      {"mesh", "file", path, "", "", "Gmsh mesh (MSH 2.2 or 4.1) of straight elements"},
      {"mesh", "refine", integer, "0", "", "uniform nested refinements, before simplices become polytopes", {}, 0, 10},
      {"mesh.agglomerate", "simplices", integer, "", "", "simplices a polytope has in the mean", {}, 1},
      {"mesh.agglomerate", "polytopes", integer, "", "", "how many there are to be", {}, 1},
      {"mesh.agglomerate", "file", path, "", "", "one integer an element, in the order of the mesh file: its polytope"},
      {"mesh.agglomerate", "groups", boolean, "false", "", "every physical group is a polytope"},
      {"equations", "type", text, "", "", "−∇·(a∇u) + b·∇u + c u = f", {"advection-diffusion-reaction"}},
      {"equations", "diffusion", formulas, "0", "", "a: a formula, or the rows of a symmetric tensor"},
      {"equations", "velocity", formulas, "", "", "b: a list of formulas; none: 0"},
      {"equations", "reaction", formula, "0", "", "c"},
      {"equations", "source", formula, "0", "", "f"},
      {"discretization", "type", text, "interior-penalty", "", "the method", {"interior-penalty"}},
      {"discretization", "order", formula, "", "",
       "degree p, 0 … 6: a number, or a formula of place, taken at the centroid of each polytope; 0 where nothing "
       "diffuses"},
      {"discretization", "order_file", path, "", "", "in place of order: one integer a polytope"},
      {"discretization",
       "penalty",
       text,
       "certified",
       "",
       "rule for the penalty",
       {"certified", "boundary", "simplex", "capped"}},
      {"discretization",
       "penalty_factor",
       number,
       "2 (simplex and capped: 10)",
       "",
       "C of that rule",
       {},
       0,
       infinity,
       true},
      {"discretization",
       "volume_quadrature",
       integer,
       "2 p (p = 0: 2)",
       "",
       "degree of exactness in simplices",
       {},
       0,
       60},
      {"discretization",
       "face_quadrature",
       integer,
       "2 p + 1 (p = 0: 3)",
       "",
       "degree of exactness on facets",
       {},
       0,
       60},
      {"discretization",
       "time_quadrature",
       integer,
       "2 p + 1 (p = 0: 3)",
       "",
       "degree of exactness in time, with slabs",
       {},
       0,
       60},
      {"time", "type", text, "slabs", "", "space–time slabs, solved one after the other", {"slabs"}},
      {"time", "end", number, "", "time", "where the last slab ends", {}, 0, infinity, true},
      {"time", "slabs", integer, "", "", "how many there are", {}, 1},
      {"time",
       "space",
       text,
       "total",
       "",
       "polynomials of total degree p in (x, t), or of degree p in x times p in t",
       {"total", "tensor"}},
      {"initial", "value", formula, "", "", "u at the beginning, with [time]"},
      {"exact", "value", formula, "", "", "the solution, where it is known: errors are reported"},
      {"boundary.NAME",
       "type",
       text,
       "",
       "",
       "dirichlet: u is `value` where the boundary is elliptic or the flow enters; neumann: n·a∇u is `flux`; outflow: "
       "that is 0; robin: n·a∇u + h u is `flux` where the boundary is elliptic or the flow enters",
       {"dirichlet", "neumann", "outflow", "robin"}},
      {"boundary.NAME", "value", formula, "0", "", "dirichlet: u"},
      {"boundary.NAME", "flux", formula, "0", "", "neumann: n·a∇u; robin: n·a∇u + h u"},
      {"boundary.NAME", "coefficient", formula, "", "", "robin: h, at least 0"},
      {"boundary.NAME", "plate", boolean, "false", "",
       "sides may lie upon those of this or another such boundary: a plate of no thickness"},
      {"solver",
       "type",
       text,
       "multigrid",
       "",
       "how the equations are solved: direct is for small ones",
       {"multigrid", "direct"}},
      {"solver",
       "tolerance",
       number,
       "1e-10",
       "",
       "of the residual, relative to the right-hand side; multigrid goes on until it estimates its error at a "
       "hundredth "
       "of that, relative to the solution",
       {},
       0,
       1,
       true},
      {"solver", "max_iterations", integer, "500", "", "before the run fails", {}, 1},
      {"output", "directory", path, "output", "", "where files go, relative to the working directory"},
      {"output", "solution", boolean, "true", "", "write solution.vtu; with slabs VTU files and solution.pvd"},
      {"output", "picture", boolean, "true", "", "write solution.png at the end, in the plane"},
      {"output", "matrix", boolean, "false", "", "write matrix.mtx and right_hand_side.mtx, in Matrix Market format"},
  };
  add_outputs(all);
  return all;
}

}  // namespace

const std::vector<Key>& polytopic_keys() {
  static const std::vector<Key> all = make_keys();
  return all;
}

}  // namespace galerna::case_file
