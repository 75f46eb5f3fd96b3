/// \file
/// Programs for GPUs, compiled on machines that need not have one.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "device/program.hpp"

namespace galerna::tests {

/// \param architecture such as "sm_90".
inline void expect_compiles(const device::ProgramSource& program, const std::string& architecture) {
  EXPECT_GT(std::filesystem::file_size(device::compile(program, architecture, {}, device::Effort::check)), 1000u)
      << program.title;
}

}  // namespace galerna::tests
