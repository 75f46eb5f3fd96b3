#include "files/vtu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "analysis/field_sampler.hpp"
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

/// All arrays of a file, filled block by block.
template <typename Real>
struct Grid {
  std::vector<Real> points;                        // [point][x, y, z]
  std::vector<std::vector<Real>> fields;           // [field][point]
  std::vector<std::int64_t> connectivity;          // [cell][node]
  std::vector<std::int64_t> offsets;               // [cell] end in connectivity
  std::vector<std::uint8_t> types;                 // [cell]
  std::vector<std::int64_t> element;               // [cell] number in the mesh file
  std::vector<std::int32_t> region;                // [cell]
  std::vector<std::vector<std::int32_t>> further;  // [cell data][cell]
  std::vector<std::vector<Real>> further_values;   // [cell values][cell]

  std::int64_t point_count() const { return static_cast<std::int64_t>(points.size() / 3); }
};

template <typename Real>
void append_cells(Grid<Real>& grid, const CellPattern& pattern, const ElementBlock& block, Index position,
                  std::int64_t number) {
  const auto at = static_cast<std::size_t>(position);
  for (const CellPattern::Cell& cell : pattern.cells) {
    for (int node : cell.nodes) grid.connectivity.push_back(grid.point_count() + node);
    grid.offsets.push_back(static_cast<std::int64_t>(grid.connectivity.size()));
    grid.types.push_back(cell.type);
    grid.element.push_back(number);
    grid.region.push_back(at < block.region.size() ? block.region[at] : -1);
  }
}

template <typename Real>
void append_values(Grid<Real>& grid, const FieldSampler& sampler, Index position) {
  thread_local std::vector<mesh::Point> places;
  thread_local std::vector<double> values;
  sampler.places(position, places);
  for (const mesh::Point& place : places)
    for (double coordinate : place) grid.points.push_back(static_cast<Real>(coordinate));
  sampler.fields(position, values);
  const std::size_t field_count = grid.fields.size();
  for (std::size_t i = 0; i < values.size(); ++i) grid.fields[i % field_count].push_back(static_cast<Real>(values[i]));
}

template <typename Real>
void append_block(Grid<Real>& grid, const Solution& solution, std::size_t index, const FieldSelection& fields,
                  const VtuOptions& options) {
  const mesh::Mesh& mesh = *solution.mesh;
  const ElementBlock& block = mesh.blocks[index];
  const CellPattern positive = cell_pattern(block.shape, std::max({1, solution.degree, block.order}), options.cells);
  const CellPattern negative = mirrored(positive);
  const FieldSampler positive_sampler(solution, static_cast<int>(index), positive.points, fields);
  const FieldSampler negative_sampler(solution, static_cast<int>(index), negative.points, fields);
  const std::vector<Index> positions = chosen_positions(mesh, index, options.elements);
  const Index offset = element_offsets(mesh)[index];
  const std::size_t points = grid.points.size() / 3 + positions.size() * positive.points.size();
  grid.points.reserve(3 * points);
  for (std::vector<Real>& field : grid.fields) field.reserve(points);
  for (Index position : positions) {
    const bool is_positive = orientation(mesh, block, position) > 0;
    append_cells(grid, is_positive ? positive : negative, block, position, mesh.number(offset + position));
    for (std::size_t k = 0; k < grid.further.size(); ++k)
      grid.further[k].resize(grid.types.size(),
                             options.cell_data[k].second[static_cast<std::size_t>(offset + position)]);
    for (std::size_t k = 0; k < grid.further_values.size(); ++k)
      grid.further_values[k].resize(
          grid.types.size(),
          static_cast<Real>(options.cell_values[k].second[static_cast<std::size_t>(offset + position)]));
    append_values(grid, is_positive ? positive_sampler : negative_sampler, position);
  }
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

template <typename Real>
std::vector<Real> join_components(const Grid<Real>& grid, const std::vector<std::string>& names,
                                  const std::string& stem) {
  std::vector<Real> joined(grid.points.size(), Real{0});
  for (std::size_t d = 0; d < 3; ++d) {
    const std::ptrdiff_t field = index_of(names, stem + std::array{"_x", "_y", "_z"}[d]);
    if (field < 0) continue;
    const std::vector<Real>& component = grid.fields[static_cast<std::size_t>(field)];
    for (std::size_t point = 0; point < component.size(); ++point) joined[3 * point + d] = component[point];
  }
  return joined;
}

template <typename Real>
std::string point_data(VtkArrays& arrays, const Grid<Real>& grid, const std::vector<std::string>& names) {
  std::string elements, first_vector;
  for (std::size_t field = 0; field < names.size(); ++field) {
    elements += arrays.add(names[field], grid.fields[field]);
    const std::string stem = vector_stem(names[field], names);
    if (stem.empty()) continue;
    elements += arrays.add(stem, join_components(grid, names, stem), 3);
    if (first_vector.empty()) first_vector = stem;
  }
  std::string head = "<PointData";
  if (!names.empty()) head += " Scalars=\"" + names[0] + "\"";
  if (!first_vector.empty()) head += " Vectors=\"" + first_vector + "\"";
  return head + ">\n" + elements + "</PointData>\n";
}

template <typename Real>
std::string piece(VtkArrays& arrays, const Grid<Real>& grid, const Solution& solution,
                  const std::vector<std::string>& names, const VtuOptions& options) {
  std::string text =
      fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n", grid.point_count(), grid.types.size());
  text += point_data(arrays, grid, names);
  text += "<CellData>\n" + arrays.add("element", grid.element);
  if (!solution.mesh->region_names.empty()) text += arrays.add("region", grid.region);
  for (std::size_t k = 0; k < grid.further.size(); ++k) text += arrays.add(options.cell_data[k].first, grid.further[k]);
  for (std::size_t k = 0; k < grid.further_values.size(); ++k)
    text += arrays.add(options.cell_values[k].first, grid.further_values[k]);
  text += "</CellData>\n<Points>\n" + arrays.add("Points", grid.points, 3) + "</Points>\n<Cells>\n";
  text += arrays.add("connectivity", grid.connectivity);
  text += arrays.add("offsets", grid.offsets);
  text += arrays.add("types", grid.types);
  return text + "</Cells>\n</Piece>\n";
}

template <typename Real>
void write(const Solution& solution, const std::filesystem::path& path, const VtuOptions& options) {
  Grid<Real> grid;
  const FieldSelection fields(solution.fields, options.fields);
  grid.fields.resize(fields.size());
  grid.further.resize(options.cell_data.size());
  grid.further_values.resize(options.cell_values.size());
  for (std::size_t block = 0; block < solution.mesh->blocks.size(); ++block)
    append_block(grid, solution, block, fields, options);

  VtkArrays arrays(options.compressed);
  std::string header = vtu_opening(grid.types, options.compressed);
  header += "<FieldData>\n" + arrays.add("TimeValue", std::vector<double>{solution.time});
  const std::size_t tuples = header.rfind("format=");
  header.insert(tuples, "NumberOfTuples=\"1\" ");
  header += "</FieldData>\n" + piece(arrays, grid, solution, fields.names(), options) +
            "</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";

  AtomicFile file(path);
  file.write(header);
  for (const std::string& block : arrays.blocks()) file.write(block);
  file.write("\n</AppendedData>\n</VTKFile>\n");
  file.commit();
}

}  // namespace

void write_vtu(const Solution& solution, const std::filesystem::path& file, const VtuOptions& options) {
  if (options.precision == VtuOptions::Precision::double_precision)
    write<double>(solution, file, options);
  else
    write<float>(solution, file, options);
}

}  // namespace galerna::files
