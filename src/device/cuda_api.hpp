/// \file
/// The CUDA driver and NVRTC, loaded at run time, so that the same program runs where they are not installed. Compiled
/// only where CUDA's headers were found (GALERNA_HAS_CUDA).
#pragma once

#include <cuda.h>
#include <nvrtc.h>

#include <string>

namespace galerna::device {

/// Functions of libcuda.so.1 that galerna uses.
struct Driver {
  decltype(&cuInit) init;
  decltype(&cuGetErrorString) get_error_string;
  decltype(&cuDeviceGetCount) device_get_count;
  decltype(&cuDeviceGet) device_get;
  decltype(&cuDeviceGetName) device_get_name;
  decltype(&cuDeviceGetAttribute) device_get_attribute;
  decltype(&cuDeviceTotalMem) device_total_mem;
  decltype(&cuDevicePrimaryCtxRetain) primary_context_retain;
  decltype(&cuDevicePrimaryCtxRelease) primary_context_release;
  decltype(&cuCtxSetCurrent) context_set_current;
  decltype(&cuMemAlloc) mem_alloc;
  decltype(&cuMemFree) mem_free;
  decltype(&cuMemAllocHost) mem_alloc_host;
  decltype(&cuMemFreeHost) mem_free_host;
  decltype(&cuMemGetInfo) mem_get_info;
  decltype(&cuIpcGetMemHandle) ipc_get_handle;
  decltype(&cuIpcOpenMemHandle) ipc_open_handle;
  decltype(&cuIpcCloseMemHandle) ipc_close_handle;
  decltype(&cuMemcpyHtoDAsync) copy_to_device;
  decltype(&cuMemcpyDtoHAsync) copy_to_host;
  decltype(&cuMemcpyDtoDAsync) copy_on_device;
  decltype(&cuMemsetD8Async) set_bytes;
  decltype(&cuStreamCreate) stream_create;
  decltype(&cuStreamCreateWithPriority) stream_create_with_priority;
  decltype(&cuCtxGetStreamPriorityRange) priority_range;
  decltype(&cuStreamDestroy) stream_destroy;
  decltype(&cuStreamSynchronize) stream_synchronize;
  decltype(&cuStreamWaitEvent) stream_wait_event;
  decltype(&cuStreamBeginCapture) begin_capture;
  decltype(&cuStreamEndCapture) end_capture;
  decltype(&cuGraphInstantiate) graph_instantiate;
  decltype(&cuGraphDestroy) graph_destroy;
  decltype(&cuGraphExecDestroy) graph_exec_destroy;
  decltype(&cuGraphLaunch) graph_launch;
  decltype(&cuEventCreate) event_create;
  decltype(&cuEventDestroy) event_destroy;
  decltype(&cuEventRecord) event_record;
  decltype(&cuEventSynchronize) event_synchronize;
  decltype(&cuEventElapsedTime) event_elapsed_time;
  decltype(&cuModuleLoad) module_load;
  decltype(&cuModuleUnload) module_unload;
  decltype(&cuModuleGetFunction) module_get_function;
  decltype(&cuFuncGetAttribute) function_get_attribute;
  decltype(&cuFuncSetAttribute) function_set_attribute;
  decltype(&cuOccupancyMaxActiveBlocksPerMultiprocessor) occupancy;
  decltype(&cuLaunchKernel) launch_kernel;
  decltype(&cuLaunchCooperativeKernel) launch_cooperative_kernel;
  std::string absence;  ///< why there is no driver or device; empty if there is one
  int devices = 0;
};
/// Loaded and initialized at the first call; never throws.
const Driver& driver();

/// Functions of libnvrtc.so.
struct Nvrtc {
  decltype(&nvrtcVersion) version;
  decltype(&nvrtcCreateProgram) create_program;
  decltype(&nvrtcDestroyProgram) destroy_program;
  decltype(&nvrtcCompileProgram) compile_program;
  decltype(&nvrtcGetErrorString) get_error_string;
  decltype(&nvrtcGetProgramLogSize) get_log_size;
  decltype(&nvrtcGetProgramLog) get_log;
  decltype(&nvrtcGetCUBINSize) get_cubin_size;
  decltype(&nvrtcGetCUBIN) get_cubin;
  std::string absence;
};
const Nvrtc& nvrtc();

/// \throws SystemError naming the call, what the driver says and, for common errors, what to do.
void check(CUresult result, const char* call);

}  // namespace galerna::device
