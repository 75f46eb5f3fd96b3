/// \file
/// libFuzzer harness for the reader of agglomerations: any bytes give one of a small mesh or an InputError.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.hpp"
#include "mesh/agglomeration.hpp"
#include "mesh/generate.hpp"
#include "mesh/prepare.hpp"

namespace {

galerna::mesh::Mesh small_mesh() {
  galerna::mesh::Mesh mesh = galerna::mesh::make_rectangle(3, 2);
  galerna::mesh::prepare(mesh);
  return mesh;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const galerna::mesh::Mesh mesh = small_mesh();
  try {
    const auto read =
        galerna::mesh::read_agglomeration_text({reinterpret_cast<const char*>(data), size}, "fuzz.agg", mesh);
    for (const galerna::mesh::Index polytope : read.polytope)
      if (polytope < 0 || polytope >= read.count) std::abort();
  } catch (const galerna::InputError&) {
    // what a bad file is meant to give
  }
  return 0;
}
