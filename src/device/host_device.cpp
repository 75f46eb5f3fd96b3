#include "device/host_device.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/process_memory.hpp"
#include "device/host_compiler.hpp"
#include "device/host_threads.hpp"
#include "device/processor.hpp"
#include "device/program.hpp"

namespace galerna::device {
namespace {

class HostMemory : public Memory {
 public:
  HostMemory(std::size_t bytes, const std::string& purpose, std::size_t& used) : bytes_(bytes), used_(used) {
    // Large arrays on large pages: with small ones, half of the time goes into finding addresses.
    constexpr std::size_t line = 64, large_page = std::size_t{2} << 20;
    const std::size_t unit = bytes >= large_page ? large_page : line, size = (bytes + unit - 1) / unit * unit;
    data_ = std::aligned_alloc(unit, size);
#ifdef MADV_HUGEPAGE
    if (data_ && unit == large_page) madvise(data_, size, MADV_HUGEPAGE);
#endif
    if (!data_)
      throw SystemError(
          fmt::format("out of memory: {:.1f} MB asked for ({}), {:.1f} MB free; use a coarser mesh or a lower order",
                      static_cast<double>(bytes) / 1e6, purpose, static_cast<double>(available_memory()) / 1e6));
    used_ += bytes_;
  }
  ~HostMemory() override {
    std::free(data_);
    used_ -= bytes_;
  }
  void* address() override {
    return data_;
  }
  std::size_t bytes() const override {
    return bytes_;
  }

 private:
  std::size_t bytes_;
  std::size_t& used_;
  void* data_;
};

/// A shared library, loaded by its open file.
class Library {
 public:
  explicit Library(TrustedFile file)
      : file_(std::move(file)), name_(file_.open_path()), handle_(dlopen(name_.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (!handle_)
      throw SystemError(
          fmt::format("{} cannot be loaded: {}; galerna cache --clear removes it", file_.path().string(), dlerror()));
  }
  /// What the system keeps although nobody needs it keeps its name, too: no other file may have its number then.
  ~Library() {
    dlclose(handle_);
    if (dlopen(name_.c_str(), RTLD_NOW | RTLD_NOLOAD)) file_.descriptor().release();
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  void* symbol(const std::string& entry) const {
    void* address = dlsym(handle_, entry.c_str());
    if (!address) throw SystemError(fmt::format("a compiled program has no entry {}", entry));
    return address;
  }

 private:
  TrustedFile file_;
  std::string name_;
  void* handle_;
};

/// Loads each file once, however often it is asked for.
std::shared_ptr<Library> load_library(TrustedFile file) {
  static std::mutex mutex;
  static std::map<std::pair<dev_t, ino_t>, std::weak_ptr<Library>> loaded;
  const std::lock_guard lock(mutex);
  std::weak_ptr<Library>& known = loaded[file.identity()];
  std::shared_ptr<Library> library = known.lock();
  if (!library) known = library = std::make_shared<Library>(std::move(file));
  return library;
}

class HostProgram : public Program {
 public:
  explicit HostProgram(TrustedFile file) : library_(load_library(std::move(file))) {}
  void* symbol(const std::string& entry) const { return library_->symbol(entry); }

 private:
  std::shared_ptr<Library> library_;
};

using Function = HostThreads::Function;

class HostKernel : public Kernel {
 public:
  HostKernel(const HostProgram& program, std::string name)
      : name_(std::move(name)), function_(reinterpret_cast<Function>(program.symbol(name_))) {}
  const std::string& name() const override { return name_; }
  Function function() const { return function_; }

 private:
  std::string name_;
  Function function_;
};

class HostGraph : public Graph {
 public:
  std::vector<std::function<void()>> steps;
};

class HostDevice : public Device {
 public:
  Kind kind() const override { return Kind::host; }
  std::string name() const override { return host_device_info().name; }
  int lanes(Precision precision) const override {
    return simd_bytes() / (precision == Precision::double_precision ? 8 : 4);
  }
  std::size_t memory_used() const override { return used_; }
  std::size_t memory_free() const override { return available_memory(); }

  std::unique_ptr<Memory> allocate(std::size_t bytes, const std::string& purpose) override {
    return std::make_unique<HostMemory>(bytes, purpose, used_);
  }
  void write(Memory& to, const void* from, std::size_t bytes, std::size_t offset) override {
    if (bytes > 0) std::memcpy(static_cast<char*>(to.address()) + offset, from, bytes);
  }
  void read(void* to, Memory& from, std::size_t bytes, std::size_t offset) override {
    if (bytes > 0) std::memcpy(to, static_cast<char*>(from.address()) + offset, bytes);
  }
  void copy(Memory& to, Memory& from, std::size_t bytes) override {
    perform([target = to.address(), source = from.address(), bytes] { std::memcpy(target, source, bytes); });
  }
  void clear(Memory& memory) override {
    perform([target = static_cast<char*>(memory.address()), bytes = static_cast<std::int64_t>(memory.bytes())] {
      // The system clears new pages, too, on the core that touches them first.
      constexpr std::int64_t piece = std::int64_t{1} << 24;
      if (bytes <= 4 * piece)
        std::memset(target, 0, static_cast<std::size_t>(bytes));
      else
        in_parallel(bytes, piece, [&](std::int64_t begin, std::int64_t end) {
          std::memset(target + begin, 0, static_cast<std::size_t>(end - begin));
        });
    });
  }

  void call(std::function<void()> function) override { perform(std::move(function)); }

  void compile_ahead(const std::vector<ProgramSource>& sources) override { compile_all(sources, "cpu"); }
  std::unique_ptr<Program> load(const ProgramSource& source) override {
    return std::make_unique<HostProgram>(compile_for_host(source));
  }
  std::unique_ptr<Kernel> kernel(Program& program, const std::string& entry) override {
    return std::make_unique<HostKernel>(dynamic_cast<HostProgram&>(program), entry);
  }

  void launch(const Kernel& kernel, const Range& range, const void* arguments, std::size_t bytes) override {
    const Function function = static_cast<const HostKernel&>(kernel).function();
    if (!recording_) return threads_.run(function, arguments, range.items);
    const auto* first = static_cast<const std::max_align_t*>(arguments);
    std::vector<std::max_align_t> copy((bytes + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
    std::memcpy(copy.data(), first, bytes);
    recording_->steps.push_back(
        [this, function, items = range.items, copy = std::move(copy)] { threads_.run(function, copy.data(), items); });
  }

  std::unique_ptr<Graph> record(const std::function<void()>& body, const SequenceKernel*) override {
    auto graph = std::make_unique<HostGraph>();
    recording_ = graph.get();
    body();
    recording_ = nullptr;
    return graph;
  }
  void launch(Graph& graph) override {
    for (const auto& step : static_cast<HostGraph&>(graph).steps) step();
  }
  void synchronize() override {}

  double time(const std::function<void()>& body) override {
    const auto start = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

 private:
  void perform(std::function<void()> step) {
    if (recording_)
      recording_->steps.push_back(std::move(step));
    else
      step();
  }

  HostThreads threads_{host_thread_count()};
  std::size_t used_ = 0;
  HostGraph* recording_ = nullptr;
};

}  // namespace

std::unique_ptr<Device> open_host_device() {
  return std::make_unique<HostDevice>();
}

DeviceInfo host_device_info() {
  const int threads = host_thread_count();
  return {Kind::host, 0, fmt::format("{}, {} thread{}, {}", cpu_name(), threads, threads == 1 ? "" : "s", simd_name()),
          fmt::format("{}; {:.1f} GiB of memory free; threads: OMP_NUM_THREADS", describe(this_processor()),
                      static_cast<double>(available_memory()) / (1 << 30))};
}

}  // namespace galerna::device
