#include "mesh/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/parallel_sort.hpp"
#include "base/vectors.hpp"
#include "mesh/collapse.hpp"
#include "mesh/geometry.hpp"
#include "mesh/permute.hpp"
#include "mesh/side_key.hpp"
#include "mesh/validity.hpp"

namespace galerna::mesh {
namespace {

/// The element's orientation, certified for curved elements where that is possible. Folded ones are reported elsewhere
/// (folded_elements()); here they count by the sign of their area.
Orientation certified_orientation(const Mesh& mesh, Index element, const Validity& certified) {
  const ElementBlock& block = mesh.blocks[static_cast<std::size_t>(mesh.locate(element).block)];
  if (block.order == 1 || !can_certify(block.shape, block.order)) return orientation(mesh, element);
  return certified.sign > 0 ? Orientation::positive : Orientation::negative;
}

std::string describe_degenerate(const Mesh& mesh, Index element) {
  std::vector<Index> corners = mesh.corners(element);
  const auto place = [&](Index node) { return mesh.nodes[static_cast<std::size_t>(node)]; };
  double size = 0;
  for (const Index corner : corners) size = std::max(size, distance(place(corner), place(corners[0])));
  for (std::size_t i = 0; i < corners.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (distance(place(corners[i]), place(corners[j])) <= 1e-10 * size) corners[i] = corners[j];
  if (const auto repeated = repeated_corner(corners))
    return fmt::format("{} has {} corners at {}: {}", place_of(mesh, element), repeated->second,
                       to_text(place(repeated->first), mesh.dimension), collapse_remedy(mesh.shape(element), corners));
  return fmt::format("{} has a zero Jacobian (no {}, or corners on one line): remove or remesh it",
                     place_of(mesh, element), mesh.dimension == 2 ? "area" : "volume");
}

/// Whether the corners, from the smallest on, run towards the smaller one of its two neighbours: of two elements that
/// share a side, one must see it run forward, the other backward.
bool runs_forward(std::span<const Index> corners) {
  if (corners.size() == 2) return corners[0] < corners[1];
  const std::size_t n = corners.size();
  const auto smallest = static_cast<std::size_t>(std::min_element(corners.begin(), corners.end()) - corners.begin());
  return corners[(smallest + 1) % n] < corners[(smallest + n - 1) % n];
}

/// Whether the side's corners, in its own order, run around its outward normal (in the plane: counterclockwise around
/// the element) where the element is positively oriented. Sides of simplices are not all numbered so (base/shape.hpp).
bool is_outward(Shape shape, int side) {
  const auto corners = side_corners(shape, side);
  const Point a = reference_corner(shape, corners[0]), b = reference_corner(shape, corners[1]);
  Point inward{};
  for (int c = 0; c < corner_count(shape); ++c)
    for (std::size_t k = 0; k < 3; ++k) inward[k] += reference_corner(shape, c)[k] - a[k];
  const Point along = minus(b, a);
  if (corners.size() == 2) return along[0] * inward[1] - along[1] * inward[0] > 0;
  const Point other = minus(reference_corner(shape, corners[2]), a);
  return dot(cross(along, other), inward) < 0;
}

/// [shape][side] of is_outward().
const std::array<std::array<bool, 6>, all_shapes.size()>& outward_sides() {
  static const auto sides = [] {
    std::array<std::array<bool, 6>, all_shapes.size()> all{};
    for (std::size_t i = 0; i < all.size(); ++i)
      for (int s = 0; dimension(all_shapes[i]) > 1 && s < side_count(all_shapes[i]); ++s)
        all[i][static_cast<std::size_t>(s)] = is_outward(all_shapes[i], s);
    return all;
  }();
  return sides;
}

}  // namespace

void report_problems(const Mesh& mesh, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  constexpr std::size_t shown = 5;
  std::vector<Problem> problems(std::min(shown + 1, texts.size()));
  for (std::size_t i = 0; i < problems.size(); ++i) {
    problems[i].place.file = mesh.file;
    problems[i].text = i < shown ? texts[i] : fmt::format("and {} more like these", texts.size() - shown);
  }
  throw InputError(std::move(problems));
}

std::vector<char> orient_elements(Mesh& mesh) {
  const Index count = mesh.element_count();
  const std::vector<Validity> certified = certify(mesh);
  std::vector<std::string> problems =
      describe_folded(mesh, certified, "refine the mesh there, or lower the geometry order, in the mesh generator");
  std::vector<Orientation> orientations(static_cast<std::size_t>(count));
  in_parallel(count, 8192, [&](Index begin, Index end) {
    for (Index e = begin; e < end; ++e)
      orientations[static_cast<std::size_t>(e)] =
          certified_orientation(mesh, e, certified.empty() ? Validity{} : certified[static_cast<std::size_t>(e)]);
  });
  std::vector<char> negative(static_cast<std::size_t>(count), 0);
  for (Index e = 0; e < count; ++e) {
    const Orientation o = orientations[static_cast<std::size_t>(e)];
    negative[static_cast<std::size_t>(e)] = o == Orientation::negative;
    if (o == Orientation::degenerate) problems.push_back(describe_degenerate(mesh, e));
    if (o == Orientation::tangled)
      problems.push_back(fmt::format(
          "{} has a Jacobian of both signs: it is not convex or its nodes are in a wrong order", place_of(mesh, e)));
  }
  report_problems(mesh, problems);
  mesh.turned = std::count(negative.begin(), negative.end(), 1);
  if (mesh.turned > 0) mirror_elements(mesh, negative);
  std::vector<char> turned(source_count(mesh), 0);
  Index element = 0;
  for (const ElementBlock& block : mesh.blocks)
    for (const Index source : block.source)
      turned[static_cast<std::size_t>(source)] = negative[static_cast<std::size_t>(element++)];
  return turned;
}

void check_folds(const Mesh& mesh, const std::vector<char>& turned, const std::vector<char>& mirrored) {
  struct SideOf {
    const ElementBlock* block;
    Index position;
    std::size_t source;
    int side;

    std::array<Index, 4> corners() const {
      std::array<Index, 4> nodes{-1, -1, -1, -1};
      const Index first = position * block->nodes_per_element();
      std::size_t c = 0;
      for (const int local : side_corners(block->shape, side))
        nodes[c++] = block->nodes[static_cast<std::size_t>(first + local)];
      return nodes;
    }
  };
  const auto side_of = [&](const Side& side) {
    const auto [number, position] = mesh.locate(side.element);
    const ElementBlock& block = mesh.blocks[static_cast<std::size_t>(number)];
    const auto source = static_cast<std::size_t>(block.source[static_cast<std::size_t>(position)]);
    return SideOf{&block, position, source, side.side};
  };
  // Whether the element sees the side's corners run forward around its outward normal.
  const auto is_forward = [&](const SideOf& side, const std::array<Index, 4>& corners) {
    const auto count = static_cast<std::size_t>(corners[2] < 0 ? 2 : corners[3] < 0 ? 3 : 4);
    const bool outward =
        outward_sides()[static_cast<std::size_t>(side.block->shape)][static_cast<std::size_t>(side.side)];
    return runs_forward(std::span(corners).first(count)) == (outward != (mirrored[side.source] != 0));
  };
  const char rare = 2 * mesh.turned <= mesh.element_count();  // the mark of the fewer elements
  std::map<Index, Index> overlapping;
  for (const Face& face : std::span(mesh.faces).subspan(static_cast<std::size_t>(mesh.boundary_faces))) {
    const SideOf left = side_of(face.left), right = side_of(face.right);
    const std::array<Index, 4> near = left.corners(), far = right.corners();
    if (is_forward(left, near) != is_forward(right, far) || side_key(near) != side_key(far)) continue;
    const Index a = face.left.element, b = face.right.element;
    const bool first =
        turned[left.source] == turned[right.source] ? left.source < right.source : turned[left.source] == rare;
    overlapping.emplace(first ? a : b, first ? b : a);
  }
  std::vector<std::string> problems;
  for (const auto& [element, other] : overlapping)
    problems.push_back(fmt::format(
        "{} lies over {}: both are on the same side of the {} between them, since the mesh is folded there; "
        "move its vertices or remesh",
        place_of(mesh, element), place_of(mesh, other), mesh.dimension == 2 ? "edge" : "face"));
  report_problems(mesh, problems);
}

void check_duplicates(const Mesh& mesh) {
  struct Entry {
    std::size_t hash;
    Index element;
  };
  constexpr Index piece = 8192;
  const auto sorted_corners = [&](Index element) {
    std::array<Index, 8> corners;
    corners.fill(-1);
    const auto nodes = mesh.element_nodes(element).first(static_cast<std::size_t>(corner_count(mesh.shape(element))));
    for (std::size_t c = 0; c < nodes.size(); ++c) {  // by insertion: they are few
      const auto end = corners.begin() + static_cast<std::ptrdiff_t>(c);
      *end = nodes[c];
      std::rotate(std::upper_bound(corners.begin(), end, nodes[c]), end, end + 1);
    }
    return std::pair(corners, nodes.size());
  };
  std::vector<Entry> entries(static_cast<std::size_t>(mesh.element_count()));
  in_parallel(mesh.element_count(), piece, [&](Index begin, Index end) {
    for (Index e = begin; e < end; ++e) {
      const auto [corners, count] = sorted_corners(e);
      std::size_t hash = 0;
      for (std::size_t c = 0; c < count; c += 4)
        hash = hash * 31 + SideKeyHash()(side_key(std::span(corners).subspan(c, std::min<std::size_t>(4, count - c))));
      entries[static_cast<std::size_t>(e)] = {hash, e};
    }
  });
  sort_in_parallel(entries, [](const Entry& a, const Entry& b) {
    return a.hash != b.hash ? a.hash < b.hash : a.element < b.element;
  });
  std::vector<std::string> problems;
  for (std::size_t i = 1; i < entries.size(); ++i)
    if (entries[i].hash == entries[i - 1].hash &&
        sorted_corners(entries[i].element) == sorted_corners(entries[i - 1].element))
      problems.push_back(
          fmt::format("{} and {} have the same corners: elements must not be there twice; mesh each region once",
                      place_of(mesh, entries[i - 1].element), place_of(mesh, entries[i].element)));
  report_problems(mesh, problems);
}

void check_split_faces(const Mesh& mesh, const std::vector<Side>& sides, const std::vector<Side>& open) {
  if (mesh.dimension != 3 || sides.empty()) return;
  const auto name_of = [](const Side& side) { return std::pair(side.element, side.side); };
  std::set<std::pair<Index, int>> unnamed;
  for (const Side& side : sides) unnamed.insert(name_of(side));
  std::map<SideKey, Side> parts;  // three corners of a side of four
  for (const Side& side : open) {
    const std::vector<Index> corners = corners_of(mesh, side);
    for (std::size_t out = 0; corners.size() == 4 && out < 4; ++out)
      parts.emplace(side_key(std::array{corners[(out + 1) % 4], corners[(out + 2) % 4], corners[(out + 3) % 4]}), side);
  }
  std::map<std::pair<Index, int>, std::string> problems;
  for (const Side& side : open) {
    const std::vector<Index> corners = corners_of(mesh, side);
    const auto found = corners.size() == 3 ? parts.find(side_key(corners)) : parts.end();
    if (found == parts.end() || (!unnamed.contains(name_of(side)) && !unnamed.contains(name_of(found->second))))
      continue;
    problems.emplace(name_of(found->second),
                     fmt::format("a quadrilateral face of {} meets a triangular one of {}: elements must meet at whole "
                                 "sides (put pyramids between them; in Gmsh: TransfQuadTri, or Recombine Surface)",
                                 place_of(mesh, found->second.element), place_of(mesh, side.element)));
  }
  std::vector<std::string> texts;
  for (const auto& [side, text] : problems) texts.push_back(text);
  report_problems(mesh, texts);
}

}  // namespace galerna::mesh
