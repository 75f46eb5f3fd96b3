/// \file
/// The processor of the host device: what must be known of it to compare its numbers with those of another.
#pragma once

#include <filesystem>
#include <istream>
#include <optional>
#include <string>
#include <vector>

namespace galerna::device {

struct Processor {
  std::string model;                  ///< of /proc/cpuinfo; virtual machines may hide the product's name
  std::optional<int> family, number;  ///< "cpu family" and "model": the kind of core, where the system tells
  std::string simd;                   ///< "AVX-512", "AVX2", …
  int threads = 1;                    ///< of the host device
  std::optional<int> cores;           ///< on which these may run, where the system tells
  /// Whether threads share cores, and with them arithmetic units, as far as the system knows.
  std::optional<bool> shares_cores() const;
};

/// Of this machine and process.
Processor this_processor();
/// "AMD EPYC (family 25, model 17), AVX-512: 2 threads on 2 cores"
std::string describe(const Processor& processor);

/// Model, family and number from the text of /proc/cpuinfo.
Processor read_cpuinfo(std::istream& cpuinfo);
/// Different cores among the logical processors of these numbers. \param folder /sys/devices/system/cpu
std::optional<int> count_cores(const std::vector<int>& processors, const std::filesystem::path& folder);

}  // namespace galerna::device
