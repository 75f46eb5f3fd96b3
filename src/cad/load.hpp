/// \file
/// CAD files, by a library that is loaded at run time: libgalerna_cad.so, which links OpenCASCADE.
#pragma once

#include <filesystem>
#include <memory>

#include "cad/model.hpp"

namespace galerna::cad {

/// Of libgalerna_cad.so, as find_module().
std::filesystem::path find_cad_module();

struct LoadOptions {
  double scale = 1;                   ///< of all lengths, after those of the file's own unit
  std::filesystem::path module = {};  ///< empty: find_cad_module()
  int seconds = 0;                    ///< after which reading is given up; 0: 50, and 10 more for each MB
};

/// Reads a STEP, IGES or BREP file; lengths are in the unit of the file. A process of its own reads it first, so that a
/// damaged file on which OpenCASCADE crashes or never ends is an error like others. \throws InputError where the file
/// cannot be read or has no faces, SystemError without the library
std::shared_ptr<const Model> load(const std::filesystem::path& file, const LoadOptions& options = {});

}  // namespace galerna::cad
