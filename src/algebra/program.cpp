#include <fmt/format.h>

#include "algebra/kernels.hpp"

namespace galerna::algebra {
namespace {

struct Entry {
  const char *name, *arguments, *function;
};

constexpr Entry entries[] = {
    {"product_double", "ProductArguments", "product<DoublePack>"},
    {"product_single", "ProductArguments", "product<SinglePack>"},
    {"dense_product", "DenseArguments", "dense_product<SinglePack>"},
    {"smooth", "SmoothArguments", "smooth<SinglePack>"},
    {"factor", "FactorArguments", "factor"},
    {"scale", "ScaleArguments", "scale"},
    {"scale_transfer", "ScaleTransferArguments", "scale_transfer"},
    {"enter", "ChangeArguments", "enter"},
    {"leave", "ChangeArguments", "leave"},
    {"prolongate", "TransferArguments", "prolongate"},
    {"restrict_residual", "TransferArguments", "restrict_residual"},
    {"add_double", "VectorArguments", "add<double, double>"},
    {"add_single", "VectorArguments", "add<float, float>"},
    {"to_single", "VectorArguments", "add<double, float>"},
    {"to_double", "VectorArguments", "add<float, double>"},
    {"scatter", "VectorArguments", "scatter"},
    {"dots_double", "DotArguments", "dots<double>"},
    {"dots_single", "DotArguments", "dots<float>"},
    {"combine_double", "CombineArguments", "combine<double>"},
    {"combine_single", "CombineArguments", "combine<float>"},
};

std::string pack(device::Kind kind, const char* real, int lanes) {
  if (kind == device::Kind::cuda) return real;
  return fmt::format("Pack<{}, {}>", real, lanes);
}

}  // namespace

device::ProgramSource program(device::Kind kind, int double_lanes, int single_lanes) {
  device::ProgramSource source;
  source.title = "linear algebra of dense blocks";
  for (const char* header : {"product", "scaling", "transfer", "vectors"})
    source.text += fmt::format("#include \"kernels/algebra/{}.hpp\"\n", header);
  source.text += fmt::format(
      "namespace {{\nusing namespace galerna::kernels;\nusing namespace galerna::kernels::algebra;\n"
      "using DoublePack = {};\nusing SinglePack = {};\n}}\n",
      pack(kind, "double", double_lanes), pack(kind, "float", single_lanes));
  for (const Entry& entry : entries) {
    source.entries.push_back(entry.name);
    if (kind == device::Kind::cuda)
      source.text += fmt::format(
          "extern \"C\" __global__ void __launch_bounds__({0}) {1}(const __grid_constant__ {2} a) {{\n"
          "  galerna::kernels::algebra::{3}(a, blockIdx.x * std::int64_t(blockDim.x) + threadIdx.x);\n}}\n",
          arguments::group, entry.name, entry.arguments, entry.function);
    else
      source.text += fmt::format(
          "extern \"C\" void {0}(const void* arguments, std::int64_t begin, std::int64_t end) {{\n"
          "  const auto& a = *static_cast<const {1}*>(arguments);\n"
          "  for (std::int64_t item = begin; item < end; ++item) galerna::kernels::algebra::{2}(a, item);\n}}\n",
          entry.name, entry.arguments, entry.function);
  }
  return source;
}

}  // namespace galerna::algebra
