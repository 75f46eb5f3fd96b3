/// \file
/// Small simulations for tests: a mesh and a case file in a folder of their own.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "device/device.hpp"
#include "folder.hpp"
#include "mesh/generate.hpp"
#include "mesh/gmsh_writer.hpp"
#include "numbers.hpp"
#include "solver/run/simulation.hpp"

namespace galerna::tests {

/// Prints nothing; interrupts after `launches` more launches than one if that is ≥ 0, and then for good, as a signal
/// does.
class Silent : public solver::Observer {
 public:
  explicit Silent(int launches = -1) : launches_(launches) {}
  void message(const std::string& text) override { messages.push_back(text); }
  void progress(const solver::Progress&) override { ++told_; }
  void working(const std::string& what) override { work.push_back(what); }
  bool interrupted() override { return launches_ >= 0 && told_ > launches_; }
  std::vector<std::string> messages, work;

 private:
  int launches_, told_ = 0;
};

/// A square [0, 1]² of n × n cells in `folder`/square.msh, irregular triangles unless something else is asked for.
inline void write_square(const Folder& folder, int n, mesh::CellStyle style = mesh::CellStyle::random_triangles,
                         double jitter = 0.15) {
  mesh::write_gmsh(mesh::make_rectangle(n, n, {0, 0}, {1, 1}, style, jitter), folder / "square.msh");
}

inline const char* periodic_square = R"toml(
[mesh]
file = "square.msh"
periodic = [ { from = "left", to = "right", translation = [1, 0] }, { from = "bottom", to = "top", translation = [0, 1] } ]
)toml";

/// A density wave in a stream of constant velocity and pressure: an exact solution of the Euler equations.
inline const char* density_wave = R"toml(
[functions]
wave = "1 + 0.2*sin(2*pi*(x - t))*cos(2*pi*(y - 0.5*t))"
[equations]
type = "euler"
[initial]
density = "wave"
velocity_x = 1
velocity_y = 0.5
pressure = 1
[exact]
density = "wave"
velocity_x = 1
velocity_y = 0.5
pressure = 1
[output]
solution = false
)toml";

inline case_file::Settings settings(const Folder& folder, const std::string& text,
                                    const std::vector<std::string>& set = {}) {
  std::ofstream(folder / "case.toml") << text;
  std::vector<std::string> overrides = {"output.directory=\"" + (folder / "out").string() + "\""};
  overrides.insert(overrides.end(), set.begin(), set.end());
  return case_file::read_case(folder / "case.toml", overrides);
}

/// The CPU, and a GPU where there is one.
inline std::vector<std::string> devices() {
  return device::cuda_absence().empty() ? std::vector<std::string>{"cpu", "cuda"} : std::vector<std::string>{"cpu"};
}

struct Outcome {
  files::Report report;
  std::vector<double> coefficients;
};

inline Outcome run(const Folder& folder, const std::string& text, const std::vector<std::string>& set = {},
                   solver::RunOptions options = {.device = "cpu"}, int interrupt_after = -1) {
  Silent silent(interrupt_after);
  solver::Simulation simulation(settings(folder, text, set), options, silent);
  Outcome result;
  result.report = simulation.run();
  result.coefficients = simulation.flow().solution().coefficients();
  return result;
}

}  // namespace galerna::tests
