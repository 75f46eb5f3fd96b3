/// \file
/// The kernels of a discretization by their names, and their launches.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dg/operator.hpp"
#include "dg/programs/simplex_programs.hpp"

namespace galerna::dg {

class Launcher {
 public:
  explicit Launcher(device::Device& device) : device_(device) {}

  device::Device& device() const { return device_; }

  /// Adds a program's kernels, `label` behind their names.
  void load(const device::ProgramSource& source, const std::string& label);
  /// The kernel that goes through recorded launches by itself.
  void load(const Sequence& sequence);

  const std::map<std::string, std::unique_ptr<device::Kernel>>& kernels() const { return kernels_; }

  void launch(const std::string& entry, const device::Range& range, const void* arguments, std::size_t bytes);
  template <class Arguments>
  void launch(const std::string& entry, const device::Range& range, const Arguments& arguments) {
    launch(entry, range, &arguments, sizeof arguments);
  }

  /// A function of the host, in order with launches (Device::call()).
  void call(std::function<void()> function) { device_.call(std::move(function)); }

  /// What body(0) … body(count − 1) launch may run at the same time (Device::concurrently()).
  void concurrently(std::size_t count, const std::function<void(std::size_t)>& body,
                    std::size_t urgent = device::Device::none_urgent);
  /// What body(set) launches for different sets may run at the same time.
  template <class Sets, class Body>
  void for_each(const Sets& sets, const Body& body) {
    concurrently(sets.size(), [&](std::size_t b) { body(sets[b]); });
  }
  std::unique_ptr<device::Graph> record(const std::function<void()>& body);
  /// See Operator::profile().
  void profile(std::map<std::string, Operator::KernelTime>* times) { profile_ = times; }

 private:
  device::Device& device_;
  std::vector<std::unique_ptr<device::Program>> programs_;
  std::map<std::string, std::unique_ptr<device::Kernel>> kernels_;
  std::optional<device::SequenceKernel> sequence_;  ///< on small meshes
  std::map<std::string, Operator::KernelTime>* profile_ = nullptr;
};

}  // namespace galerna::dg
