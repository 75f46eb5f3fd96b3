#include "device/cuda_api.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <vector>

#include "base/environment.hpp"
#include "base/error.hpp"

namespace galerna::device {
namespace {

void* open_first(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return handle;
  return nullptr;
}

/// Fills function pointers from a library; remembers the first name that is missing.
class Loader {
 public:
  explicit Loader(void* library) : library_(library) {}
  template <class F>
  void operator()(F& function, const char* name) {
    function = reinterpret_cast<F>(dlsym(library_, name));
    if (!function && missing_.empty()) missing_ = name;
  }
  const std::string& missing() const { return missing_; }

 private:
  void* library_;
  std::string missing_;
};

std::string load_functions(Driver& d, void* library) {
  Loader load(library);
  load(d.init, "cuInit");
  load(d.get_error_string, "cuGetErrorString");
  load(d.device_get_count, "cuDeviceGetCount");
  load(d.device_get, "cuDeviceGet");
  load(d.device_get_name, "cuDeviceGetName");
  load(d.device_get_attribute, "cuDeviceGetAttribute");
  load(d.device_total_mem, "cuDeviceTotalMem_v2");
  load(d.primary_context_retain, "cuDevicePrimaryCtxRetain");
  load(d.primary_context_release, "cuDevicePrimaryCtxRelease_v2");
  load(d.context_set_current, "cuCtxSetCurrent");
  load(d.mem_alloc, "cuMemAlloc_v2");
  load(d.mem_free, "cuMemFree_v2");
  load(d.mem_alloc_host, "cuMemAllocHost_v2");
  load(d.mem_free_host, "cuMemFreeHost");
  load(d.mem_get_info, "cuMemGetInfo_v2");
  load(d.ipc_get_handle, "cuIpcGetMemHandle");
  load(d.ipc_open_handle, "cuIpcOpenMemHandle_v2");
  load(d.ipc_close_handle, "cuIpcCloseMemHandle");
  load(d.copy_to_device, "cuMemcpyHtoDAsync_v2");
  load(d.copy_to_host, "cuMemcpyDtoHAsync_v2");
  load(d.copy_on_device, "cuMemcpyDtoDAsync_v2");
  load(d.set_bytes, "cuMemsetD8Async");
  load(d.stream_create, "cuStreamCreate");
  load(d.stream_create_with_priority, "cuStreamCreateWithPriority");
  load(d.priority_range, "cuCtxGetStreamPriorityRange");
  load(d.stream_destroy, "cuStreamDestroy_v2");
  load(d.stream_synchronize, "cuStreamSynchronize");
  load(d.stream_wait_event, "cuStreamWaitEvent");
  load(d.begin_capture, "cuStreamBeginCapture_v2");
  load(d.end_capture, "cuStreamEndCapture");
  load(d.graph_instantiate, "cuGraphInstantiateWithFlags");
  load(d.graph_destroy, "cuGraphDestroy");
  load(d.graph_exec_destroy, "cuGraphExecDestroy");
  load(d.graph_launch, "cuGraphLaunch");
  load(d.event_create, "cuEventCreate");
  load(d.event_destroy, "cuEventDestroy_v2");
  load(d.event_record, "cuEventRecord");
  load(d.event_synchronize, "cuEventSynchronize");
  load(d.event_elapsed_time, "cuEventElapsedTime");
  load(d.module_load, "cuModuleLoad");
  load(d.module_unload, "cuModuleUnload");
  load(d.module_get_function, "cuModuleGetFunction");
  load(d.function_get_attribute, "cuFuncGetAttribute");
  load(d.function_set_attribute, "cuFuncSetAttribute");
  load(d.occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  load(d.launch_kernel, "cuLaunchKernel");
  load(d.launch_cooperative_kernel, "cuLaunchCooperativeKernel");
  return load.missing();
}

Driver load_driver() {
  Driver d{};
  void* library = open_first({"libcuda.so.1"});
  if (!library) {
    d.absence = "no NVIDIA driver (libcuda.so.1 was not found)";
    return d;
  }
  if (const std::string missing = load_functions(d, library); !missing.empty()) {
    d.absence = "the NVIDIA driver is too old: it has no " + missing;
    return d;
  }
  if (const CUresult result = d.init(0); result != CUDA_SUCCESS) {
    const char* text = nullptr;
    d.get_error_string(result, &text);
    d.absence = fmt::format("the NVIDIA driver finds no GPU ({})", text ? text : "unknown error");
    return d;
  }
  d.device_get_count(&d.devices);
  if (d.devices == 0) d.absence = "the NVIDIA driver finds no GPU";
  return d;
}

std::vector<std::string> nvrtc_names() {
  std::vector<std::string> names;
  std::vector<std::string> folders = {""};
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const std::string root = environment(variable); !root.empty()) folders.push_back(root + "/lib64/");
  folders.push_back("/usr/local/cuda/lib64/");
  for (const std::string& folder : folders)
    for (const char* file : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}) names.push_back(folder + file);
  return names;
}

Nvrtc load_nvrtc() {
  Nvrtc n{};
  void* library = open_first(nvrtc_names());
  if (!library) {
    n.absence = "NVRTC (libnvrtc.so of the CUDA toolkit) was not found; install the toolkit or set CUDA_HOME";
    return n;
  }
  Loader load(library);
  load(n.version, "nvrtcVersion");
  load(n.create_program, "nvrtcCreateProgram");
  load(n.destroy_program, "nvrtcDestroyProgram");
  load(n.compile_program, "nvrtcCompileProgram");
  load(n.get_error_string, "nvrtcGetErrorString");
  load(n.get_log_size, "nvrtcGetProgramLogSize");
  load(n.get_log, "nvrtcGetProgramLog");
  load(n.get_cubin_size, "nvrtcGetCUBINSize");
  load(n.get_cubin, "nvrtcGetCUBIN");
  if (!load.missing().empty()) n.absence = "NVRTC is too old: it has no " + load.missing();
  return n;
}

}  // namespace

const Driver& driver() {
  static const Driver loaded = load_driver();
  return loaded;
}

const Nvrtc& nvrtc() {
  static const Nvrtc loaded = load_nvrtc();
  return loaded;
}

void check(CUresult result, const char* call) {
  if (result == CUDA_SUCCESS) return;
  const char* text = nullptr;
  driver().get_error_string(result, &text);
  std::string message =
      fmt::format("CUDA: {} failed: {}", call, text ? text : fmt::format("error {}", static_cast<int>(result)));
  if (result == CUDA_ERROR_NO_BINARY_FOR_GPU || result == CUDA_ERROR_INVALID_IMAGE)
    message += "; the kernel cache holds a program for another GPU: run galerna cache --clear";
  if (result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION)
    message += "; update the NVIDIA driver to the version of the CUDA toolkit";
  throw SystemError(message);
}

}  // namespace galerna::device
