/// \file
/// Solutions as VTK unstructured grids (.vtu), in high order, and as time series of them (.pvd), for ParaView, PyVista
/// and others. Format: "VTK File Formats", XML section, at docs.vtk.org.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/solution.hpp"
#include "files/vtk_cells.hpp"

namespace galerna::files {

struct VtuOptions {
  enum class Precision { single_precision, double_precision };
  Precision precision = Precision::single_precision;
  bool compressed = true;
  std::size_t memory = std::size_t{1} << 27;  ///< for encoded data, which else wait on the disk
  /// Linear cells are for programs that cannot read Lagrange cells; they show a polynomial as max(1, p)^d linear
  /// pieces.
  VtkCells cells = VtkCells::lagrange;
  /// Only these elements (numbers in the mesh), e.g. the neighbourhood of a failure; empty: all.
  std::vector<mesh::Index> elements;
  /// Names of the fields to be written; empty: the listed ones.
  std::vector<std::string> fields;
  /// Further cell data by name: [element] in the mesh's order.
  std::vector<std::pair<std::string, std::vector<std::int32_t>>> cell_data;
  std::vector<std::pair<std::string, std::vector<double>>> cell_values;
};

/// Writes fields of Solution::fields, discontinuous between elements, at the points of the equispaced lattice of
/// order max(1, p, geometry order) of each element; x, y (and z) components also joined as vectors (velocity,
/// momentum); cell data `element` (number in the mesh file) and, where the mesh has regions, `region`. Elements are
/// written positively oriented. Lagrange interpolation of conservative variables is exact; that of derived fields is
/// the polynomial through the lattice values. The file is replaced as a whole or not at all. \throws SystemError when
/// it cannot be written.
void write_vtu(const analysis::Solution& solution, const std::filesystem::path& file, const VtuOptions& options = {});

/// A .pvd file: the list of a run's .vtu files with their times, whole on the disk after every call.
class PvdSeries {
 public:
  /// Begins a new series, which replaces a former one at the first add(); or continues the one in the file up to and
  /// including `restart_time`, if given: later entries are dropped, their files are not touched. \throws InputError
  /// when a series is to be continued that cannot be understood.
  explicit PvdSeries(std::filesystem::path file, std::optional<double> restart_time = std::nullopt);

  /// Adds a file, relative to the folder of the series, and writes the series. An entry of the same file is replaced.
  /// \throws SystemError when the series cannot be written.
  void add(double time, const std::string& vtu);

  struct Entry {
    double time;
    std::string file;
  };
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::filesystem::path file_;
  std::vector<Entry> entries_;
};

}  // namespace galerna::files
