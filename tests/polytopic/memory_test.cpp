// Memory of an assembly: little beside the system itself, and as much as the plan says.
#include <gtest/gtest.h>

#include "device/counting.hpp"
#include "mesh/agglomeration.hpp"
#include "mesh/box.hpp"
#include "mesh/generate.hpp"
#include "mesh/prepare.hpp"
#include "polytopic/discretization.hpp"
#include "polytopic/problems.hpp"

namespace galerna::tests {
namespace {

struct MemoryCase {
  int dimension, order;
};

class PolytopicMemory : public ::testing::TestWithParam<MemoryCase> {
 protected:
  PolytopicMemory() {
    mesh_ = GetParam().dimension == 2
                ? mesh::make_rectangle(48, 48, {0, 0}, {1, 1}, mesh::CellStyle::random_triangles, 0.15)
                : mesh::make_box({9, 9, 9}, {1, 1, 1}, 0.1);
    mesh::prepare(mesh_);
    polytopes_ = polytopic::make_mesh(mesh_, mesh::make_agglomeration(mesh_, mesh_.element_count() / 12));
  }
  polytopic::Discretization assembled_on(device::Device& device) const {
    return {device, polytopes_, poisson(GetParam().dimension, mesh_, "certified", 2),
            std::vector<int>(static_cast<std::size_t>(polytopes_.polytopes), GetParam().order)};
  }

  mesh::Mesh mesh_;
  polytopic::Mesh polytopes_;
};

TEST_P(PolytopicMemory, IsLittleBesideTheSystemAndItsMesh) {
  for (const device::Kind kind : {device::Kind::host, device::Kind::cuda}) {
    device::CountingDevice device({kind, 8, 16, kind == device::Kind::cuda});
    const polytopic::Discretization discretization = assembled_on(device);
    std::size_t beside_mesh = 0;
    for (const device::PlannedArray& array : device.plan().arrays)
      if (array.purpose != "mesh of polytopes") beside_mesh += array.bytes;
    const auto blocks = static_cast<std::size_t>(polytopes_.polytopes + 2 * polytopes_.interface_count());
    const auto numbers = static_cast<std::size_t>(discretization.value_count() + discretization.unknowns());
    const std::size_t system = 8 * numbers + 4 * blocks;
    EXPECT_LE(static_cast<double>(device.plan().temporary + beside_mesh), 1.15 * static_cast<double>(system));
  }
}

TEST_P(PolytopicMemory, IsWhatWasPlanned) {
  const auto device = device::open_device("cpu");
  device::CountingDevice planned(device::traits_of(*device));
  const polytopic::Discretization there = assembled_on(*device), plan = assembled_on(planned);
  EXPECT_EQ(device->memory_used(), planned.plan().peak());
}

INSTANTIATE_TEST_SUITE_P(Orders, PolytopicMemory,
                         ::testing::Values(MemoryCase{2, 2}, MemoryCase{2, 3}, MemoryCase{3, 2}, MemoryCase{3, 3},
                                           MemoryCase{3, 6}),
                         [](const auto& test) {
                           return "d" + std::to_string(test.param.dimension) + "p" + std::to_string(test.param.order);
                         });

}  // namespace
}  // namespace galerna::tests
