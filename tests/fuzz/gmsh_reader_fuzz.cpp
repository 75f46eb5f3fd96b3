/// \file
/// libFuzzer harness for the Gmsh reader: any bytes give a mesh or an InputError. See README.md beside it.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.hpp"
#include "mesh/gmsh_reader.hpp"
#include "mesh/prepare.hpp"
#include "mesh/quality.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    galerna::mesh::Mesh mesh = galerna::mesh::read_gmsh_text({reinterpret_cast<const char*>(data), size}, "fuzz.msh");
    galerna::mesh::prepare(mesh);
    (void)galerna::mesh::describe(mesh);
  } catch (const galerna::InputError&) {
    // what a bad mesh is meant to give
  }
  return 0;
}
