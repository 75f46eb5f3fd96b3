/// \file
/// Programs for NVIDIA GPUs, compiled in process by NVRTC; needs no GPU.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "device/program.hpp"
#include "device/trusted_file.hpp"

namespace galerna::device {

/// The cubin of the program for an architecture such as "sm_90". \throws SystemError as obtain() does, also when there
/// is no NVRTC.
TrustedFile compile_for_cuda(const ProgramSource& source, const std::string& architecture,
                             const std::filesystem::path& directory = {}, Effort effort = Effort::full);

/// See require_compilable(). \throws SystemError as compile_for_cuda() does before it compiles.
void require_cuda_compilable(const std::vector<ProgramSource>& programs, const std::string& architecture);

}  // namespace galerna::device
