// Assembly by kernels/polytopic/scattered.hpp, for comparison.

#include <algorithm>
#include <bit>

#include "base/index.hpp"
#include "device/address.hpp"
#include "polytopic/discretization.hpp"
#include "polytopic/scattered.hpp"

namespace galerna::polytopic {

void Discretization::make_scattered() {
  scattered_ = std::make_unique<ScatteredArrays>();
  kernels::polytopic::ScatteredArguments& a = scattered_->arguments;
  a.polytopes = mesh_.polytopes;
  a.simplices = mesh_.simplex_count();
  a.inner_facets = mesh_.inner_facet_count();
  scattered_->facet_items = 3 * a.inner_facets + mesh_.facet_count();
  if (assembly_.method != Assembly::Method::sorted_slots) return;
  a.contributions = a.simplices + scattered_->facet_items;
  scattered_->padded = static_cast<std::int64_t>(std::bit_ceil(at(a.contributions)));
  const auto modes = at(basis::box_mode_count(spec_.space, *degree_set_.rbegin()));
  const auto reserve = [&](std::size_t numbers) { return allocate(numbers * sizeof(double), "slots of the assembly"); };
  scattered_->slots = reserve(at(a.contributions) * modes * (modes + 1));
  scattered_->keys = reserve(at(scattered_->padded));
  scattered_->ids = reserve(at(scattered_->padded));
  a.slots = device::address<double>(scattered_->slots);
  a.keys = device::address<std::int64_t>(scattered_->keys);
  a.ids = device::address<std::int64_t>(scattered_->ids);
}

void Discretization::assemble_scattered() {
  kernels::polytopic::ScatteredArguments& a = scattered_->arguments;
  a.assembly = arguments_;
  a.rows = device::address<std::int64_t>(blocks_.rows);
  a.columns = device::address<std::int32_t>(blocks_.columns);
  a.offsets = device::address<std::int64_t>(blocks_.offsets);
  load("scattered");
  const auto run = [&](const char* entry, std::int64_t items) {
    if (items == 0) return;
    a.count = items;
    launcher_.launch(entry, thread_range(items), a);
  };
  if (!a.slots) {
    device().clear(*values_);
    device().clear(*right_hand_side_);
  }
  run("scatter_simplex", a.simplices);
  run("scatter_facet", scattered_->facet_items);
  if (a.slots) {
    run("fill_keys", scattered_->padded - a.contributions);
    for (a.length = 2; a.length <= scattered_->padded; a.length *= 2)
      for (a.distance = a.length / 2; a.distance > 0; a.distance /= 2) run("sort_stage", scattered_->padded / 2);
    run("add_duplicates", a.contributions);
  }
  device().synchronize();
}

}  // namespace galerna::polytopic
