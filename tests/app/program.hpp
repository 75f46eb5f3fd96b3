/// \file
/// Runs the program and looks at what it says and writes.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
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

/// The file that was there stays where there is no room for another, and devices stay what they are.
/// \param words of a command that -o FILE ends \param blocks of a file at most, fewer than it writes
inline void expect_written_whole(const std::string& words, const std::filesystem::path& file, int blocks) {
  std::ofstream(file) << "older";
  const Execution full =
      execute("ulimit -f " + std::to_string(blocks) + "; " GALERNA_PROGRAM " " + words + " -o " + file.string());
  EXPECT_EQ(full.code, 4);
  expect_contains(full.output, file.filename().string() + ": ");
  expect_contains(full.output, "ulimit -f");
  EXPECT_EQ(text_of(file), "older");
  const Execution device = galerna(words + " -o /dev/full");
  EXPECT_EQ(device.code, 4);
  expect_contains(device.output, "cannot write /dev/full: No space left on device");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

}  // namespace galerna::tests
