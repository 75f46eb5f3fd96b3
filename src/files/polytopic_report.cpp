#include "files/polytopic_report.hpp"

#include <fmt/format.h>

namespace galerna::files {

std::string describe(const PolytopicReport& r) {
  const std::string order = r.least_order == r.largest_order ? fmt::format("{}", r.largest_order)
                                                             : fmt::format("{} … {}", r.least_order, r.largest_order);
  std::string text =
      fmt::format("{} polytopes, {} interfaces, {} facets, order {}\n", r.polytopes, r.interfaces, r.facets, order);
  text += fmt::format("{} degrees of freedom, {} non-zeros{}\n", r.matrix.dofs, r.matrix.nonzeros,
                      r.slabs > 0 ? fmt::format(" a slab, {} slabs", r.slabs) : "");
  text += fmt::format("penalty {}, factor {:g}: {:.4g} … {:.4g}\n", r.penalty.rule, r.penalty.factor, r.penalty.least,
                      r.penalty.largest);
  text += fmt::format("solver {}{}: residual {:.2e}\n", r.solver.type,
                      r.solver.iterations > 0 ? fmt::format(", {} iterations", r.solver.iterations) : "",
                      r.solver.residual);
  if (r.errors) {
    text += fmt::format("\n  {:>14} {:>14} {:>14}\n  {:14.6e} {:14.6e} {:14.6e}\n", "error L2", "H1 seminorm",
                        "DG norm", r.errors->l2, r.errors->h1_seminorm, r.errors->dg);
    if (r.errors->l2_end) text += fmt::format("  at the end, L2: {:.6e}\n", *r.errors->l2_end);
  }
  if (!r.fluxes.empty()) text += fmt::format("\n  {:14} {:>14} {:>14}\n", "leaves through", "diffusive", "advective");
  for (const PolytopicReport::Flux& flux : r.fluxes)
    text += fmt::format("  {:14} {:14.6e} {:14.6e}\n", flux.boundary, flux.diffusive, flux.advective);
  const PolytopicReport::Conservation& c = r.conservation;
  text += fmt::format("  source {:.6e}, consumed {:.6e}, stored {:.6e}; defect {:.1e}, of an element at most {:.1e}\n",
                      c.source, c.consumed, c.stored, c.defect, c.largest_element_defect);
  return text + fmt::format("\n  integral {:.12g}, energy {:.12g}\n", r.integral, r.energy);
}

}  // namespace galerna::files
