#include <fmt/format.h>

#include "algebra/kernels.hpp"

namespace galerna::algebra {
namespace {

constexpr PlainEntry entries[] = {
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

device::ProgramSource plain_program(device::Kind kind, const std::string& title, const std::string& head,
                                    std::span<const PlainEntry> entries) {
  device::ProgramSource source;
  source.title = title;
  source.text = head;
  for (const PlainEntry& entry : entries) {
    source.entries.push_back(entry.name);
    if (kind == device::Kind::cuda)
      source.text += fmt::format(
          "extern \"C\" __global__ void __launch_bounds__({0}) {1}(const __grid_constant__ {2} a) {{\n"
          "  {3}(a, blockIdx.x * std::int64_t(blockDim.x) + threadIdx.x);\n}}\n",
          entry.threads, entry.name, entry.arguments, entry.function);
    else
      source.text += fmt::format(
          "extern \"C\" void {0}(const void* arguments, std::int64_t begin, std::int64_t end) {{\n"
          "  const auto& a = *static_cast<const {1}*>(arguments);\n"
          "  for (std::int64_t item = begin; item < end; ++item) {2}(a, item);\n}}\n",
          entry.name, entry.arguments, entry.function);
  }
  return source;
}

device::ProgramSource program(device::Kind kind, int double_lanes, int single_lanes) {
  std::string head;
  for (const char* header : {"product", "scaling", "transfer", "vectors"})
    head += fmt::format("#include \"kernels/algebra/{}.hpp\"\n", header);
  head += fmt::format(
      "namespace {{\nusing namespace galerna::kernels;\nusing namespace galerna::kernels::algebra;\n"
      "using DoublePack = {};\nusing SinglePack = {};\n}}\n",
      pack(kind, "double", double_lanes), pack(kind, "float", single_lanes));
  return plain_program(kind, "linear algebra of dense blocks", head, entries);
}

}  // namespace galerna::algebra
