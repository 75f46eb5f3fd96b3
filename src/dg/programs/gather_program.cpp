#include "dg/programs/gather_program.hpp"

#include "device/program_writer.hpp"
#include "kernels/gather.hpp"

namespace galerna::dg {

device::ProgramSource gather_program() {
  constexpr device::ThreadEntry entry = {"gather_numbers", "galerna::kernels::GatherArguments",
                                         "galerna::kernels::gather_numbers", kernels::gather_group};
  device::ProgramWriter out({device::Kind::cuda});
  out.include("kernels/gather.hpp");
  out.write({&entry, 1});
  return out.finish("elements of states");
}

}  // namespace galerna::dg
