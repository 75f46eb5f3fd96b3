#include "device/cuda_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "base/error.hpp"
#include "device/cuda_api.hpp"
#include "device/cuda_compiler.hpp"
#include "kernels/launch_sequence.hpp"

namespace galerna::device {
namespace {

class CudaMemory : public Memory {
 public:
  CudaMemory(std::size_t bytes, const std::string& purpose, std::size_t& used) : bytes_(bytes), used_(used) {
    const CUresult result = driver().mem_alloc(&address_, bytes);
    if (result == CUDA_ERROR_OUT_OF_MEMORY) {
      std::size_t free = 0, total = 0;
      driver().mem_get_info(&free, &total);
      throw SystemError(fmt::format(
          "out of GPU memory: {:.1f} MB asked for ({}), {:.1f} MB of {:.1f} MB free, {:.1f} MB in use by this "
          "run; use a coarser mesh, a lower order or --precision single",
          static_cast<double>(bytes) / 1e6, purpose, static_cast<double>(free) / 1e6, static_cast<double>(total) / 1e6,
          static_cast<double>(used) / 1e6));
    }
    check(result, "cuMemAlloc");
    used_ += bytes_;
  }
  ~CudaMemory() override {
    driver().mem_free(address_);
    used_ -= bytes_;
  }
  void* address() override { return reinterpret_cast<void*>(address_); }
  std::size_t bytes() const override { return bytes_; }

 private:
  std::size_t bytes_;
  std::size_t& used_;
  CUdeviceptr address_ = 0;
};

/// An array of another process.
class OpenedMemory : public Memory {
 public:
  OpenedMemory(const MemoryHandle& handle, std::size_t bytes) : bytes_(bytes) {
    CUipcMemHandle of_driver;
    static_assert(sizeof of_driver.reserved == sizeof handle.bytes);
    std::memcpy(of_driver.reserved, handle.bytes, sizeof handle.bytes);
    const CUresult result = driver().ipc_open_handle(&address_, of_driver, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
    if (result == CUDA_ERROR_PEER_ACCESS_UNSUPPORTED || result == CUDA_ERROR_INVALID_DEVICE)
      throw SystemError(
          "the GPUs of two ranks do not reach one another's memory: each rank must see all GPUs of the host (with "
          "SLURM: --gpu-bind=none), and they must be joined by NVLink or one PCIe root (nvidia-smi topo -m)");
    check(result, "cuIpcOpenMemHandle");
  }
  ~OpenedMemory() override { driver().ipc_close_handle(address_); }
  void* address() override { return reinterpret_cast<void*>(address_); }
  std::size_t bytes() const override { return bytes_; }

 private:
  std::size_t bytes_;
  CUdeviceptr address_ = 0;
};

CUdeviceptr pointer(Memory& memory) {
  return reinterpret_cast<CUdeviceptr>(memory.address());
}

class CudaProgram : public Program {
 public:
  explicit CudaProgram(const TrustedFile& cubin) {
    check(driver().module_load(&module_, cubin.open_path().c_str()), "cuModuleLoad");
  }
  ~CudaProgram() override { driver().module_unload(module_); }
  CUmodule module() const { return module_; }

 private:
  CUmodule module_ = nullptr;
};

class CudaKernel : public Kernel {
 public:
  CudaKernel(const CudaProgram& program, std::string name) : name_(std::move(name)) {
    check(driver().module_get_function(&function_, program.module(), name_.c_str()), "cuModuleGetFunction");
  }
  const std::string& name() const override { return name_; }
  CUfunction function() const { return function_; }
  /// Asks for the shared memory of `range`, which has to be done once where it is more than 48 KB.
  void allow_shared_memory(const Range& range) const {
    if (range.shared_bytes <= allowed_shared_bytes_) return;
    check(
        driver().function_set_attribute(function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, range.shared_bytes),
        name_.c_str());
    allowed_shared_bytes_ = range.shared_bytes;
  }
  /// Thread blocks of `range` that run at once on a multiprocessor.
  int resident_groups(const Range& range) const {
    allow_shared_memory(range);
    int groups = 0;
    check(driver().occupancy(&groups, function_, range.group, static_cast<std::size_t>(range.shared_bytes)),
          name_.c_str());
    return groups;
  }
  Resources resources() const override {
    Resources r;
    driver().function_get_attribute(&r.registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function_);
    driver().function_get_attribute(&r.local_bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, function_);
    return r;
  }

 private:
  std::string name_;
  CUfunction function_ = nullptr;
  mutable int allowed_shared_bytes_ = 48 * 1024;
};

/// A graph of the stream's device.
class StreamGraph : public Graph {
 public:
  virtual void launch(CUstream stream) = 0;
};

class CudaGraph : public StreamGraph {
 public:
  /// \param priorities whether its kernels have those of the streams that recorded them
  CudaGraph(CUgraph graph, bool priorities) {
    const CUresult result =
        driver().graph_instantiate(&executable_, graph, priorities ? CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY : 0);
    driver().graph_destroy(graph);
    check(result, "cuGraphInstantiate");
  }
  ~CudaGraph() override { driver().graph_exec_destroy(executable_); }
  void launch(CUstream stream) override { check(driver().graph_launch(executable_, stream), "cuGraphLaunch"); }

 private:
  CUgraphExec executable_ = nullptr;
};

/// Launches that are collected instead of run, and then gone through by one kernel.
class CudaSequence : public StreamGraph {
 public:
  explicit CudaSequence(const SequenceKernel& sequence) : sequence_(sequence) {}

  void add(const std::string& entry, const Range& range, const void* arguments, std::size_t bytes) {
    kernels::Phase phase{};
    const auto found = std::find(sequence_.entries.begin(), sequence_.entries.end(), entry);
    if (found == sequence_.entries.end() || bytes > sizeof phase.arguments)
      throw std::logic_error("not in the sequence: " + entry);
    phase.entry = static_cast<int>(found - sequence_.entries.begin());
    phase.groups = static_cast<int>((range.items + range.group - 1) / range.group);
    std::memcpy(phase.arguments, arguments, bytes);
    phases_.push_back(phase);
  }

  /// Moves the phases to the device. \param most thread blocks that can run at once.
  void finish(Device& device, int most) {
    for (const kernels::Phase& phase : phases_) groups_ = std::max(groups_, std::min(phase.groups, most));
    memory_ = device.allocate(phases_.size() * sizeof(kernels::Phase) + sizeof(unsigned), "recorded steps");
    device.write(*memory_, phases_.data(), phases_.size() * sizeof(kernels::Phase));
    arguments_.phases = static_cast<const kernels::Phase*>(memory_->address());
    arguments_.count = static_cast<int>(phases_.size());
    arguments_.arrivals =
        reinterpret_cast<unsigned*>(static_cast<kernels::Phase*>(memory_->address()) + phases_.size());
  }

  void launch(CUstream stream) override {
    void* parameters[] = {&arguments_};
    check(driver().set_bytes(reinterpret_cast<CUdeviceptr>(arguments_.arrivals), 0, sizeof(unsigned), stream),
          "cuMemsetD8Async");
    check(driver().launch_cooperative_kernel(static_cast<const CudaKernel&>(*sequence_.kernel).function(),
                                             static_cast<unsigned>(groups_), 1, 1, kernels::sequence_group, 1, 1, 0,
                                             stream, parameters),
          "cuLaunchCooperativeKernel");
  }

 private:
  const SequenceKernel& sequence_;
  std::vector<kernels::Phase> phases_;
  std::unique_ptr<Memory> memory_;
  kernels::SequenceArguments arguments_{};
  int groups_ = 1;
};

/// A stream beside the device's own, and the event that ends what was launched in it.
class Branch {
 public:
  /// \param urgent whether its thread blocks get places before those of all other streams
  explicit Branch(bool urgent = false) {
    int least = 0, greatest = 0;
    check(driver().priority_range(&least, &greatest), "cuCtxGetStreamPriorityRange");
    check(driver().stream_create_with_priority(&stream_, CU_STREAM_NON_BLOCKING, urgent ? greatest : least),
          "cuStreamCreateWithPriority");
    check(driver().event_create(&end_, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
  }
  Branch(const Branch&) = delete;
  Branch& operator=(const Branch&) = delete;
  ~Branch() {
    driver().event_destroy(end_);
    driver().stream_destroy(stream_);
  }
  CUstream stream() const { return stream_; }
  void begin_after(CUevent event) { check(driver().stream_wait_event(stream_, event, 0), "cuStreamWaitEvent"); }
  void end_before(CUstream next) {
    check(driver().event_record(end_, stream_), "cuEventRecord");
    check(driver().stream_wait_event(next, end_, 0), "cuStreamWaitEvent");
  }

 private:
  CUstream stream_ = nullptr;
  CUevent end_ = nullptr;
};

int attribute(CUdevice device, CUdevice_attribute which) {
  int value = 0;
  driver().device_get_attribute(&value, which, device);
  return value;
}

std::string name_of(CUdevice device) {
  char name[256] = {};
  driver().device_get_name(name, sizeof name, device);
  return name;
}

class CudaDevice : public Device {
 public:
  explicit CudaDevice(int number) {
    check(driver().device_get(&device_, number), "cuDeviceGet");
    check(driver().primary_context_retain(&context_, device_), "cuDevicePrimaryCtxRetain");
    check(driver().context_set_current(context_), "cuCtxSetCurrent");
    multiprocessors_ = attribute(device_, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    check(driver().stream_create(&stream_, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
    check(driver().event_create(&begin_, CU_EVENT_DEFAULT), "cuEventCreate");
    check(driver().event_create(&end_, CU_EVENT_DEFAULT), "cuEventCreate");
    check(driver().event_create(&fork_, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
    branches_ = std::make_unique<std::array<Branch, 3>>();
    urgent_ = std::make_unique<Branch>(true);
    current_ = stream_;
  }
  ~CudaDevice() override {
    urgent_.reset();
    branches_.reset();
    driver().event_destroy(fork_);
    driver().event_destroy(begin_);
    driver().event_destroy(end_);
    driver().stream_destroy(stream_);
    driver().primary_context_release(device_);
  }

  Kind kind() const override { return Kind::cuda; }
  std::string name() const override { return name_of(device_); }
  bool matrix_units() const override { return attribute(device_, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) >= 9; }
  int lanes(Precision) const override { return cuda_lanes; }
  std::size_t memory_used() const override { return used_; }
  std::size_t memory_free() const override {
    std::size_t free = 0, total = 0;
    check(driver().mem_get_info(&free, &total), "cuMemGetInfo");
    return free;
  }

  std::unique_ptr<Memory> allocate(std::size_t bytes, const std::string& purpose) override {
    return std::make_unique<CudaMemory>(bytes, purpose, used_);
  }
  std::unique_ptr<Memory> allocate_shared(std::size_t bytes, const std::string& purpose) override {
    // Smaller arrays lie in a common piece of memory, all of which a handle would give away.
    constexpr std::size_t piece = std::size_t{2} << 20;
    return allocate((bytes + piece - 1) / piece * piece, purpose);
  }
  MemoryHandle share(Memory& memory) override {
    CUipcMemHandle of_driver{};
    check(driver().ipc_get_handle(&of_driver, pointer(memory)), "cuIpcGetMemHandle");
    MemoryHandle handle{};
    std::memcpy(handle.bytes, of_driver.reserved, sizeof handle.bytes);
    return handle;
  }
  std::unique_ptr<Memory> open_shared(const MemoryHandle& handle, std::size_t bytes) override {
    return std::make_unique<OpenedMemory>(handle, bytes);
  }
  void enter_thread() override { check(driver().context_set_current(context_), "cuCtxSetCurrent"); }
  void write(Memory& to, const void* from, std::size_t bytes, std::size_t offset) override {
    // In the stream: a copy outside it may still be on its way when a kernel of the stream starts.
    check(driver().copy_to_device(pointer(to) + offset, from, bytes, stream_), "cuMemcpyHtoDAsync");
    synchronize();
  }
  void read(void* to, Memory& from, std::size_t bytes, std::size_t offset) override {
    check(driver().copy_to_host(to, pointer(from) + offset, bytes, stream_), "cuMemcpyDtoHAsync");
    synchronize();
  }
  void copy(Memory& to, Memory& from, std::size_t bytes) override {
    check(driver().copy_on_device(pointer(to), pointer(from), bytes, current_), "cuMemcpyDtoDAsync");
  }
  void clear(Memory& memory) override {
    check(driver().set_bytes(pointer(memory), 0, memory.bytes(), current_), "cuMemsetD8Async");
  }

  void compile_ahead(const std::vector<ProgramSource>& sources) override { compile_all(sources, architecture()); }
  std::unique_ptr<Program> load(const ProgramSource& source) override {
    return std::make_unique<CudaProgram>(compile_for_cuda(source, architecture()));
  }
  std::unique_ptr<Kernel> kernel(Program& program, const std::string& entry) override {
    return std::make_unique<CudaKernel>(dynamic_cast<CudaProgram&>(program), entry);
  }

  void launch(const Kernel& kernel, const Range& range, const void* arguments, std::size_t bytes) override {
    if (range.items == 0) return;
    if (collecting_) return collecting_->add(kernel.name(), range, arguments, bytes);
    void* parameters[] = {const_cast<void*>(arguments)};
    const auto& cuda_kernel = static_cast<const CudaKernel&>(kernel);
    cuda_kernel.allow_shared_memory(range);
    std::int64_t groups = (range.items + range.group - 1) / range.group;
    if (range.resident) groups = std::min<std::int64_t>(groups, multiprocessors_ * cuda_kernel.resident_groups(range));
    check(driver().launch_kernel(cuda_kernel.function(), static_cast<unsigned>(groups), 1, 1,
                                 static_cast<unsigned>(range.group), 1, 1, static_cast<unsigned>(range.shared_bytes),
                                 current_, parameters, nullptr),
          kernel.name().c_str());
  }

  std::int64_t items_at_once(const Kernel& kernel, const Range& range) const override {
    return std::int64_t{multiprocessors_} * static_cast<const CudaKernel&>(kernel).resident_groups(range) * range.group;
  }

  void concurrently(std::size_t count, const std::function<void(std::size_t)>& body, std::size_t urgent) override {
    const std::size_t branches = collecting_ || count < 2 ? 0 : std::min(count - 1, branches_->size());
    if (branches == 0) return Device::concurrently(count, body);
    const bool any_urgent = urgent < count;
    was_urgent_ = was_urgent_ || any_urgent;
    check(driver().event_record(fork_, stream_), "cuEventRecord");
    for (std::size_t b = 0; b < branches; ++b) (*branches_)[b].begin_after(fork_);
    if (any_urgent) urgent_->begin_after(fork_);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t b = k % (branches + 1);
      current_ = k == urgent ? urgent_->stream() : b < branches ? (*branches_)[b].stream() : stream_;
      body(k);
    }
    current_ = stream_;
    for (std::size_t b = 0; b < branches; ++b) (*branches_)[b].end_before(stream_);
    if (any_urgent) urgent_->end_before(stream_);
  }

  std::unique_ptr<Graph> record(const std::function<void()>& body, const SequenceKernel* sequence) override {
    if (sequence) return collect(body, *sequence);
    check(driver().begin_capture(stream_, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), "cuStreamBeginCapture");
    CUgraph graph = nullptr;
    was_urgent_ = false;
    try {
      body();
    } catch (...) {
      driver().end_capture(stream_, &graph);
      throw;
    }
    check(driver().end_capture(stream_, &graph), "cuStreamEndCapture");
    return std::make_unique<CudaGraph>(graph, was_urgent_);
  }
  void launch(Graph& graph) override { static_cast<StreamGraph&>(graph).launch(stream_); }
  void synchronize() override { check(driver().stream_synchronize(stream_), "cuStreamSynchronize"); }

  double time(const std::function<void()>& body) override {
    synchronize();
    check(driver().event_record(begin_, stream_), "cuEventRecord");
    body();
    check(driver().event_record(end_, stream_), "cuEventRecord");
    check(driver().event_synchronize(end_), "cuEventSynchronize");
    float milliseconds = 0;
    check(driver().event_elapsed_time(&milliseconds, begin_, end_), "cuEventElapsedTime");
    return 1e-3 * static_cast<double>(milliseconds);
  }

  std::string architecture() const {
    return fmt::format("sm_{}{}", attribute(device_, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
                       attribute(device_, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  }

 private:
  std::unique_ptr<Graph> collect(const std::function<void()>& body, const SequenceKernel& sequence) {
    auto graph = std::make_unique<CudaSequence>(sequence);
    collecting_ = graph.get();
    body();
    collecting_ = nullptr;
    const auto& kernel = static_cast<const CudaKernel&>(*sequence.kernel);
    graph->finish(*this, multiprocessors_ * kernel.resident_groups({1, kernels::sequence_group}));
    return graph;
  }

  std::size_t used_ = 0;
  CudaSequence* collecting_ = nullptr;
  CUdevice device_ = 0;
  int multiprocessors_ = 0;
  CUcontext context_ = nullptr;
  CUstream stream_ = nullptr, current_ = nullptr;  ///< of the device; in which it launches now
  CUevent begin_ = nullptr, end_ = nullptr;        ///< of what is timed
  CUevent fork_ = nullptr;                         ///< behind which branches begin
  std::unique_ptr<std::array<Branch, 3>> branches_;
  std::unique_ptr<Branch> urgent_;
  bool was_urgent_ = false;  ///< since recording began
};

}  // namespace

std::unique_ptr<Device> open_cuda_device(int number) {
  if (!driver().absence.empty()) throw SystemError("no CUDA device: " + driver().absence);
  if (number < 0 || number >= driver().devices)
    throw SystemError(fmt::format("no CUDA device cuda:{}; there {} {}, see galerna devices", number,
                                  driver().devices == 1 ? "is" : "are", driver().devices));
  return std::make_unique<CudaDevice>(number);
}

std::string architecture_of(const Device& device) {
  return dynamic_cast<const CudaDevice&>(device).architecture();
}

std::vector<DeviceInfo> cuda_device_infos() {
  std::vector<DeviceInfo> infos;
  for (int number = 0; number < driver().devices; ++number) {
    CUdevice device = 0;
    std::size_t bytes = 0;
    check(driver().device_get(&device, number), "cuDeviceGet");
    driver().device_total_mem(&bytes, device);
    infos.push_back({Kind::cuda, number, name_of(device),
                     fmt::format("compute capability {}.{}, {:.1f} GiB, {} multiprocessors",
                                 attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
                                 attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
                                 static_cast<double>(bytes) / (1 << 30),
                                 attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT))});
  }
  return infos;
}

void* allocate_pinned(std::size_t bytes) {
  void* memory = nullptr;
  if (!driver().absence.empty()) return nullptr;  // of a device that tests make
  return driver().mem_alloc_host(&memory, bytes) == CUDA_SUCCESS ? memory : nullptr;
}

void free_pinned(void* memory) {
  driver().mem_free_host(memory);
}

}  // namespace galerna::device
