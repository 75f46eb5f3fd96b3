#include "device/counting.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace galerna::device {
namespace {

class CountedMemory : public Memory {
 public:
  CountedMemory(CountingDevice::Account& account, std::string purpose, std::size_t bytes)
      : account_(account), purpose_(std::move(purpose)), bytes_(bytes) {
    account_.add(purpose_, bytes_);
  }
  ~CountedMemory() override { account_.remove(purpose_, bytes_); }
  void* address() override { return this; }  // nobody looks there
  std::size_t bytes() const override { return bytes_; }

 private:
  CountingDevice::Account& account_;
  std::string purpose_;
  std::size_t bytes_;
};

class NamedKernel : public Kernel {
 public:
  explicit NamedKernel(std::string name) : name_(std::move(name)) {}
  const std::string& name() const override { return name_; }

 private:
  std::string name_;
};

}  // namespace

std::size_t MemoryPlan::held() const {
  std::size_t sum = 0;
  for (const PlannedArray& array : arrays) sum += array.bytes;
  return sum;
}

Traits traits_of(const Device& device) {
  return {device.kind(), device.lanes(Precision::double_precision), device.lanes(Precision::single_precision),
          device.matrix_units()};
}

void CountingDevice::Account::add(const std::string& purpose, std::size_t bytes) {
  const auto found = std::find_if(arrays.begin(), arrays.end(), [&](const auto& a) { return a.purpose == purpose; });
  if (found == arrays.end())
    arrays.push_back({purpose, bytes});
  else
    found->bytes += bytes;
  used += bytes;
  most = std::max(most, used);
}

void CountingDevice::Account::remove(const std::string& purpose, std::size_t bytes) {
  const auto found = std::find_if(arrays.begin(), arrays.end(), [&](const auto& a) { return a.purpose == purpose; });
  found->bytes -= bytes;
  used -= bytes;
}

MemoryPlan CountingDevice::plan() const {
  MemoryPlan plan{account_.arrays, account_.most - account_.used};
  std::erase_if(plan.arrays, [](const PlannedArray& array) { return array.bytes == 0; });
  std::stable_sort(plan.arrays.begin(), plan.arrays.end(),
                   [](const PlannedArray& a, const PlannedArray& b) { return a.bytes > b.bytes; });
  return plan;
}

int CountingDevice::lanes(Precision precision) const {
  return precision == Precision::double_precision ? traits_.double_lanes : traits_.single_lanes;
}

std::size_t CountingDevice::memory_free() const {
  return std::numeric_limits<std::size_t>::max();
}

std::unique_ptr<Memory> CountingDevice::allocate(std::size_t bytes, const std::string& purpose) {
  return std::make_unique<CountedMemory>(account_, purpose, bytes);
}

void CountingDevice::read(void* to, Memory&, std::size_t bytes, std::size_t) {
  if (bytes > 0) std::memset(to, 0, bytes);
}

std::unique_ptr<Program> CountingDevice::load(const ProgramSource&) {
  return std::make_unique<Program>();
}

std::unique_ptr<Kernel> CountingDevice::kernel(Program&, const std::string& entry) {
  return std::make_unique<NamedKernel>(entry);
}

std::unique_ptr<Graph> CountingDevice::record(const std::function<void()>& body, const SequenceKernel*) {
  body();
  return std::make_unique<Graph>();
}

double CountingDevice::time(const std::function<void()>& body) {
  body();
  return 0;
}

}  // namespace galerna::device
