#include "dg/rows/conditions.hpp"
#include "dg/rows/element_parts.hpp"
#include "dg/rows/rows.hpp"
#include "dg/rows/simplex_entries.hpp"

namespace galerna::dg {
namespace {

using namespace conditions;

constexpr Condition cpu = {"a CPU", [](const Elements&, const Spec&, const device::Target& target) {
                             return target.kind == device::Kind::host;
                           }};
constexpr Condition alone = {"a mesh of nothing else", [](const Elements& elements, const Spec&,
                                                          const device::Target&) { return elements.alone; }};

std::vector<Entry> pack_entries(const KernelRequest& request) {
  return simplex_entries(request, "pack_residual");
}

}  // namespace

Structure packs() {
  Structure row = {
      "packs",
      "A SIMD pack computes as many elements as it has lanes. One pass stores the traces of all elements, the "
      "next reads them, integrates and updates; fluxes of a pack stay in the fastest cache, sums of its products "
      "in registers (`kernels/packs`).",
      "AVX-512, one thread, orders 1 and 3: 2.2 and 1.6 times as fast as `element`; tetrahedra of orders 1 and 2: 1.5 "
      "and 1.2 times",
      {cpu, straight_simplices, inviscid, alone}};
  row.simplices = true;
  row.beyond = Beyond::slot;
  row.headers = {"kernels/packs/residual.hpp", "kernels/packs/monitor.hpp", "kernels/packs/traces.hpp"};
  row.entries = pack_entries;
  row.monitor = monitor_of_elements;
  row.residual_range = range_of_elements;
  row.monitor_range = range_of_elements;
  return row;
}

}  // namespace galerna::dg
