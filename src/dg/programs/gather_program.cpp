#include "dg/programs/gather_program.hpp"

#include <fmt/format.h>

#include "kernels/gather.hpp"

namespace galerna::dg {

device::ProgramSource gather_program() {
  device::ProgramSource source;
  source.title = "elements of states";
  source.text = fmt::format(
      "#include \"kernels/gather.hpp\"\n"
      "extern \"C\" __global__ void __launch_bounds__({}) gather_numbers(\n"
      "    const __grid_constant__ galerna::kernels::GatherArguments a) {{\n"
      "  galerna::kernels::gather_numbers(a, std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x);\n}}\n",
      kernels::gather_group);
  source.entries = {"gather_numbers"};
  return source;
}

}  // namespace galerna::dg
