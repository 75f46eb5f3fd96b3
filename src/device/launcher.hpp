/// \file
/// Kernels by their names, and their launches.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/program.hpp"

namespace galerna::device {

/// Of a kernel's launches.
struct KernelTime {
  long launches = 0;
  double seconds = 0;
};
using KernelTimes = std::map<std::string, KernelTime>;  ///< by the kernel's name

class Launcher {
 public:
  explicit Launcher(Device& device) : device_(device) {}

  Device& device() const { return device_; }

  /// Adds a program's kernels, `label` behind their names.
  void load(const ProgramSource& source, const std::string& label = "");
  /// Adds the kernel `sequence`, which goes through recorded launches of `entries` by itself.
  void load_sequence(const ProgramSource& source, const std::vector<std::string>& entries);

  const std::map<std::string, std::unique_ptr<Kernel>>& kernels() const { return kernels_; }

  void launch(const std::string& entry, const Range& range, const void* arguments, std::size_t bytes);
  template <class Arguments>
  void launch(const std::string& entry, const Range& range, const Arguments& arguments) {
    launch(entry, range, &arguments, sizeof arguments);
  }

  /// A function of the host, in order with launches (Device::call()).
  void call(std::function<void()> function) { device_.call(std::move(function)); }

  /// What body(0) … body(count − 1) launch may run at the same time (Device::concurrently()).
  void concurrently(std::size_t count, const std::function<void(std::size_t)>& body,
                    std::size_t urgent = Device::none_urgent);
  /// What body(set) launches for different sets may run at the same time.
  template <class Sets, class Body>
  void for_each(const Sets& sets, const Body& body) {
    concurrently(sets.size(), [&](std::size_t b) { body(sets[b]); });
  }
  std::unique_ptr<Graph> record(const std::function<void()>& body);
  /// Adds the time of each launch from now on, until it is told null. Launches then wait for each other.
  void profile(KernelTimes* times) { profile_ = times; }
  bool profiles() const { return profile_ != nullptr; }

 private:
  Device& device_;
  std::vector<std::unique_ptr<Program>> programs_;
  std::map<std::string, std::unique_ptr<Kernel>> kernels_;
  std::optional<SequenceKernel> sequence_;  ///< on small meshes
  KernelTimes* profile_ = nullptr;
};

}  // namespace galerna::device
