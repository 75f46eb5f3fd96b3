#include "dg/programs/entry_writer.hpp"

#include <fmt/format.h>

namespace galerna::dg {

std::string EntryWriter::item(int threads) const {
  return fmt::format("Item{{thread / {}, int(thread / {} % {}), int(thread % {})}}", target_.lanes * threads, threads,
                     target_.lanes, threads);
}

device::EntryPoint EntryWriter::point(const Entry& e) const {
  device::EntryPoint point{e.name, e.arguments, e.bounds,
                           fmt::format("galerna::kernels::{}(a, Item{{item, 0}});", e.function), ""};
  if (e.threads == Entry::of_block)
    point.cuda = fmt::format("galerna::kernels::{}(a);", e.function);
  else
    point.cuda = fmt::format(
        "const unsigned group = blockIdx.x + first_of_launch(a) / 128 * {};\n"
        "  const std::int64_t thread = group * std::int64_t(blockDim.x) + threadIdx.x;\n"
        "  galerna::kernels::{}(a, {});",
        e.threads, e.function, item(e.threads));
  return point;
}

}  // namespace galerna::dg
