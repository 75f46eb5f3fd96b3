/// \file
/// Runs the program and looks at what it says and writes.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <string>

#include "folder.hpp"

namespace galerna::tests {

struct Execution {
  int code;
  std::string output;  ///< standard output and standard error
};

/// \param command for a shell.
inline Execution execute(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::string output;
  char buffer[4096];
  while (const std::size_t n = fread(buffer, 1, sizeof buffer, pipe)) output.append(buffer, n);
  return {WEXITSTATUS(pclose(pipe)), output};
}

inline Execution galerna(const std::string& arguments) {
  return execute(std::string(GALERNA_PROGRAM) + " " + arguments);
}

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

}  // namespace galerna::tests
