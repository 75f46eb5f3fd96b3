#include <fmt/format.h>

#include "algebra/kernels.hpp"
#include "device/program_writer.hpp"

namespace galerna::algebra {
namespace {

constexpr device::ThreadEntry entries[] = {
    {"product_double", "ProductArguments", "galerna::kernels::algebra::product<DoublePack>"},
    {"product_single", "ProductArguments", "galerna::kernels::algebra::product<SinglePack>"},
    {"dense_product", "DenseArguments", "galerna::kernels::algebra::dense_product<SinglePack>"},
    {"smooth", "SmoothArguments", "galerna::kernels::algebra::smooth<SinglePack>"},
    {"factor", "FactorArguments", "galerna::kernels::algebra::factor"},
    {"scale", "ScaleArguments", "galerna::kernels::algebra::scale"},
    {"scale_transfer", "ScaleTransferArguments", "galerna::kernels::algebra::scale_transfer"},
    {"enter", "ChangeArguments", "galerna::kernels::algebra::enter"},
    {"leave", "ChangeArguments", "galerna::kernels::algebra::leave"},
    {"prolongate", "TransferArguments", "galerna::kernels::algebra::prolongate"},
    {"restrict_residual", "TransferArguments", "galerna::kernels::algebra::restrict_residual"},
    {"add_double", "VectorArguments", "galerna::kernels::algebra::add<double, double>"},
    {"add_single", "VectorArguments", "galerna::kernels::algebra::add<float, float>"},
    {"to_single", "VectorArguments", "galerna::kernels::algebra::add<double, float>"},
    {"to_double", "VectorArguments", "galerna::kernels::algebra::add<float, double>"},
    {"scatter", "VectorArguments", "galerna::kernels::algebra::scatter"},
    {"dots_double", "DotArguments", "galerna::kernels::algebra::dots<double>"},
    {"dots_single", "DotArguments", "galerna::kernels::algebra::dots<float>"},
    {"combine_double", "CombineArguments", "galerna::kernels::algebra::combine<double>"},
    {"combine_single", "CombineArguments", "galerna::kernels::algebra::combine<float>"},
};

std::string pack(device::Kind kind, const char* real, int lanes) {
  if (kind == device::Kind::cuda) return real;
  return fmt::format("Pack<{}, {}>", real, lanes);
}

}  // namespace

device::ProgramSource program(device::Kind kind, int double_lanes, int single_lanes) {
  device::ProgramWriter out({kind});
  for (const char* header : {"product", "scaling", "transfer", "vectors"})
    out.include(fmt::format("kernels/algebra/{}.hpp", header));
  out.line(
      fmt::format("namespace {{\nusing namespace galerna::kernels;\nusing namespace galerna::kernels::algebra;\n"
                  "using DoublePack = {};\nusing SinglePack = {};\n}}",
                  pack(kind, "double", double_lanes), pack(kind, "float", single_lanes)));
  out.write(entries);
  return out.finish("linear algebra of dense blocks");
}

}  // namespace galerna::algebra
