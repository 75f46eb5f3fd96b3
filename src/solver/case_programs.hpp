/// \file
/// The programs that a case needs on a device.
#pragma once

#include <vector>

#include "case/settings.hpp"
#include "device/program.hpp"
#include "device/target.hpp"
#include "mesh/mesh.hpp"

namespace galerna::solver {

/// The programs that a case needs on a kind of device, for `galerna cache --build`.
std::vector<device::ProgramSource> make_programs(const case_file::Settings& settings, const device::Target& target,
                                                 device::Precision precision);
/// The same for a mesh that is there and a problem that is checked.
std::vector<device::ProgramSource> make_programs(const case_file::Settings& settings, const mesh::Mesh& mesh,
                                                 const device::Target& target, device::Precision precision);

}  // namespace galerna::solver
