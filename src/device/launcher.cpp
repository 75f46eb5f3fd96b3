#include "device/launcher.hpp"

namespace galerna::device {

void Launcher::load(const ProgramSource& source, const std::string& label) {
  programs_.push_back(device_.load(source));
  for (const std::string& entry : source.entries) kernels_[entry + label] = device_.kernel(*programs_.back(), entry);
}

void Launcher::load_sequence(const ProgramSource& source, const std::vector<std::string>& entries) {
  programs_.push_back(device_.load(source));
  sequence_ = {device_.kernel(*programs_.back(), "sequence"), entries};
}

void Launcher::launch(const std::string& entry, const Range& range, const void* arguments, std::size_t bytes) {
  const auto run = [&] { device_.launch(*kernels_.at(entry), range, arguments, bytes); };
  if (!profile_) return run();
  KernelTime& time = (*profile_)[entry];
  time.seconds += device_.time(run);
  time.launches += 1;
}

void Launcher::concurrently(std::size_t count, const std::function<void(std::size_t)>& body, std::size_t urgent) {
  if (!profile_) return device_.concurrently(count, body, urgent);
  for (std::size_t k = 0; k < count; ++k) body(k);  // each launch is timed by itself
}

std::unique_ptr<Graph> Launcher::record(const std::function<void()>& body) {
  return device_.record(body, sequence_ ? &*sequence_ : nullptr);
}

}  // namespace galerna::device
