#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <exception>
#include <map>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "device/device.hpp"
#include "device/device_name.hpp"
#include "device/host_compiler.hpp"
#include "device/host_device.hpp"
#include "device/program.hpp"
#include "device/require_compilable.hpp"
#ifdef GALERNA_HAS_CUDA
#include "device/cuda_api.hpp"
#include "device/cuda_compiler.hpp"
#include "device/cuda_device.hpp"
#endif

namespace galerna::device {
namespace {

#ifdef GALERNA_HAS_CUDA
std::string compiler_absence() {
  return nvrtc().absence;
}
std::string absence() {
  return driver().absence;
}
void require_compilable_for_cuda(const Device& device, const std::vector<ProgramSource>& programs) {
  require_cuda_compilable(programs, architecture_of(device));
}
#else
std::string compiler_absence() {
  return "galerna was built without CUDA's headers";
}
std::string absence() {
  return compiler_absence();
}
std::vector<DeviceInfo> cuda_device_infos() {
  return {};
}
std::unique_ptr<Device> open_cuda_device(int) {
  throw SystemError("no CUDA device: " + absence());
}
void compile_for_cuda_by(std::vector<std::string>) {}
bool compile_job(const std::filesystem::path&, const std::filesystem::path&, const std::filesystem::path&) {
  return false;
}
TrustedFile compile_for_cuda(const ProgramSource&, const std::string&, const std::filesystem::path&, Effort) {
  throw SystemError(absence());
}
void require_compilable_for_cuda(const Device&, const std::vector<ProgramSource>&) {
  throw SystemError(absence());
}
#endif

}  // namespace

void Device::call(std::function<void()>) {
  throw std::logic_error("Device::call: launches of a GPU wait for no function of the host");
}

std::unique_ptr<Memory> Device::allocate_shared(std::size_t, const std::string&) {
  throw std::logic_error("Device::allocate_shared: only GPUs write to memory of other processes");
}
MemoryHandle Device::share(Memory&) {
  throw std::logic_error("Device::share: only GPUs write to memory of other processes");
}
std::unique_ptr<Memory> Device::open_shared(const MemoryHandle&, std::size_t) {
  throw std::logic_error("Device::open_shared: only GPUs write to memory of other processes");
}

std::string cuda_absence() {
  return absence();
}
std::string cuda_compiler_absence() {
  return compiler_absence();
}

std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> infos = {host_device_info()};
  for (const DeviceInfo& info : cuda_device_infos()) infos.push_back(info);
  return infos;
}

int count_gpus_apart() {
  const pid_t child = fork();
  if (child == 0)
    _exit(compiler_absence().empty() ? static_cast<int>(std::min<std::size_t>(cuda_device_infos().size(), 255)) : 0);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return 0;
  return WEXITSTATUS(status);
}

/// The number of a GPU in "cuda:N"; nothing in other words.
static std::optional<int> gpu_number(const std::string& name) {
  int number = -1;
  const char* end = name.data() + name.size();
  if (!name.starts_with("cuda:") || name.size() == 5 || name[5] == '-') return {};
  const auto [parsed, error] = std::from_chars(name.data() + 5, end, number);
  return error == std::errc() && parsed == end ? std::optional(number) : std::nullopt;
}

void require_device_name(const std::string& name) {
  if (name == "auto" || name == "cpu" || name == "cuda" || gpu_number(name)) return;
  throw InputError({"--device"}, fmt::format("unknown device \"{}\"; use auto, cpu, cuda or cuda:N (galerna devices "
                                             "lists them)",
                                             name));
}

std::unique_ptr<Device> open_device(const std::string& name) {
  require_device_name(name);
  // Without NVRTC a GPU runs what is in the cache, which only who asks for the GPU has filled.
  const bool has_both = absence().empty() && compiler_absence().empty();
  if (name == "cpu" || (name == "auto" && !has_both)) return open_host_device();
  if (name == "cuda" || name == "auto") {
    if (!absence().empty()) throw SystemError(fmt::format("no CUDA device: {}; use --device cpu", absence()));
    return open_cuda_device(0);
  }
  return open_cuda_device(*gpu_number(name));
}

std::filesystem::path compile(const ProgramSource& source, const std::string& target,
                              const std::filesystem::path& directory, Effort effort) {
  return target == "cpu" ? compile_for_host(source, directory).path()
                         : compile_for_cuda(source, target, directory, effort).path();
}

/// For each program the first one that is compiled to the same.
static std::vector<std::size_t> first_alike(const std::vector<ProgramSource>& sources) {
  std::vector<std::size_t> first;
  std::map<std::pair<std::string, bool>, std::size_t> places;
  for (const ProgramSource& source : sources)
    first.push_back(places.emplace(std::pair(whole_text(source), source.shares_stack), first.size()).first->second);
  return first;
}

std::vector<std::filesystem::path> compile_all(const std::vector<ProgramSource>& sources, const std::string& target,
                                               const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> files(sources.size());
  std::vector<std::exception_ptr> errors(sources.size());
  const std::vector<std::size_t> first = first_alike(sources);
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t k = next++; k < sources.size(); k = next++) try {
        if (first[k] < k) continue;
        files[k] = compile(sources[k], target, directory);
      } catch (...) {
        errors[k] = std::current_exception();
      }
  };
  const std::size_t most = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, target == "cpu" ? 8 : 16);
  std::vector<std::thread> workers;
  try {
    for (std::size_t k = 1; k < std::min(most, sources.size()); ++k) workers.emplace_back(work);
  } catch (const std::system_error&) {
    // As many as the system grants; this thread does the rest.
  }
  work();
  for (std::thread& worker : workers) worker.join();
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
  for (std::size_t k = 0; k < sources.size(); ++k) files[k] = files[first[k]];
  return files;
}

void require_compilable(const Device& device, const std::vector<ProgramSource>& programs) {
  if (device.kind() == Kind::cuda)
    require_compilable_for_cuda(device, programs);
  else
    require_host_compilable(programs);
}

}  // namespace galerna::device
