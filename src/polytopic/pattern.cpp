// The pattern of the matrix, made on the device that has the mesh (kernels/polytopic/pattern.hpp).
#include "kernels/polytopic/pattern.hpp"
#include "base/index.hpp"
#include "device/address.hpp"
#include "kernels/prefix_sums.hpp"
#include "polytopic/discretization.hpp"

namespace galerna::polytopic {

using kernels::PrefixSumArguments;

template <class PatternArguments>
void Discretization::launch_pattern(const char* entry, std::int64_t items, const PatternArguments& arguments) {
  load("pattern");
  if (items > 0) launcher_.launch(entry, thread_range(items), arguments);
}

void Discretization::make_pattern() {
  const char* purpose = "pattern of the matrix";
  const std::int64_t polytopes = mesh_.polytopes, interfaces = mesh_.interface_count(),
                     blocks = polytopes + 2 * interfaces;
  blocks_ = {};
  blocks_.rows = device().allocate(at(polytopes + 1) * sizeof(std::int64_t), purpose);
  blocks_.columns = device().allocate(at(blocks) * sizeof(std::int32_t), purpose);
  blocks_.offsets = device().allocate(at(blocks + 1) * sizeof(std::int64_t), purpose);
  blocks_.value_count = value_count_;
  const auto reserve = [&](std::unique_ptr<device::Memory>& memory, std::int64_t numbers) {
    memory.reset();
    memory = allocate(at(numbers) * sizeof(std::int64_t), purpose);
    return device::address<std::int64_t>(memory);
  };
  kernels::polytopic::PatternArguments a{};
  a.mesh = arguments_.mesh;
  a.polytopes = polytopes;
  for (const int degree : degree_set_) a.modes[degree] = basis::box_mode_count(spec_.space, degree);
  a.rows = device::address<std::int64_t>(blocks_.rows);
  a.columns = device::address<std::int32_t>(blocks_.columns);
  a.offsets = device::address<std::int64_t>(blocks_.offsets);
  arguments_.diagonal_blocks = a.diagonal_blocks = reserve(diagonal_blocks_, polytopes + 1);
  arguments_.interface_blocks = a.interface_blocks = reserve(interface_blocks_, 2 * interfaces);

  std::unique_ptr<device::Memory> totals;
  std::int64_t* sums = reserve(totals, PrefixSumArguments::total_count(polytopes + 1));
  const auto run = [&](const char* entry, std::int64_t items) {
    a.count = items;
    launch_pattern(entry, items, a);
  };
  run("count_blocks", polytopes + 1);
  sum_up({a.rows, polytopes + 1, sums});
  sum_up({a.diagonal_blocks, polytopes + 1, sums});
  run("fill_row", polytopes);
  run("find_interface_blocks", interfaces);
  device().synchronize();
}

void Discretization::sum_up(const PrefixSumArguments& a) {
  const std::int64_t chunks = a.chunks();
  const bool host = device().kind() == device::Kind::host;
  launch_pattern("sum_chunk", host ? chunks : chunks * PrefixSumArguments::sharers, a);
  if (chunks == 1) return;
  sum_up({a.totals, chunks, a.totals + chunks});
  launch_pattern("add_beginning", a.count, a);
}

algebra::BlockPattern Discretization::pattern() const {
  return algebra::download(device(), sizes_, blocks_);
}

}  // namespace galerna::polytopic
