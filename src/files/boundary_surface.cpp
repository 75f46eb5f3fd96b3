#include "files/boundary_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "analysis/field_sampler.hpp"
#include "analysis/side_map.hpp"
#include "base/error.hpp"
#include "base/vectors.hpp"
#include "files/atomic_file.hpp"
#include "files/vtk_cells.hpp"
#include "files/vtu_data.hpp"
#include "mesh/boundaries.hpp"

namespace galerna::files {

using analysis::FieldSampler;
using analysis::FieldSelection;
using analysis::orientation;
using analysis::Solution;
using mesh::ElementBlock;
using mesh::Index;
using mesh::Point;

namespace {

/// One side of the elements of a block: where its points lie and the derivatives along it.
class SideSurface {
 public:
  SideSurface(const Solution& solution, int block, int side, const CellPattern& pattern, const FieldSelection& fields)
      : mesh_(*solution.mesh),
        block_(mesh_.blocks[static_cast<std::size_t>(block)]),
        sampler_(solution, block, basis::side_points(block_.shape, side, pattern.points), fields) {
    const auto points = basis::side_points(block_.shape, side, pattern.points);
    const auto corners = side_corners(block_.shape, side);
    const auto from = reference_corner(block_.shape, corners[0]);
    basis::Matrix slopes[3];
    for (int d = 0; d < 3; ++d) slopes[d] = basis::lagrange_derivatives(block_.shape, block_.order, points, d);
    for (std::size_t i = 0; i < 2; ++i) {
      const auto to = reference_corner(block_.shape, corners[i == 0 ? 1 : corners.size() - 1]);
      tangents_[i] = (to[0] - from[0]) * slopes[0] + (to[1] - from[1]) * slopes[1] + (to[2] - from[2]) * slopes[2];
    }
    outward_ = analysis::outward_sign(block_.shape, side);
  }

  void sample(Index position, std::vector<Point>& places, std::vector<double>& fields,
              std::vector<Point>& normals) const {
    sampler_.places(position, places);
    sampler_.fields(position, fields);
    const double sign = outward_ * orientation(mesh_, block_, position);
    const Index* nodes = block_.nodes.data() + position * block_.nodes_per_element();
    normals.clear();
    for (Eigen::Index q = 0; q < tangents_[0].rows(); ++q) {
      Point along[2] = {};
      for (std::size_t i = 0; i < 2; ++i)
        for (int n = 0; n < block_.nodes_per_element(); ++n)
          for (std::size_t k = 0; k < 3; ++k)
            along[i][k] += tangents_[i](q, n) * mesh_.nodes[static_cast<std::size_t>(nodes[n])][k];
      Point normal = cross(along[0], along[1]);
      const double length = std::hypot(normal[0], normal[1], normal[2]);
      for (double& component : normal) component *= sign / length;
      normals.push_back(normal);
    }
  }

 private:
  const mesh::Mesh& mesh_;
  const ElementBlock& block_;
  FieldSampler sampler_;
  basis::Matrix tangents_[2];  // [point][node]
  double outward_ = 1;
};

}  // namespace

std::vector<basis::Point> BoundarySurface::reference_of(std::size_t face) const {
  const auto at = [&](std::size_t k) { return reference.begin() + static_cast<std::ptrdiff_t>(first_point[k]); };
  return {at(face), at(face + 1)};
}

BoundarySurface sample_boundary(const Solution& solution, const std::string& boundary,
                                const std::vector<std::string>& fields) {
  const mesh::Mesh& mesh = *solution.mesh;
  if (mesh.dimension != 3) throw InputError({mesh.file}, "boundaries are surfaces in space only");
  const FieldSelection selection(solution.fields, fields);
  BoundarySurface surface;
  surface.names = selection.names();
  struct Kind {
    CellPattern pattern;
    std::unique_ptr<SideSurface> sides;
  };
  std::map<std::pair<int, int>, Kind> kinds;  // block and side
  std::vector<Point> places, normals;
  std::vector<double> values;
  for (const mesh::Side& side : mesh::find_boundary(mesh, boundary).sides) {
    const auto [block, position] = mesh.locate(side.element);
    const ElementBlock& elements = mesh.blocks[static_cast<std::size_t>(block)];
    Kind& kind = kinds[{block, side.side}];
    if (!kind.sides) {
      kind.pattern = cell_pattern(side_shape(elements.shape, side.side), std::max({1, solution.degree, elements.order}),
                                  VtkCells::lagrange);
      kind.sides = std::make_unique<SideSurface>(solution, block, side.side, kind.pattern, selection);
    }
    kind.sides->sample(position, places, values, normals);
    for (const CellPattern::Cell& cell : kind.pattern.cells) {
      for (const int node : cell.nodes)
        surface.connectivity.push_back(static_cast<std::int64_t>(surface.places.size()) + node);
      surface.offsets.push_back(static_cast<std::int64_t>(surface.connectivity.size()));
      surface.types.push_back(cell.type);
      surface.element.push_back(mesh.number(side.element));
    }
    surface.sides.push_back(side);
    surface.first_point.push_back(surface.places.size());
    surface.reference.insert(surface.reference.end(), kind.pattern.points.begin(), kind.pattern.points.end());
    surface.places.insert(surface.places.end(), places.begin(), places.end());
    surface.normals.insert(surface.normals.end(), normals.begin(), normals.end());
    surface.values.insert(surface.values.end(), values.begin(), values.end());
  }
  surface.first_point.push_back(surface.places.size());
  return surface;
}

void write_boundary_vtu(const BoundarySurface& surface, double time, const std::filesystem::path& file) {
  VtkArrays arrays(true);
  std::string text = vtu_opening(false, true) + "<FieldData>\n";
  const std::size_t field_data = text.size();
  text += arrays.add("TimeValue", std::vector<double>{time});
  text.insert(text.find("format=", field_data), "NumberOfTuples=\"1\" ");
  text +=
      fmt::format("</FieldData>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<PointData Normals=\"normal\">\n",
                  surface.places.size(), surface.types.size());
  const auto flat = [](const std::vector<Point>& points) {
    std::vector<float> result;
    for (const Point& point : points)
      for (const double component : point) result.push_back(static_cast<float>(component));
    return result;
  };
  for (std::size_t f = 0; f < surface.names.size(); ++f) {
    std::vector<float> values;
    for (std::size_t q = 0; q < surface.places.size(); ++q)
      values.push_back(static_cast<float>(surface.values[q * surface.names.size() + f]));
    text += arrays.add(surface.names[f], values);
  }
  for (const auto& [name, of_points] : surface.further) {
    std::vector<float> values;
    for (const double value : of_points) values.push_back(static_cast<float>(value));
    text += arrays.add(name, values);
  }
  for (const auto& [name, of_points] : surface.vectors) text += arrays.add(name, flat(of_points), 3);
  text += arrays.add("normal", flat(surface.normals), 3) + "</PointData>\n<CellData>\n";
  text += arrays.add("element", surface.element) + "</CellData>\n<Points>\n";
  text += arrays.add("Points", flat(surface.places), 3) + "</Points>\n<Cells>\n";
  text += arrays.add("connectivity", surface.connectivity) + arrays.add("offsets", surface.offsets);
  text += arrays.add("types", surface.types);
  text += "</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
  AtomicFile out(file);
  out.write(text);
  arrays.write(out);
  out.write("\n</AppendedData>\n</VTKFile>\n");
  out.commit();
}

}  // namespace galerna::files
