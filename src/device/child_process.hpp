/// \file
/// Other programs that this one starts: compilers.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace galerna::device {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
/// An open file; null where it could not be opened.
using File = std::unique_ptr<std::FILE, CloseFile>;

/// Runs a program without a shell, its output into `log`; returns whether it exited with 0. It ends with this process's
/// interruption (program.hpp, on_interruption).
bool run_child(const std::vector<std::string>& command, std::FILE* log);

}  // namespace galerna::device
