#include "device/processor.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "folder.hpp"

namespace galerna::tests {
namespace {

TEST(Processor, IsReadFromTheFirstOneOfCpuinfo) {
  std::istringstream text(
      "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\n"
      "flags\t\t: fpu avx512f\n\nprocessor\t: 1\ncpu family\t: 26\nmodel\t\t: 2\nmodel name\t: another\n");
  const device::Processor processor = device::read_cpuinfo(text);
  EXPECT_EQ(processor.model, "AMD EPYC");
  EXPECT_EQ(processor.family, 25);
  EXPECT_EQ(processor.number, 17);
}

TEST(Processor, MayTellNothing) {
  std::istringstream text("BogoMIPS\t: 243.75\nmodel\t: unknown\n:\n");
  const device::Processor processor = device::read_cpuinfo(text);
  EXPECT_EQ(processor.model, "CPU");
  EXPECT_FALSE(processor.family);
  EXPECT_FALSE(processor.number);
  EXPECT_FALSE(processor.shares_cores());
}

/// Four logical processors on two cores.
class Cores : public ::testing::Test {
 protected:
  Cores() {
    const char* siblings[] = {"0,2", "1,3", "0,2", "1,3"};
    for (int number = 0; number < 4; ++number) {
      const auto topology = folder / ("cpu" + std::to_string(number)) / "topology";
      std::filesystem::create_directories(topology);
      std::ofstream(topology / "thread_siblings_list") << siblings[number] << "\n";
    }
  }
  Folder folder;
};

TEST_F(Cores, AreThoseOfTheProcessorsThatMayBeUsed) {
  EXPECT_EQ(device::count_cores({0, 1, 2, 3}, folder.path()), 2);
  EXPECT_EQ(device::count_cores({0, 2}, folder.path()), 1);
  EXPECT_EQ(device::count_cores({0, 3}, folder.path()), 2);
  EXPECT_FALSE(device::count_cores({0, 7}, folder.path())) << "not told";
  EXPECT_FALSE(device::count_cores({}, folder.path()));
}

TEST(Processor, SaysWhetherThreadsShareCores) {
  device::Processor processor{"AMD EPYC", 25, 17, "AVX-512", 2, 1};
  EXPECT_EQ(processor.shares_cores(), true);
  EXPECT_EQ(device::describe(processor), "AMD EPYC (family 25, model 17), AVX-512: 2 threads on 1 core");
  processor.cores = 2;
  EXPECT_EQ(processor.shares_cores(), false);
}

TEST(Processor, OfThisMachineHasThreads) {
  EXPECT_GE(device::this_processor().threads, 1);
  EXPECT_FALSE(device::this_processor().model.empty());
}

}  // namespace
}  // namespace galerna::tests
