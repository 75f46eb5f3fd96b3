#include "device/ceilings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "device/program.hpp"

namespace galerna::device {
namespace {

struct CopyArguments {
  const void* from;
  void* to;
};

constexpr int fma_chains = 8, fma_length = 4096;

/// Entry points `copy` (an item moves a block of 32 doubles on Host, one double on Cuda), `fma_double`, `fma_single`.
ProgramSource make_program(const Device& device) {
  ProgramSource source;
  source.title = "ceilings of the device";
  source.entries = {"copy", "fma_double", "fma_single"};
  source.text = "#include \"kernels/lane.hpp\"\nstruct Arguments { const void* from; void* to; };\n";
  const bool host = device.kind() == Kind::host;
  const auto value = [&](const char* real, int lanes) {
    return host ? fmt::format("galerna::kernels::Pack<{}, {}>", real, lanes) : std::string(real);
  };
  if (host) {
    source.text +=
        "extern \"C\" void copy(const void* a, std::int64_t begin, std::int64_t end) {\n"
        "  const auto& x = *static_cast<const Arguments*>(a);\n"
        "  const double* from = static_cast<const double*>(x.from);\n  double* to = static_cast<double*>(x.to);\n"
        "  for (std::int64_t i = begin * 32; i < end * 32; ++i) to[i] = from[i];\n}\n";
  } else {
    source.text +=
        "extern \"C\" __global__ void copy(const Arguments x) {\n"
        "  const std::int64_t i = blockIdx.x * std::int64_t(blockDim.x) + threadIdx.x;\n"
        "  static_cast<double*>(x.to)[i] = static_cast<const double*>(x.from)[i];\n}\n";
  }
  const Precision precisions[] = {Precision::double_precision, Precision::single_precision};
  for (Precision precision : precisions) {
    const bool twice = precision == Precision::double_precision;
    const char* real = twice ? "double" : "float";
    // Left alone, NVRTC would unroll the long loop as a whole and take minutes.
    const std::string body = fmt::format(
        "  using V = {};\n  V c[{}];\n  for (int k = 0; k < {}; ++k) c[k] = V({}(k + 1));\n"
        "  const V m = V({}(0.999999)), s = V({}(1e-7));\n"
        "#pragma unroll 16\n  for (int n = 0; n < {}; ++n)\n    for (int k = 0; k < {}; ++k) c[k] = c[k] * m + s;\n"
        "  V sum = c[0];\n  for (int k = 1; k < {}; ++k) sum += c[k];\n",
        value(real, device.lanes(precision)), fma_chains, fma_chains, real, real, real, fma_length, fma_chains,
        fma_chains);
    const char* name = twice ? "fma_double" : "fma_single";
    if (host)
      source.text += fmt::format(
          "extern \"C\" void {}(const void* a, std::int64_t begin, std::int64_t end) {{\n"
          "  for (std::int64_t i = begin; i < end; ++i) {{\n{}"
          "  if (sum[0] == 0) static_cast<{}*>(static_cast<const Arguments*>(a)->to)[0] = sum[0];\n  }}\n}}\n",
          name, body, real);
    else
      source.text += fmt::format(
          "extern \"C\" __global__ void {}(const Arguments x) {{\n{}"
          "  if (sum == 0) static_cast<{}*>(x.to)[0] = sum;\n}}\n",
          name, body, real);
  }
  return source;
}

/// Median seconds of one launch, after one that does not count.
double median_time(Device& device, const Kernel& kernel, const Range& range, const CopyArguments& arguments) {
  std::vector<double> seconds;
  for (int repetition = 0; repetition < 8; ++repetition)
    seconds.push_back(device.time([&] { device.launch(kernel, range, &arguments, sizeof arguments); }));
  seconds.erase(seconds.begin());
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

}  // namespace

Ceilings measure_ceilings(Device& device) {
  const bool host = device.kind() == Kind::host;
  const auto program = device.load(make_program(device));
  const std::size_t bytes = host ? std::size_t{256} << 20 : std::size_t{2} << 30;
  const auto from = device.allocate(bytes, "copied numbers"), to = device.allocate(bytes, "copied numbers");
  device.clear(*from);
  device.clear(*to);
  const CopyArguments arguments{from->address(), to->address()};

  Ceilings result;
  const auto numbers = static_cast<std::int64_t>(bytes / sizeof(double));
  const Range copy_range{host ? numbers / 32 : numbers, 256};
  result.copy_bandwidth =
      2 * static_cast<double>(bytes) / median_time(device, *device.kernel(*program, "copy"), copy_range, arguments);
  for (Precision precision : {Precision::double_precision, Precision::single_precision}) {
    const bool twice = precision == Precision::double_precision;
    const Range range{host ? 2000 : 132 * 2048 * 8, 256};
    const double lanes = host ? device.lanes(precision) : 1;
    const double operations = 2.0 * fma_chains * fma_length * lanes * static_cast<double>(range.items);
    const double seconds =
        median_time(device, *device.kernel(*program, twice ? "fma_double" : "fma_single"), range, arguments);
    (twice ? result.double_flops : result.single_flops) = operations / seconds;
  }
  return result;
}

}  // namespace galerna::device
