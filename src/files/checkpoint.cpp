#include "files/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "base/error.hpp"
#include "base/file_kind.hpp"
#include "basis/basis.hpp"
#include "files/atomic_file.hpp"
#include "files/hdf5.hpp"

namespace galerna::files {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t user_block_bytes = 512;
constexpr std::string_view mark = "galerna checkpoint";

/// What the user block says about the rest of the file.
struct Seal {
  std::uint64_t bytes = 0;
  std::uint32_t crc = 0;
};

std::string to_text(const Seal& seal) {
  std::string text =
      fmt::format("{} {}\nbytes {}\ncrc32 {:08x}\n", mark, Checkpoint::current_format, seal.bytes, seal.crc);
  text.resize(user_block_bytes, '\0');
  return text;
}

/// Size and CRC-32 of everything behind the user block. \param known sums of pieces of it, in the order of the file
Seal seal_of(const fs::path& file, std::span<const PieceSum> known = {}) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  Seal seal;
  if (error || size <= user_block_bytes) return seal;
  seal.bytes = size - user_block_bytes;
  std::vector<PieceSum> all;
  std::uint64_t end = user_block_bytes;
  const auto read_up_to = [&](std::uint64_t next) {
    const std::vector<PieceSum> between = sums_of(file, end, next);
    all.insert(all.end(), between.begin(), between.end());
  };
  for (const PieceSum& piece : known) {
    read_up_to(piece.offset);
    all.push_back(piece);
    end = piece.offset + piece.bytes;
  }
  read_up_to(size);
  seal.crc = join(all);
  return seal;
}

void write_seal(const fs::path& temporary, const fs::path& target, std::span<const PieceSum> known) {
  std::fstream stream(temporary, std::ios::in | std::ios::out | std::ios::binary);
  const std::string text = to_text(seal_of(temporary, known));
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  stream.close();
  if (!stream) throw_write_error(target, errno);
}

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
  throw InputError({file.string()}, why + "; restart from another checkpoint");
}

/// Checks the user block against the file. Reads the file once.
void check_seal(const fs::path& file) {
  std::error_code error;
  if (fs::is_directory(file, error)) throw InputError({file.string()}, "is a folder, not a checkpoint");
  if (fs::exists(file, error) && !fs::is_regular_file(file, error))
    throw InputError({file.string()}, "is a pipe or a device: checkpoints are read twice; give a file");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError({file.string()}, "no such checkpoint, or it may not be read");
  std::string head(user_block_bytes, '\0');
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  if (const std::string other = other_kind(file, FileKind::checkpoint); !head.starts_with(mark) && !other.empty())
    throw InputError({file.string()}, "this is not a checkpoint, but " + other);
  if (!head.starts_with(mark)) refuse(file, "is not a checkpoint of galerna");
  int format = 0;
  Seal stored;
  if (std::sscanf(head.c_str(), "galerna checkpoint %d\nbytes %lu\ncrc32 %x\n", &format, &stored.bytes, &stored.crc) !=
      3)
    refuse(file, "is damaged at its beginning");
  if (format > Checkpoint::current_format)
    throw InputError({file.string()},
                     fmt::format("has format {}, this program reads up to {}; use the version of galerna that wrote it",
                                 format, Checkpoint::current_format));
  const Seal found = seal_of(file);
  if (found.bytes != stored.bytes)
    refuse(file, fmt::format("is truncated or damaged: it should hold {} bytes behind its beginning and holds {}",
                             stored.bytes, found.bytes));
  if (found.crc != stored.crc || to_text(found) != head)
    refuse(file, "is damaged: its checksum does not fit its content");
}

std::string list_of(const std::vector<std::string>& names) {
  return nlohmann::json(names).dump();
}

template <typename Value>
std::string map_text(const std::map<std::string, Value>& values) {
  std::string text;
  for (const auto& [name, value] : values) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", value, name);
  return text;
}

/// \returns the lists that are still to be written, in the order of the file
std::vector<PlacedNumbers> write_content(hid_t file, const Checkpoint& c) {
  using namespace hdf5;
  std::vector<PlacedNumbers> later;
  const auto reserve = [&](hid_t parent, const std::string& name, const Numbers& numbers) {
    double first = 0;
    if (numbers.size > 0) numbers.fill(0, 1, &first);
    if (const auto offset = reserve_numbers(parent, name, numbers.size, first)) later.push_back({*offset, numbers});
  };
  write_attribute(file, "format_version", std::int64_t{c.format_version});
  write_attribute(file, "mesh_hash", c.mesh_hash);
  write_attribute(file, "degree", std::int64_t{c.degree});
  write_attribute(file, "time", c.time);
  write_attribute(file, "step", c.step);
  write_attribute(file, "rhs_evaluations", c.rhs_evaluations);
  write_attribute(file, "dt", c.dt);
  write_text(file, "galerna_version", c.galerna_version);
  write_text(file, "build", c.build);
  write_text(file, "case", c.resolved_case);
  write_text(file, "mesh_file", c.mesh_file);
  write_text(file, "precision", c.precision);
  write_text(file, "variables", list_of(c.variables));
  const Handle elements = create_group(file, "elements");
  for (const auto& [name, count] : c.elements) write_attribute(elements, name, count);
  write_text(elements, "shapes", [&] {
    std::vector<std::string> names;
    for (const auto& [name, count] : c.elements) names.push_back(name);
    return list_of(names);
  }());
  const Handle state = create_group(file, "state");
  std::set<std::string> names;
  for (const auto& [name, values] : c.state) names.insert(name);
  for (const auto& [name, numbers] : c.state_pieces) names.insert(name);
  for (const std::string& name : names)
    if (const auto pieces = c.state_pieces.find(name); pieces != c.state_pieces.end())
      reserve(state, name, pieces->second);
    else
      write_numbers(state, name, c.state.at(name));
  const Handle conservation = create_group(file, "conservation_start");
  for (const auto& [name, value] : c.conservation_start) write_numbers(conservation, name, {value});
  if (c.coefficient_pieces)
    reserve(file, "coefficients", *c.coefficient_pieces);
  else
    write_numbers(file, "coefficients", c.coefficients);
  write_attribute(file, "complete", std::int64_t{1});
  std::sort(later.begin(), later.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; });
  return later;
}

std::vector<std::string> read_names(hid_t parent, const std::string& name) {
  const nlohmann::json list = nlohmann::json::parse(hdf5::read_text(parent, name), nullptr, false);
  if (!list.is_array()) throw hdf5::Failure(name);
  std::vector<std::string> names;
  for (const nlohmann::json& entry : list) {
    if (!entry.is_string()) throw hdf5::Failure(name);
    names.push_back(entry.get<std::string>());
  }
  return names;
}

/// \param from where pieces are to be read later; empty: all is read now
Checkpoint read_content(hid_t file, const fs::path& from) {
  using namespace hdf5;
  if (read_integer(file, "complete") != 1) throw Failure("complete");
  Checkpoint c;
  c.format_version = static_cast<int>(read_integer(file, "format_version"));
  c.mesh_hash = read_unsigned(file, "mesh_hash");
  c.degree = static_cast<int>(read_integer(file, "degree"));
  c.time = read_number(file, "time");
  c.step = read_integer(file, "step");
  c.rhs_evaluations = read_integer(file, "rhs_evaluations");
  c.dt = read_number(file, "dt");
  c.galerna_version = read_text(file, "galerna_version");
  c.build = read_text(file, "build");
  c.resolved_case = read_text(file, "case");
  c.mesh_file = read_text(file, "mesh_file");
  c.precision = read_text(file, "precision");
  c.variables = read_names(file, "variables");
  const Handle elements = open_group(file, "elements");
  for (const std::string& name : read_names(elements, "shapes")) c.elements[name] = read_integer(elements, name);
  const Handle state = open_group(file, "state");
  const auto pieces_of = [&](hid_t parent, const std::string& name) -> std::optional<Numbers> {
    const auto place = from.empty() ? std::nullopt : place_of_numbers(parent, name);
    if (!place || place->count == 0) return {};
    return stored_numbers(from, place->offset, place->count);
  };
  for (const std::string& name : link_names(state))
    if (const auto pieces = name == "average_integral" ? pieces_of(state, name) : std::nullopt)
      c.state_pieces[name] = *pieces;
    else
      c.state[name] = read_numbers(state, name);
  const Handle conservation = open_group(file, "conservation_start");
  for (const std::string& name : link_names(conservation)) {
    const std::vector<double> values = read_numbers(conservation, name);
    if (values.size() != 1) throw Failure(name);
    c.conservation_start[name] = values[0];
  }
  c.coefficient_pieces = pieces_of(file, "coefficients");
  if (!c.coefficient_pieces) c.coefficients = read_numbers(file, "coefficients");
  return c;
}

constexpr std::int64_t largest_count = std::int64_t{1} << 53;  ///< the state's counts are doubles

void check_consistency(const Checkpoint& checkpoint, const fs::path& file) {
  const auto require = [&](bool holds, const std::string& what) {
    if (!holds) refuse(file, "contradicts itself: " + what);
  };
  require(checkpoint.degree >= 0 && checkpoint.degree < 100, fmt::format("degree {}", checkpoint.degree));
  require(!checkpoint.variables.empty(), "it names no variables");
  require(std::isfinite(checkpoint.time), fmt::format("time {}", checkpoint.time));
  for (const std::int64_t count : {checkpoint.step, checkpoint.rhs_evaluations})
    require(count >= 0 && count <= largest_count, fmt::format("{} steps or right-hand sides", count));
  require(checkpoint.precision == "double" || checkpoint.precision == "single", "precision " + checkpoint.precision);
  std::size_t modes = 0;
  for (const auto& [plural, count] : checkpoint.elements) {
    const auto shape = std::find_if(all_shapes.begin(), all_shapes.end(),
                                    [&name = plural](Shape s) { return plural_name(s) == name; });
    require(shape != all_shapes.end() && count >= 0, fmt::format("{} elements of shape {}", count, plural));
    modes += static_cast<std::size_t>(count) * static_cast<std::size_t>(basis::mode_count(*shape, checkpoint.degree));
  }
  const std::size_t expected = modes * checkpoint.variables.size();
  const std::size_t found = checkpoint.coefficient_count();
  require(checkpoint.elements.empty() ? found % checkpoint.variables.size() == 0 : found == expected,
          fmt::format("{} coefficients for {} variables of degree {}", found, checkpoint.variables.size(),
                      checkpoint.degree));
}

/// Bytes of all numbers of states, which are nearly all of the file.
std::size_t state_bytes(const Checkpoint& checkpoint) {
  std::size_t numbers = checkpoint.coefficient_count();
  for (const auto& [name, pieces] : checkpoint.state_pieces) numbers += pieces.size;
  return numbers * sizeof(double);
}

Checkpoint read(const fs::path& file, bool in_pieces) {
  check_seal(file);
  const hdf5::QuietErrors quiet;
  try {
    Checkpoint checkpoint = read_content(hdf5::open_file(file), in_pieces ? file : fs::path());
    check_consistency(checkpoint, file);
    return checkpoint;
  } catch (const hdf5::Failure& failure) {
    refuse(file, std::string("is incomplete or damaged: ") + failure.what() + " is missing or wrong");
  }
}

}  // namespace

void write_checkpoint(const Checkpoint& checkpoint, const fs::path& file) {
  TemporaryFile temporary(file);
  // A disk that is found to be full here spares HDF5 from half-written files.
  temporary.reserve(state_bytes(checkpoint) + checkpoint.resolved_case.size() + (std::size_t{1} << 16));
  const hdf5::QuietErrors quiet;
  std::vector<PlacedNumbers> later;
  try {
    hdf5::Handle handle = hdf5::create_file(temporary.path(), user_block_bytes);
    later = write_content(handle, checkpoint);
    handle.close("closing the file");
  } catch (const hdf5::Failure& failure) {
    throw SystemError("cannot write " + file.string() + ": HDF5 failed at " + failure.what() +
                      "; check that the disk is not full, or choose another output directory");
  }
  write_seal(temporary.path(), file, write_pieces(temporary.path(), file, later));
  temporary.commit();
}

Checkpoint read_checkpoint(const fs::path& file) {
  return read(file, false);
}

Checkpoint open_checkpoint(const fs::path& file) {
  return read(file, true);
}

std::string describe_checkpoint(const Checkpoint& c) {
  std::string text = fmt::format("checkpoint at t = {:.10g}, step {}\n", c.time, c.step);
  text += fmt::format("  degree      {}\n  variables   {}\n", c.degree, fmt::join(c.variables, ", "));
  text += fmt::format("  mesh        {} (hash {:016x})\n", c.mesh_file, c.mesh_hash);
  if (!c.elements.empty()) text += fmt::format("  elements    {}\n", map_text(c.elements));
  text += fmt::format("  unknowns    {}\n  precision   {}\n", c.coefficient_count(), c.precision);
  if (c.dt > 0) text += fmt::format("  last dt     {:.6g}\n", c.dt);
  if (c.rhs_evaluations > 0) text += fmt::format("  right-hand sides  {}\n", c.rhs_evaluations);
  for (const auto& [name, value] : c.conservation_start)
    text += fmt::format("  start integral of {}  {:.12g}\n", name, value);
  return text + fmt::format("  written by  galerna {} ({})\n", c.galerna_version, c.build);
}

}  // namespace galerna::files
