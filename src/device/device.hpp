/// \file
/// Where arrays live and kernels run. A kernel is an entry point of a program (device/program.hpp) that takes one plain
/// struct of arguments (pointers to device memory and numbers) and runs for items 0 … n−1:
///   Host: an item is one SIMD pack of elements (a block of `lanes` of them); items are shared among threads.
///   Cuda: an item is one thread; the layout blocks `lanes` = 32 elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace galerna::device {

struct ProgramSource;

enum class Kind { host, cuda };
constexpr int cuda_lanes = 32;  ///< elements in a block on Cuda, of any precision
enum class Precision { single_precision, double_precision };

/// Bytes of memory on a device; freed with the object. Contents are undefined until written.
class Memory {
 public:
  virtual ~Memory() = default;
  virtual void* address() = 0;  ///< valid on the device only
  virtual std::size_t bytes() const = 0;
};

/// By which another process of the same host reaches an array of a GPU.
struct MemoryHandle {
  char bytes[64];
};

/// A compiled program, loaded on the device.
class Program {
 public:
  virtual ~Program() = default;
};

/// An entry point of a program; valid as long as its program.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual const std::string& name() const = 0;
  /// Registers per thread and bytes of spilled local memory (Cuda; zero on Host).
  struct Resources {
    int registers = 0;
    int local_bytes = 0;
  };
  virtual Resources resources() const { return {}; }
};

/// A kernel that goes through launches of other kernels by itself, with a barrier of the whole device behind each
/// (kernels/launch_sequence.hpp): for small problems, where a launch takes longer than its kernel. Cuda only.
struct SequenceKernel {
  std::unique_ptr<Kernel> kernel;
  std::vector<std::string> entries;  ///< names of the kernels that it contains, in the order of their numbers
};

/// A recorded sequence of launches that can be repeated at little cost.
class Graph {
 public:
  virtual ~Graph() = default;
};

/// How many items a kernel runs for, and how they are grouped.
struct Range {
  std::int64_t items = 0;  ///< Host: blocks of elements; Cuda: threads (a multiple of `lanes` where lanes matter)
  int group = 128;         ///< Cuda: threads per thread block; Host: ignored
  int shared_bytes = 0;    ///< Cuda: of shared memory for a thread block, beside what the kernel declares
  bool resident = false;   ///< Cuda: not more thread blocks than run at once; the kernel loops over the rest
};

class Device {
 public:
  virtual ~Device() = default;

  virtual Kind kind() const = 0;
  virtual std::string name() const = 0;                ///< "NVIDIA H200", "AMD EPYC …, 2 threads, AVX-512"
  virtual bool matrix_units() const { return false; }  ///< fp64 products of small matrices (Cuda, capability ≥ 9.0)
  virtual int lanes(Precision precision) const = 0;    ///< elements in a block: 32 on Cuda, the SIMD width on Host
  virtual std::size_t memory_used() const = 0;         ///< bytes now allocated through this device
  virtual std::size_t memory_free() const = 0;         ///< bytes that could still be allocated
  /// Whether what is written to memory is there afterwards; a device that only counts (device/counting.hpp) is spared
  /// the making of it.
  virtual bool stores() const { return true; }

  /// \param purpose for people, "metric terms" \throws SystemError naming it, the bytes asked for and the bytes free.
  virtual std::unique_ptr<Memory> allocate(std::size_t bytes, const std::string& purpose) = 0;

  // Memory that kernels of other processes of this host write to, Cuda only. \throws std::logic_error on Host,
  // SystemError where GPUs do not reach one another.
  virtual std::unique_ptr<Memory> allocate_shared(std::size_t bytes, const std::string& purpose);
  virtual MemoryHandle share(Memory& memory);  ///< of allocate_shared()
  /// Of another process, as this device sees it.
  virtual std::unique_ptr<Memory> open_shared(const MemoryHandle& handle, std::size_t bytes);

  /// For a thread other than that which opened the device, before it uses it.
  virtual void enter_thread() {}

  /// Copies between host memory and device memory; both return when the copy is done.
  virtual void write(Memory& to, const void* from, std::size_t bytes, std::size_t offset = 0) = 0;
  virtual void read(void* to, Memory& from, std::size_t bytes, std::size_t offset = 0) = 0;
  /// Device to device, in order with launches (recorded when a graph is being recorded).
  virtual void copy(Memory& to, Memory& from, std::size_t bytes) = 0;
  virtual void clear(Memory& memory) = 0;  ///< sets every byte to zero, in order with launches
  /// Calls a function of the host, in order with launches (recorded when a graph is being recorded). Host only.
  /// \throws std::logic_error on other devices
  virtual void call(std::function<void()> function);

  /// Compiles those that the cache lacks side by side, so that load() finds them there. \throws SystemError as load()
  virtual void compile_ahead(const std::vector<ProgramSource>&) {}
  /// Compiles (or takes from the cache) and loads. \throws SystemError with the compiler's log.
  virtual std::unique_ptr<Program> load(const ProgramSource& source) = 0;
  virtual std::unique_ptr<Kernel> kernel(Program& program, const std::string& entry) = 0;

  /// Runs the kernel for all items of the range, in order with what was launched before; returns without waiting
  /// (Cuda). `arguments` is copied.
  virtual void launch(const Kernel& kernel, const Range& range, const void* arguments, std::size_t bytes) = 0;

  /// Items of the range that the device works on at once (Cuda: threads, as registers and shared memory allow); 0 where
  /// nothing waits for a place (Host).
  virtual std::int64_t items_at_once(const Kernel&, const Range&) const { return 0; }

  /// Calls body(0) … body(count − 1). What different calls launch has no order among it and may run at the same time
  /// (Cuda); all of it comes after what was launched before and before what is launched next.
  /// \param urgent the call whose thread blocks get places before those of others, if any
  virtual void concurrently(std::size_t count, const std::function<void(std::size_t)>& body,
                            [[maybe_unused]] std::size_t urgent = none_urgent) {
    for (std::size_t k = 0; k < count; ++k) body(k);
  }
  static constexpr std::size_t none_urgent = static_cast<std::size_t>(-1);

  /// Records the launches, copies and clears that `body` makes instead of running them.
  /// \param sequence if given (Cuda), the launches, of its entries only and without copies, become one launch of it.
  virtual std::unique_ptr<Graph> record(const std::function<void()>& body,
                                        const SequenceKernel* sequence = nullptr) = 0;
  virtual void launch(Graph& graph) = 0;

  /// Waits for everything launched. \throws SystemError if a kernel failed.
  virtual void synchronize() = 0;

  /// Seconds between two points of the launch order, measured on the device, around `body` (waits for it).
  virtual double time(const std::function<void()>& body) = 0;
};

/// What `galerna devices` lists.
struct DeviceInfo {
  Kind kind;
  int number;  ///< CUDA ordinal; 0 for the host
  std::string name;
  std::string details;  ///< "compute capability 9.0, 139.8 GiB, 132 multiprocessors"
};
std::vector<DeviceInfo> list_devices();
/// The GPUs among them, counted by a process of its own: one that is to fork must not have talked to the driver.
int count_gpus_apart();

/// Why there is no CUDA device to use ("built without CUDA headers", "no driver: libcuda.so.1 not found", …); "" if
/// there is one.
std::string cuda_absence();

/// `name` is "auto" (the first GPU, else the CPU), "cpu", "cuda" or "cuda:N". \throws SystemError when it is not there,
/// with the reason and what is there.
std::unique_ptr<Device> open_device(const std::string& name);

}  // namespace galerna::device
