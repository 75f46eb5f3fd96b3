/// \file
/// A device that only counts: arrays have a size and a purpose but no storage, programs are not compiled, launches and
/// copies do nothing. What a set-up on it leaves is the plan of the memory that the same set-up takes on the device it
/// stands for, which need not be here.
#pragma once

#include <string>
#include <vector>

#include "device/device.hpp"

namespace galerna::device {

/// Arrays of one purpose together.
struct PlannedArray {
  std::string purpose;
  std::size_t bytes = 0;
};

struct MemoryPlan {
  std::vector<PlannedArray> arrays;  ///< held to the end; to the byte what Device::memory_used() counts
  std::size_t temporary = 0;         ///< held beside them at most

  std::size_t held() const;
  std::size_t peak() const { return held() + temporary; }
};

/// What arrays depend on.
struct Traits {
  Kind kind = Kind::host;
  int double_lanes = 1, single_lanes = 1;  ///< Device::lanes
  bool matrix_units = false;
};
Traits traits_of(const Device& device);

class CountingDevice : public Device {
 public:
  explicit CountingDevice(const Traits& traits) : traits_(traits) {}

  /// What is allocated now, the largest first, and by how much more was at the worst time so far.
  MemoryPlan plan() const;

  Kind kind() const override { return traits_.kind; }
  std::string name() const override { return "a device that only counts"; }
  bool matrix_units() const override { return traits_.matrix_units; }
  bool stores() const override { return false; }
  int lanes(Precision precision) const override;
  std::size_t memory_used() const override { return account_.used; }
  std::size_t memory_free() const override;

  std::unique_ptr<Memory> allocate(std::size_t bytes, const std::string& purpose) override;
  void write(Memory&, const void*, std::size_t, std::size_t) override {}
  void read(void* to, Memory& from, std::size_t bytes, std::size_t offset) override;  ///< zeros
  void copy(Memory&, Memory&, std::size_t) override {}
  void clear(Memory&) override {}

  std::unique_ptr<Program> load(const ProgramSource& source) override;
  std::unique_ptr<Kernel> kernel(Program& program, const std::string& entry) override;
  void launch(const Kernel&, const Range&, const void*, std::size_t) override {}
  std::unique_ptr<Graph> record(const std::function<void()>& body, const SequenceKernel* sequence) override;
  void launch(Graph&) override {}
  void synchronize() override {}
  double time(const std::function<void()>& body) override;

  /// What arrays say when they come and go.
  struct Account {
    std::vector<PlannedArray> arrays;
    std::size_t used = 0, most = 0;

    void add(const std::string& purpose, std::size_t bytes);
    void remove(const std::string& purpose, std::size_t bytes);
  };

 private:
  Traits traits_;
  Account account_;
};

}  // namespace galerna::device
