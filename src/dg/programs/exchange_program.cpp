#include "dg/programs/exchange_program.hpp"

#include <fmt/format.h>

#include "kernels/rank_arguments.hpp"

namespace galerna::dg {

device::ProgramSource exchange_program(device::Precision precision) {
  const char* number = precision == device::Precision::single_precision ? "float" : "double";
  device::ProgramSource source;
  source.title = fmt::format("numbers across cuts, {}", number);
  source.text = "#include \"kernels/rank_exchange.hpp\"\n";
  source.entries = {"exchange_numbers"};
  source.text += fmt::format(
      "extern \"C\" __global__ void __launch_bounds__({}) exchange_numbers(\n"
      "    const __grid_constant__ galerna::kernels::CutExchangeArguments a) {{\n"
      "  galerna::kernels::exchange_numbers<{}>(a);\n}}\n",
      kernels::exchange_group, number);
  return source;
}

}  // namespace galerna::dg
