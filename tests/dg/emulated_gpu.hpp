/// \file
/// A GPU on the CPU, with matrix units or without: compiles the programs that one would run, with the structure that
/// they have there, and runs their threads as fibers. A recorded graph is a list of launches; there are no sequence
/// kernels. Thread blocks that take one tile after another are no more than two. What may run at the same time runs one
/// after the other, the last first if asked for.
#pragma once

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <sstream>
#include <stdexcept>

#include "device/device.hpp"
#include "device/kernel_headers.hpp"
#include "device/program.hpp"
#include "dg/gpu_emulator.hpp"
#include "folder.hpp"

namespace galerna::tests {

class EmulatedGpu : public device::Device {
 public:
  explicit EmulatedGpu(bool matrix_units = false, bool last_first = false)
      : matrix_units_(matrix_units), last_first_(last_first) {}
  bool matrix_units() const override { return matrix_units_; }
  device::Kind kind() const override { return device::Kind::cuda; }
  std::string name() const override { return "emulated GPU"; }
  int lanes(device::Precision) const override { return device::cuda_lanes; }
  std::size_t memory_used() const override { return 0; }
  std::size_t memory_free() const override { return std::size_t{1} << 40; }

  std::unique_ptr<device::Memory> allocate(std::size_t bytes, const std::string&) override {
    return std::make_unique<Array>(bytes);
  }
  std::unique_ptr<device::Memory> allocate_shared(std::size_t bytes, const std::string&) override {
    return std::make_unique<SharedArray>(bytes);
  }
  device::MemoryHandle share(device::Memory& memory) override {
    device::MemoryHandle handle{};
    dynamic_cast<SharedArray&>(memory).name().copy(handle.bytes, sizeof handle.bytes - 1);
    return handle;
  }
  std::unique_ptr<device::Memory> open_shared(const device::MemoryHandle& handle, std::size_t bytes) override {
    return std::make_unique<SharedArray>(bytes, handle.bytes);
  }
  void write(device::Memory& to, const void* from, std::size_t bytes, std::size_t offset) override {
    std::memcpy(static_cast<char*>(to.address()) + offset, from, bytes);
  }
  void read(void* to, device::Memory& from, std::size_t bytes, std::size_t offset) override {
    std::memcpy(to, static_cast<const char*>(from.address()) + offset, bytes);
  }
  void copy(device::Memory& to, device::Memory& from, std::size_t bytes) override {
    std::memcpy(to.address(), from.address(), bytes);
  }
  void clear(device::Memory& memory) override { std::memset(memory.address(), 0, memory.bytes()); }

  std::unique_ptr<device::Program> load(const device::ProgramSource& source) override {
    auto program = std::make_unique<Library>();
    if (!source.entries.empty() && source.entries.back() == "sequence")
      return program;  // goes through what was recorded; nothing is
    const std::filesystem::path library = compiled_library(program_text(source), program->folder.path());
    program->handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!program->handle) throw std::runtime_error(dlerror());
    const Emulator emulator = {
        &threadIdx.x,
        &blockIdx.x,
        &blockDim.x,
        &gridDim.x,
        __syncthreads,
        __syncwarp,
        [](void* to, const void* from, std::size_t bytes) { EmulatedBlock::current()->begin_copy(to, from, bytes); },
        [] { EmulatedBlock::current()->end_copy_group(); },
        [](std::size_t newest) { EmulatedBlock::current()->wait_for_copies(newest); }};
    std::memcpy(program->symbol("emulator"), &emulator, sizeof emulator);
    return program;
  }

  std::unique_ptr<device::Kernel> kernel(device::Program& program, const std::string& entry) override {
    const auto& library = dynamic_cast<Library&>(program);
    return std::make_unique<Entry>(entry, library.handle ? library.symbol("call_" + entry) : nullptr);
  }

  void launch(const device::Kernel& kernel, const device::Range& range, const void* arguments,
              std::size_t bytes) override {
    const auto& entry = dynamic_cast<const Entry&>(kernel);
    if (recording_) {
      std::vector<std::max_align_t> kept(bytes / sizeof(std::max_align_t) + 1);
      std::memcpy(kept.data(), arguments, bytes);
      recording_->launches.push_back([this, &entry, range, kept] { run(entry, range, kept.data()); });
    } else {
      run(entry, range, arguments);
    }
  }

  void concurrently(std::size_t count, const std::function<void(std::size_t)>& body, std::size_t) override {
    for (std::size_t k = 0; k < count; ++k) body(last_first_ ? count - 1 - k : k);
  }

  std::unique_ptr<device::Graph> record(const std::function<void()>& body, const device::SequenceKernel*) override {
    auto graph = std::make_unique<Recording>();
    recording_ = graph.get();
    body();
    recording_ = nullptr;
    return graph;
  }
  void launch(device::Graph& graph) override {
    for (const auto& recorded : dynamic_cast<Recording&>(graph).launches) recorded();
  }
  void synchronize() override {}
  double time(const std::function<void()>&) override { throw std::logic_error("the emulated GPU has no clock"); }

 private:
  struct Recording : device::Graph {
    std::vector<std::function<void()>> launches;
  };
  class Entry;

  static std::string program_text(const device::ProgramSource& source) {
    std::ostringstream text;
    text << source.text;
    for (const std::string& entry : source.entries)
      text << "extern \"C\" void call_" << entry << "(const void* a) { emulated_call(" << entry << ", a); }\n";
    if (source.text.find("kernels/line/") != std::string::npos)
      text << "namespace galerna::kernels { thread_local LineMemory line_memory[" << shared_bytes << " / 16]; }\n";
    if (source.text.find("kernels/tile/") != std::string::npos)
      text << "namespace galerna::kernels { thread_local VariablePair shared[" << shared_bytes << " / 16]; }\n";
    if (source.text.find("kernels/steady/") != std::string::npos)
      text << "namespace galerna::kernels::steady { thread_local float solution_memory[" << shared_bytes
           << " / 4]; }\n";
    if (source.text.find("kernels/polytopic/moment_block") != std::string::npos)
      text << "namespace galerna::kernels::polytopic { thread_local double moment_memory[" << shared_bytes
           << " / 8]; }\n";
    return text.str();
  }

  static std::string compile_command() {
    const std::string root = GALERNA_SOURCE_DIR;
    // Clang takes no overloads for kernels; with GCC the array of shared memory is there from the beginning.
    const bool by_gcc = device::host_compiler().find("clang") == std::string::npos;
    return (by_gcc ? device::host_compiler() : "g++") + " -std=c++20 -O0 -w -shared -fPIC -fno-extern-tls-init -I" +
           root + " -include " + root + "/tests/dg/emulated_gpu_program.hpp ";
  }

  /// The folder of what was compiled with the present kernels, which other tests use, too; it takes the place of those
  /// of other kernels. Empty without a cache for tests.
  static std::filesystem::path compiled_before() {
    const char* cache = std::getenv("GALERNA_CACHE");
    if (!cache || !*cache) return {};
    std::ostringstream kernels;
    kernels << compile_command() << text_of(GALERNA_SOURCE_DIR "/tests/dg/emulated_gpu_program.hpp");
    for (const device::EmbeddedFile& file : device::embedded_kernels()) kernels << file.text;
    const std::filesystem::path all = std::filesystem::path(cache) / "emulated", own = all / name_of(kernels.str());
    if (std::filesystem::create_directories(own))
      for (const auto& other : std::filesystem::directory_iterator(all))
        if (other.path() != own) std::filesystem::remove_all(other.path());
    return own;
  }

  static std::string name_of(const std::string& text) { return std::to_string(std::hash<std::string>()(text)); }

  /// \param folder for what is written on the way
  static std::filesystem::path compiled_library(const std::string& text, const std::filesystem::path& folder) {
    static const std::filesystem::path before = compiled_before();
    const std::filesystem::path kept = before / (name_of(text) + ".so");
    if (!before.empty() && std::filesystem::exists(kept)) return kept;
    const std::filesystem::path file = folder / "program.cpp";
    std::filesystem::path library = folder / "program.so";
    if (!before.empty()) library = before / (folder.filename().string() + ".so");
    std::ofstream(file) << text;
    const std::string command = compile_command() + file.string() + " -o " + library.string();
    if (std::system(command.c_str()) != 0) throw std::runtime_error("failed: " + command);
    if (!before.empty()) std::filesystem::rename(library, kept);
    return before.empty() ? library : kept;
  }

  static void run(const Entry& entry, const device::Range& range, const void* arguments) {
    // threadIdx and its like are one for all emulated GPUs of a process, whose threads may launch side by side.
    static std::mutex one_kernel;
    const std::lock_guard lock(one_kernel);
    gridDim.x = static_cast<unsigned>((range.items + range.group - 1) / range.group);
    // Blocks run one after the other: one that waits for what others send must be the only one.
    const bool waits = entry.name() == "exchange_numbers" || entry.name() == "solve_rows";
    if (range.resident) gridDim.x = std::min(gridDim.x, waits ? 1u : 2u);
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x) {
      EmulatedBlock block(static_cast<unsigned>(range.group), [&] { entry.call(arguments); });
      block.run();
      if (block.left_copies()) throw std::logic_error(entry.name() + " ends before its copies");
    }
  }

  /// Of emulated_gpu_program.hpp.
  struct Emulator {
    const unsigned *thread, *block, *threads, *blocks;
    void (*wait_for_block)();
    void (*wait_for_warp)();
    void (*begin_copy)(void*, const void*, std::size_t);
    void (*end_copy_group)();
    void (*wait_for_copies)(std::size_t);
  };

  class Array : public device::Memory {
   public:
    explicit Array(std::size_t bytes) : bytes_(bytes), numbers_((bytes + 63) / 64) {}
    void* address() override { return numbers_.data(); }
    std::size_t bytes() const override { return bytes_; }

   private:
    struct alignas(64) Line {
      char bytes[64];
    };
    std::size_t bytes_;
    std::vector<Line> numbers_;
  };

  /// Of several processes, by a name.
  class SharedArray : public device::Memory {
   public:
    explicit SharedArray(std::size_t bytes) : bytes_(bytes) {
      static int made = 0;
      name_ = "/galerna-test-" + std::to_string(getpid()) + "-" + std::to_string(made++);
      map(shm_open(name_.c_str(), O_CREAT | O_EXCL | O_RDWR, 0600));
      owns_ = true;
    }
    SharedArray(std::size_t bytes, const std::string& name) : bytes_(bytes), name_(name) {
      map(shm_open(name.c_str(), O_RDWR, 0600));
    }
    ~SharedArray() override {
      munmap(address_, bytes_);
      if (owns_) shm_unlink(name_.c_str());
    }
    void* address() override { return address_; }
    std::size_t bytes() const override { return bytes_; }
    const std::string& name() const { return name_; }

   private:
    void map(int file) {
      if (file < 0 || ftruncate(file, static_cast<off_t>(bytes_)) != 0) throw std::runtime_error("no " + name_);
      address_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      close(file);
      if (address_ == MAP_FAILED) throw std::runtime_error("no memory for " + name_);
    }

    std::size_t bytes_;
    std::string name_;
    void* address_ = nullptr;
    bool owns_ = false;
  };

  struct Library : device::Program {
    ~Library() override {
      if (handle) dlclose(handle);
    }
    void* symbol(const std::string& name) const {
      void* found = dlsym(handle, name.c_str());
      if (!found) throw std::runtime_error("no " + name);
      return found;
    }
    Folder folder;
    void* handle = nullptr;
  };

  class Entry : public device::Kernel {
   public:
    Entry(std::string name, void* call)
        : name_(std::move(name)), call_(reinterpret_cast<void (*)(const void*)>(call)) {}
    const std::string& name() const override { return name_; }
    void call(const void* arguments) const { call_(arguments); }

   private:
    std::string name_;
    void (*call_)(const void*);
  };

  static constexpr int shared_bytes = 227 * 1024;  ///< of a multiprocessor
  bool matrix_units_, last_first_;
  Recording* recording_ = nullptr;
};

}  // namespace galerna::tests
