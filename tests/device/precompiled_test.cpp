// Programs for the CPU with $GALERNA_PRECOMPILE.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "device/program.hpp"
#include "folder.hpp"

namespace galerna::tests {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Sets a variable of the environment while it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* set = std::getenv(name)) before_ = set;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { before_.empty() ? unsetenv(name_) : setenv(name_, before_.c_str(), 1); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::string before_;
};

TEST(PrecompiledHeader, LeavesTheProgramAsItIs) {
  const Folder cache, plain, precompiled;
  const Variable place("GALERNA_CACHE", cache.path());
  const device::ProgramSource source{"a root",
                                     "#include \"kernels/points.hpp\"\nusing namespace galerna::kernels;\n"
                                     "using V = Pack<double, 2>;\n"
                                     "extern \"C\" void root(const void* x, std::int64_t, std::int64_t) {\n"
                                     "  auto* at = const_cast<double*>(static_cast<const double*>(x));\n"
                                     "  store_lanes(at, positive_sqrt(load_lanes<V>(at)));\n}\n",
                                     {"root"}};
  const auto compile = [&](const char* set, const Folder& folder) {
    const Variable variable("GALERNA_PRECOMPILE", set);
    return bytes_of(device::compile(source, "cpu", folder.path()));
  };
  const std::string expected = compile("0", plain);
  EXPECT_TRUE(cache.names().empty());
  EXPECT_EQ(compile("1", precompiled), expected);
  if (device::host_compiler().find("clang") != std::string::npos) return;
  const auto kept = device::list_cache();
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0].title, "kernels/lane.hpp, precompiled");
  EXPECT_GT(kept[0].bytes, 1000000u);
  EXPECT_EQ(device::clear_cache(), 1);
  EXPECT_TRUE(cache.names().empty());
}

}  // namespace
}  // namespace galerna::tests
