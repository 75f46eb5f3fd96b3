/// \file
/// Checkpoints: everything that a run needs to continue, in one HDF5 file.
///
/// The file begins with a user block of 512 bytes (HDF5 programs skip it) that names the format and holds the size and
/// the CRC-32 of what follows, so that a damaged or truncated file is refused before HDF5 looks at it. Attributes of
/// the root group hold the numbers and texts, the dataset `coefficients` the solution, the groups `state`,
/// `conservation_start` and `elements` the maps.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "files/number_pieces.hpp"

namespace galerna::files {

struct Checkpoint {
  static constexpr int current_format = 1;

  int format_version = current_format;
  std::string galerna_version, build;  ///< of the program that wrote it
  std::string resolved_case;           ///< the case file as it was understood, TOML
  std::uint64_t mesh_hash = 0;
  std::string mesh_file;
  std::map<std::string, std::int64_t> elements;  ///< number of elements by shape ("triangles", …); may be empty
  int degree = 0;
  std::vector<std::string> variables;
  std::string precision = "double";  ///< of the run: double | single
  double time = 0;
  std::int64_t step = 0;
  std::int64_t rhs_evaluations = 0;
  double dt = 0;                                     ///< the last time step
  std::map<std::string, std::vector<double>> state;  ///< whatever else a bitwise restart needs, by name
  std::map<std::string, double> conservation_start;  ///< integral of each variable at t = 0
  /// [element][variable][mode], elements in source order (see analysis/source_order.hpp).
  std::vector<double> coefficients;

  // Instead of these, in pieces, where the state is large:
  std::optional<Numbers> coefficient_pieces;
  std::map<std::string, Numbers> state_pieces;  ///< by names that `state` lacks

  std::size_t coefficient_count() const { return coefficient_pieces ? coefficient_pieces->size : coefficients.size(); }
};

/// Replaces the file as a whole; when anything fails, a former file stays as it was.
/// \throws SystemError when it cannot be written.
void write_checkpoint(const Checkpoint& checkpoint, const std::filesystem::path& file);

/// \throws InputError when the file is missing, is not a checkpoint, is damaged, incomplete, of a newer format, or
/// contradicts itself.
Checkpoint read_checkpoint(const std::filesystem::path& file);
/// The same, but coefficients and the integral of a time mean stay in the file, from which pieces are read.
Checkpoint open_checkpoint(const std::filesystem::path& file);

/// What it holds, in lines for people.
std::string describe_checkpoint(const Checkpoint& checkpoint);

}  // namespace galerna::files
