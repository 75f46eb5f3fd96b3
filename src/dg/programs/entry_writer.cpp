#include "dg/programs/entry_writer.hpp"

namespace galerna::dg {

void EntryWriter::append(const Entry& e, Entries& to) const {
  to.names.push_back(e.name);
  const auto line = [&](const std::string& text) { to.text += text + "\n"; };
  if (on_host()) {
    line(fmt::format("extern \"C\" void {}(const void* arguments, std::int64_t begin, std::int64_t end) {{", e.name));
    line(fmt::format("  const auto& a = *static_cast<const {}*>(arguments);", e.arguments));
    line("  for (std::int64_t block = begin; block < end; ++block)");
    line(fmt::format("    galerna::kernels::{}(a, Item{{block, 0}});", e.function));
  } else {
    line(fmt::format("extern \"C\" __global__ void __launch_bounds__({}) {}(const __grid_constant__ {} a) {{", e.bounds,
                     e.name, e.arguments));
    if (e.threads == Entry::of_block) {
      line(fmt::format("  galerna::kernels::{}(a);", e.function));
    } else {
      line(fmt::format("  const unsigned group = blockIdx.x + first_of_launch(a) / 128 * {};", e.threads));
      line("  const std::int64_t thread = group * std::int64_t(blockDim.x) + threadIdx.x;");
      line(fmt::format("  galerna::kernels::{}(a, {});", e.function, item(e.threads)));
    }
  }
  line("}");
}

std::vector<device::ProgramSource> EntryWriter::finish(device::ProgramSource source) {
  std::vector<device::ProgramSource> programs;
  const auto add = [&](const Entries& entries, const std::string& title) {
    programs.push_back(source);
    programs.back().title = title;
    programs.back().text = text_ + entries.text;
    programs.back().entries = entries.names;
  };
  for (const Entries& one : apart_) add(one, source.title + ", " + one.names.front());
  if (apart_.empty() || !together_.names.empty()) add(together_, source.title);
  return programs;
}

}  // namespace galerna::dg
