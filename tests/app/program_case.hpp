/// \file
/// A case for tests of the program.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "app/program.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {

/// A folder with a mesh and a case of a density wave in a periodic square.
class Program : public ::testing::Test {
 protected:
  Program() {
    write_square(folder, 6);
    write_case("cfl = 0.8\nend = 0.05\n");
  }
  void write_case(const std::string& time) {
    std::ofstream(folder / "case.toml") << periodic_square << density_wave << "[discretization]\norder = 2\n[time]\n"
                                        << time;
  }
  std::string path(const std::string& name) const { return (folder / name).string(); }
  std::string run_words() const { return "run " + path("case.toml") + " --device cpu --output " + path("out"); }

  Folder folder;
};

}  // namespace galerna::tests
