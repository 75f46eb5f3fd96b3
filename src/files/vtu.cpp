#include "files/vtu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <span>

#include "analysis/field_sampler.hpp"
#include "base/parallel.hpp"
#include "files/atomic_file.hpp"
#include "files/vtu_data.hpp"

namespace galerna::files {

using analysis::element_offsets;
using analysis::FieldSampler;
using analysis::FieldSelection;
using analysis::orientation;
using analysis::Solution;

namespace {

using mesh::ElementBlock;
using mesh::Index;

constexpr Index elements_at_once = 1024;

/// The elements of one block that are to be written, by position in the block.
std::vector<Index> chosen_positions(const mesh::Mesh& mesh, std::size_t block, const std::vector<Index>& elements) {
  const std::vector<Index> offsets = element_offsets(mesh);
  std::vector<Index> positions;
  if (elements.empty()) {
    positions.resize(static_cast<std::size_t>(mesh.blocks[block].size()));
    std::iota(positions.begin(), positions.end(), Index{0});
  }
  for (Index element : elements)
    if (element >= offsets[block] && element < offsets[block + 1]) positions.push_back(element - offsets[block]);
  return positions;
}

/// Where the points, cells or nodes of cells of one block's elements lie among all of the file.
struct Extent {
  std::int64_t first, each;  ///< of the first element, and how many each has
};

/// What one block of the mesh is in a file.
struct Part {
  /// Elements of one orientation.
  struct Kind {
    CellPattern pattern;
    FieldSampler sampler;
  };

  int block;
  Index first_element;           ///< of the block, in the mesh
  std::vector<Index> positions;  ///< of its elements that are written
  std::vector<char> negative;    ///< [of these] whether it is oriented negatively
  std::array<Kind, 2> kinds;     ///< positive, negative
  Extent points, cells, nodes;

  const Kind& kind(Index i) const { return kinds[static_cast<std::size_t>(negative[static_cast<std::size_t>(i)])]; }
  Index position(Index i) const { return positions[static_cast<std::size_t>(i)]; }
  std::size_t element(Index i) const { return static_cast<std::size_t>(first_element + position(i)); }
};

/// A part behind those that are there.
Part make_part(const Solution& solution, std::size_t index, const FieldSelection& fields, const VtuOptions& options,
               const std::vector<Part>& before) {
  const mesh::Mesh& mesh = *solution.mesh;
  const ElementBlock& block = mesh.blocks[index];
  const int number = static_cast<int>(index);
  const CellPattern positive = cell_pattern(block.shape, std::max({1, solution.degree, block.order}), options.cells);
  const CellPattern negative = mirrored(positive);
  std::int64_t nodes = 0;
  for (const CellPattern::Cell& cell : positive.cells) nodes += std::ssize(cell.nodes);
  const auto behind = [&](Extent Part::*extent, std::int64_t each) -> Extent {
    if (before.empty()) return {0, each};
    const Extent& last = before.back().*extent;
    return {last.first + last.each * std::ssize(before.back().positions), each};
  };
  Part part = {number,
               element_offsets(mesh)[index],
               chosen_positions(mesh, index, options.elements),
               {},
               {Part::Kind{positive, {solution, number, positive.points, fields}},
                Part::Kind{negative, {solution, number, negative.points, fields}}},
               behind(&Part::points, std::ssize(positive.points)),
               behind(&Part::cells, std::ssize(positive.cells)),
               behind(&Part::nodes, nodes)};
  part.negative.resize(part.positions.size());
  in_parallel(std::ssize(part.positions), elements_at_once, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      part.negative[static_cast<std::size_t>(i)] = orientation(mesh, block, part.position(i)) < 0;
  });
  return part;
}

std::ptrdiff_t index_of(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : found - names.begin();
}

/// The stem of a vector whose first component is `name`: "velocity_x" -> "velocity"; "" if it is not one.
std::string vector_stem(const std::string& name, const std::vector<std::string>& names) {
  if (!name.ends_with("_x")) return "";
  const std::string stem = name.substr(0, name.size() - 2);
  return index_of(names, stem + "_y") >= 0 && index_of(names, stem) < 0 ? stem : "";
}

/// All arrays of a file, made a stream at a time: no array is ever there as a whole before it is compressed.
template <typename Real>
class Grid {
 public:
  Grid(const Solution& solution, const VtuOptions& options)
      : solution_(solution), options_(options), fields_(solution.fields, options.fields), arrays_(options.compressed) {
    for (std::size_t block = 0; block < solution.mesh->blocks.size(); ++block)
      parts_.push_back(make_part(solution, block, fields_, options, parts_));
  }

  void write(const std::filesystem::path& path) {
    std::string field_data = arrays_.add("TimeValue", std::vector<double>{solution_.time});
    field_data.insert(field_data.find("format="), "NumberOfTuples=\"1\" ");
    reserve_point_data();
    reserve_cell_data();
    points_ = arrays_.template reserve<Real>("Points", 3 * size(&Part::points), 3);
    reserve_cells();
    arrays_.keep_at_most(options_.memory, path);
    fill();

    std::string header = vtu_opening(has_lagrange_hexahedra(), options_.compressed);
    header += "<FieldData>\n" + field_data + "</FieldData>\n" + piece() +
              "</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
    AtomicFile file(path);
    file.write(header);
    arrays_.write(file);
    file.write("\n</AppendedData>\n</VTKFile>\n");
    file.commit();
  }

 private:
  /// An array of numbers that follow from elements, and what fills a stream of it.
  struct Source {
    std::size_t array;
    std::function<void(std::size_t stream)> fill;
  };
  /// A vector whose components are fields; −1 for one that there is not.
  struct Joined {
    std::size_t array;
    std::string name;
    std::array<std::ptrdiff_t, 3> components;
  };

  std::size_t size(Extent Part::*extent) const {
    const Extent& last = parts_.back().*extent;
    return static_cast<std::size_t>(last.first + last.each * std::ssize(parts_.back().positions));
  }

  /// Calls visit(part, i, local begin, local end, place) for every element of which something lies between begin and
  /// end: its items from local begin to local end, the first of which is number `place` from begin.
  template <class Visit>
  void visit(Extent Part::*extent, std::size_t begin, std::size_t end, const Visit& visit) const {
    const auto from = static_cast<std::int64_t>(begin), to = static_cast<std::int64_t>(end);
    for (const Part& part : parts_) {
      const auto [first, each] = part.*extent;
      const Index last = std::min<Index>(std::ssize(part.positions), (to - first + each - 1) / each);
      for (Index i = std::max<Index>(0, (from - first) / each); i < last; ++i) {
        const std::int64_t start = first + i * each;
        const std::int64_t local = std::max<std::int64_t>(from - start, 0);
        visit(part, i, local, std::min(to - start, each), static_cast<std::size_t>(start + local - from));
      }
    }
  }

  void reserve_point_data() {
    const std::vector<std::string> names = fields_.names();
    for (const std::string& name : names) {
      field_arrays_.push_back(arrays_.template reserve<Real>(name, size(&Part::points)));
      const std::string stem = vector_stem(name, names);
      if (stem.empty()) continue;
      joined_.push_back({arrays_.template reserve<Real>(stem, 3 * size(&Part::points), 3), stem, {}});
      for (std::size_t d = 0; d < 3; ++d)
        joined_.back().components[d] = index_of(names, stem + std::array{"_x", "_y", "_z"}[d]);
    }
  }

  /// An array of one number a cell, or a node of a cell. \param number of (part, element of it, which of its items)
  template <typename Number, class Make>
  void reserve_source(const std::string& name, Extent Part::*extent, const Make& number) {
    const std::size_t all = size(extent), array = arrays_.template reserve<Number>(name, all);
    sources_.push_back({array, [this, array, all, extent, number](std::size_t stream) {
                          constexpr std::size_t most = VtkArrays::stream_bytes / sizeof(Number);
                          const std::size_t begin = stream * most, end = std::min(begin + most, all);
                          std::vector<Number> values(end - begin);
                          visit(extent, begin, end,
                                [&](const Part& part, Index i, std::int64_t from, std::int64_t to, std::size_t place) {
                                  for (std::int64_t k = from; k < to; ++k) values[place++] = number(part, i, k);
                                });
                          arrays_.put(array, stream, std::as_bytes(std::span(values)));
                        }});
  }

  void reserve_cell_data() {
    const mesh::Mesh& mesh = *solution_.mesh;
    reserve_source<std::int64_t>("element", &Part::cells, [&mesh](const Part& part, Index i, std::int64_t) {
      return mesh.number(static_cast<Index>(part.element(i)));
    });
    if (!mesh.region_names.empty())
      reserve_source<std::int32_t>("region", &Part::cells, [&mesh](const Part& part, Index i, std::int64_t) {
        const std::vector<int>& region = mesh.blocks[static_cast<std::size_t>(part.block)].region;
        const auto at = static_cast<std::size_t>(part.position(i));
        return at < region.size() ? region[at] : -1;
      });
    for (const auto& [name, values] : options_.cell_data)
      reserve_source<std::int32_t>(name, &Part::cells, [&values = values](const Part& part, Index i, std::int64_t) {
        return values[part.element(i)];
      });
    for (const auto& [name, values] : options_.cell_values)
      reserve_source<Real>(name, &Part::cells, [&values = values](const Part& part, Index i, std::int64_t) {
        return static_cast<Real>(values[part.element(i)]);
      });
    cell_data_ = sources_.size();
  }

  void reserve_cells() {
    std::vector<std::array<std::vector<std::int64_t>, 2>> nodes;  // [part][kind] of all cells of an element
    std::vector<std::vector<std::int64_t>> ends;                  // [part] of its cells in these
    for (const Part& part : parts_) {
      auto& [positive, negative] = nodes.emplace_back();
      std::vector<std::int64_t>& end = ends.emplace_back();
      for (const CellPattern::Cell& cell : part.kinds[0].pattern.cells) {
        positive.insert(positive.end(), cell.nodes.begin(), cell.nodes.end());
        end.push_back(std::ssize(positive));
      }
      for (const CellPattern::Cell& cell : part.kinds[1].pattern.cells)
        negative.insert(negative.end(), cell.nodes.begin(), cell.nodes.end());
    }
    reserve_source<std::int64_t>("connectivity", &Part::nodes, [nodes](const Part& part, Index i, std::int64_t k) {
      const auto& local = nodes[static_cast<std::size_t>(part.block)][static_cast<std::size_t>(part.negative[i])];
      return part.points.first + i * part.points.each + local[static_cast<std::size_t>(k)];
    });
    reserve_source<std::int64_t>("offsets", &Part::cells, [ends](const Part& part, Index i, std::int64_t k) {
      return part.nodes.first + i * part.nodes.each +
             ends[static_cast<std::size_t>(part.block)][static_cast<std::size_t>(k)];
    });
    reserve_source<std::uint8_t>("types", &Part::cells, [](const Part& part, Index i, std::int64_t k) {
      return part.kind(i).pattern.cells[static_cast<std::size_t>(k)].type;
    });
  }

  /// Makes all streams side by side.
  void fill() {
    std::vector<std::function<void()>> work;
    for (std::size_t k = 0; k < arrays_.streams(points_); k += 3) work.push_back([this, k] { fill_points(k / 3); });
    for (const Source& source : sources_)
      for (std::size_t k = 0; k < arrays_.streams(source.array); ++k) work.push_back([&source, k] { source.fill(k); });
    in_parallel(std::ssize(work), 1,
                [&](std::int64_t begin, std::int64_t) { work[static_cast<std::size_t>(begin)](); });
  }

  /// All streams of the points that one stream of a field has.
  void fill_points(std::size_t stream) {
    constexpr std::size_t most = VtkArrays::stream_bytes / sizeof(Real);
    const std::size_t begin = stream * most, end = std::min(begin + most, size(&Part::points)), count = fields_.size();
    std::vector<std::vector<Real>> fields(count, std::vector<Real>(end - begin));
    std::vector<Real> points(3 * (end - begin));
    std::vector<mesh::Point> places;
    std::vector<double> values;
    visit(&Part::points, begin, end,
          [&](const Part& part, Index i, std::int64_t from, std::int64_t to, std::size_t place) {
            part.kind(i).sampler.places(part.position(i), places);
            part.kind(i).sampler.fields(part.position(i), values);
            for (auto k = static_cast<std::size_t>(from); k < static_cast<std::size_t>(to); ++k, ++place) {
              for (std::size_t d = 0; d < 3; ++d) points[3 * place + d] = static_cast<Real>(places[k][d]);
              for (std::size_t f = 0; f < count; ++f) fields[f][place] = static_cast<Real>(values[k * count + f]);
            }
          });
    for (std::size_t f = 0; f < count; ++f)
      arrays_.put(field_arrays_[f], stream, std::as_bytes(std::span<const Real>(fields[f])));
    for (const Joined& vector : joined_) put_vectors(vector.array, stream, join_components(fields, vector.components));
    put_vectors(points_, stream, points);
  }

  /// Three numbers a point, in up to three streams.
  void put_vectors(std::size_t array, std::size_t stream, std::span<const Real> values) {
    constexpr std::size_t most = VtkArrays::stream_bytes / sizeof(Real);
    for (std::size_t k = 0; k * most < values.size(); ++k)
      arrays_.put(array, 3 * stream + k,
                  std::as_bytes(values.subspan(k * most, std::min(most, values.size() - k * most))));
  }

  static std::vector<Real> join_components(const std::vector<std::vector<Real>>& fields,
                                           const std::array<std::ptrdiff_t, 3>& components) {
    std::vector<Real> joined(3 * fields[0].size(), Real{0});
    for (std::size_t d = 0; d < 3; ++d) {
      if (components[d] < 0) continue;
      const std::vector<Real>& component = fields[static_cast<std::size_t>(components[d])];
      for (std::size_t point = 0; point < component.size(); ++point) joined[3 * point + d] = component[point];
    }
    return joined;
  }

  bool has_lagrange_hexahedra() const {
    return std::any_of(parts_.begin(), parts_.end(), [](const Part& part) {
      return !part.positions.empty() && part.kinds[0].pattern.cells[0].type == vtk_lagrange_hexahedron;
    });
  }

  std::string point_data() const {
    const std::vector<std::string> names = fields_.names();
    std::string head = "<PointData";
    if (!names.empty()) head += " Scalars=\"" + names[0] + "\"";
    if (!joined_.empty()) head += " Vectors=\"" + joined_[0].name + "\"";
    head += ">\n";
    for (std::size_t array = field_arrays_.empty() ? points_ : field_arrays_[0]; array < sources_[0].array; ++array)
      head += arrays_.element(array);
    return head + "</PointData>\n";
  }

  std::string piece() const {
    std::string text =
        fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n", size(&Part::points), size(&Part::cells));
    text += point_data() + "<CellData>\n";
    for (std::size_t k = 0; k < cell_data_; ++k) text += arrays_.element(sources_[k].array);
    text += "</CellData>\n<Points>\n" + arrays_.element(points_) + "</Points>\n<Cells>\n";
    for (std::size_t k = cell_data_; k < sources_.size(); ++k) text += arrays_.element(sources_[k].array);
    return text + "</Cells>\n</Piece>\n";
  }

  const Solution& solution_;
  const VtuOptions& options_;
  FieldSelection fields_;
  VtkArrays arrays_;
  std::vector<Part> parts_;  // [block]
  std::vector<std::size_t> field_arrays_;
  std::vector<Joined> joined_;
  std::size_t points_ = 0;
  std::vector<Source> sources_;  // first cell data, then cells
  std::size_t cell_data_ = 0;    // how many of them are that
};

}  // namespace

void write_vtu(const Solution& solution, const std::filesystem::path& file, const VtuOptions& options) {
  if (options.precision == VtuOptions::Precision::double_precision)
    Grid<double>(solution, options).write(file);
  else
    Grid<float>(solution, options).write(file);
}

}  // namespace galerna::files
