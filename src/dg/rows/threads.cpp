#include "dg/rows/conditions.hpp"
#include "dg/rows/element_parts.hpp"
#include "dg/rows/rows.hpp"
#include "dg/rows/simplex_entries.hpp"

namespace galerna::dg {
namespace {

using namespace conditions;

// Beside other elements the traces between the sets are stored, too, which not everything pays for.
constexpr Condition low_order_beside_others = {"order 2 or lower beside other elements",
                                               [](const Elements& elements, const Spec& spec, const device::Target&) {
                                                 return elements.alone || spec.degree <= 2;
                                               }};
// With more modes their registers spill.
constexpr Condition low_order_of_tetrahedra = {
    "order 1 or lower on tetrahedra", [](const Elements& elements, const Spec& spec, const device::Target&) {
      return elements.operators.shape != Shape::tetrahedron || spec.degree <= 1;
    }};

// At orders 4 and 5 tiles are 1.6 and 2 times as fast, and these kernels compile for most of a first run.
constexpr Condition not_far_behind = {
    "order 3 or lower, or in single precision", [](const Elements&, const Spec& spec, const device::Target&) {
      return spec.degree <= 3 || spec.precision == device::Precision::single_precision;
    }};

std::vector<Entry> thread_entries(const KernelRequest& request) {
  return simplex_entries(request, "residual");
}

}  // namespace

Structure threads() {
  Structure row = {
      "threads",
      "A thread computes an element. It evaluates its neighbours' traces from their coefficients, which takes "
      "arithmetic and saves storing and reading traces (`kernels/residual.hpp`).",
      "H200, order 1: 99 GDOF/s, `element` 50; tetrahedra: 52, `element` 26",
      {gpu, straight_simplices, inviscid, low_order_beside_others, low_order_of_tetrahedra}};
  row.timed = not_far_behind;
  row.simplices = true;
  row.beyond = Beyond::neighbour;
  row.stores_traces = false;
  row.headers = {"kernels/residual.hpp", "kernels/monitor.hpp"};
  row.entries = thread_entries;
  row.monitor = monitor_of_elements;
  row.residual_range = range_of_elements;
  row.monitor_range = range_of_elements;
  row.steps_by_one_kernel = {2, 20'000};  // measured on an H200
  return row;
}

}  // namespace galerna::dg
