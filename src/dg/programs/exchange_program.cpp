#include "dg/programs/exchange_program.hpp"

#include <fmt/format.h>

#include "device/program_writer.hpp"
#include "kernels/rank_arguments.hpp"

namespace galerna::dg {

device::ProgramSource exchange_program(device::Precision precision) {
  const char* number = precision == device::Precision::single_precision ? "float" : "double";
  device::ProgramWriter out({device::Kind::cuda});
  out.include("kernels/rank_exchange.hpp");
  out.write({"exchange_numbers", "galerna::kernels::CutExchangeArguments", std::to_string(kernels::exchange_group), "",
             fmt::format("galerna::kernels::exchange_numbers<{}>(a);", number)});
  return out.finish(fmt::format("numbers across cuts, {}", number));
}

}  // namespace galerna::dg
