#include "device/program_writer.hpp"

#include <fmt/format.h>

namespace galerna::device {

void ProgramWriter::include(const std::string& header) {
  if (included_.insert(header).second) line(fmt::format("#include \"{}\"", header));
}

void ProgramWriter::append(const EntryPoint& e, Entries& to) const {
  to.names.push_back(e.name);
  if (on_host())
    to.text += fmt::format(
        "extern \"C\" void {}(const void* arguments, std::int64_t begin, std::int64_t end) {{\n"
        "  const auto& a = *static_cast<const {}*>(arguments);\n"
        "  for (std::int64_t item = begin; item < end; ++item) {}\n}}\n",
        e.name, e.arguments, e.host);
  else
    to.text += fmt::format(
        "extern \"C\" __global__ void __launch_bounds__({}) {}(const __grid_constant__ {} a) {{\n  {}\n}}\n", e.bounds,
        e.name, e.arguments, e.cuda);
}

void ProgramWriter::write(std::span<const ThreadEntry> entries) {
  for (const ThreadEntry& e : entries)
    write({e.name, e.arguments, std::to_string(e.threads), fmt::format("{}(a, item);", e.function),
           fmt::format("{}(a, blockIdx.x * std::int64_t(blockDim.x) + threadIdx.x);", e.function)});
}

std::vector<ProgramSource> ProgramWriter::finish(ProgramSource source) {
  std::vector<ProgramSource> programs;
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

ProgramSource ProgramWriter::finish(const std::string& title) {
  ProgramSource source;
  source.title = title;
  return finish(source).front();
}

}  // namespace galerna::device
