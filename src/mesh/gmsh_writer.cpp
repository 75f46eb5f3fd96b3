#include "mesh/gmsh_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <optional>
#include <ostream>

#include "base/error.hpp"
#include "base/lattice.hpp"
#include "mesh/geometry.hpp"
#include "mesh/gmsh_elements.hpp"

namespace galerna::mesh {
namespace {

/// One element as it is written.
struct Line {
  int type;
  std::vector<Index> nodes;
};

/// Elements by entity, in the order of the file: entity r + 1 is region r (Mesh::regions()), the last one holds those
/// without.
using Entities = std::map<int, std::map<Index, Line>>;

class Writer {
 public:
  Writer(const Mesh& mesh, std::ostream& stream, const GmshNotes& notes)
      : mesh_(mesh), stream_(stream), notes_(notes) {}

  void write() {
    sort_elements();
    stream_ << "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";
    if (!notes_.comment.empty()) print("$Comments\n{}\n$EndComments\n", notes_.comment);
    write_names();
    write_entities();
    write_nodes();
    write_elements();
    write_periodic();
    write_numbers();
  }

 private:
  template <class... Values>
  void print(fmt::format_string<Values...> format, Values&&... values) {
    stream_ << fmt::format(format, std::forward<Values>(values)...);
  }

  void sort_elements() {
    const int no_region = static_cast<int>(mesh_.region_names.size() + mesh_.shared_regions.size()) + 1;
    for (Index e = 0; e < mesh_.element_count(); ++e) {
      const auto [b, position] = mesh_.locate(e);
      const ElementBlock& block = mesh_.blocks[static_cast<std::size_t>(b)];
      const auto nodes = mesh_.element_nodes(e);
      Line line{gmsh_type(block.shape, block.order), {nodes.begin(), nodes.end()}};
      if (orientation(mesh_, e) == Orientation::negative) {
        const std::vector<int> order = mirror(block.shape, block.order);
        for (std::size_t n = 0; n < order.size(); ++n) line.nodes[n] = nodes[static_cast<std::size_t>(order[n])];
      }
      const int region = block.region[static_cast<std::size_t>(position)];
      elements_[region < 0 ? no_region : region + 1][block.source[static_cast<std::size_t>(position)]] =
          std::move(line);
    }
  }

  void write_names() {
    const auto named = static_cast<std::size_t>(std::count_if(mesh_.boundaries.begin(), mesh_.boundaries.end(),
                                                              [](const Boundary& b) { return !b.name.empty(); }));
    print("$PhysicalNames\n{}\n", named + mesh_.region_names.size());
    for (std::size_t b = 0; b < mesh_.boundaries.size(); ++b)
      if (!mesh_.boundaries[b].name.empty())
        print("{} {} \"{}\"\n", mesh_.dimension - 1, b + 1, mesh_.boundaries[b].name);
    for (std::size_t r = 0; r < mesh_.region_names.size(); ++r)
      print("{} {} \"{}\"\n", mesh_.dimension, r + 1, mesh_.region_names[r]);
    print("$EndPhysicalNames\n");
  }

  /// \param groups physical groups that it is in
  void write_entity(int entity, const std::vector<int>& groups) {
    const Box box = bounding_box(mesh_);
    std::string numbers = std::to_string(groups.size());
    for (const int group : groups) numbers += fmt::format(" {}", group);
    print("{} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {} 0\n", entity, box.lower[0], box.lower[1], box.lower[2],
          box.upper[0], box.upper[1], box.upper[2], numbers);
  }

  void write_entities() {
    std::array<std::size_t, 4> counts{};
    counts[static_cast<std::size_t>(mesh_.dimension)] = elements_.size();
    counts[static_cast<std::size_t>(mesh_.dimension) - 1] = mesh_.boundaries.size();
    print("$Entities\n{} {} {} {}\n", counts[0], counts[1], counts[2], counts[3]);
    for (std::size_t b = 0; b < mesh_.boundaries.size(); ++b) {
      const int entity = static_cast<int>(b) + 1;
      write_entity(entity, mesh_.boundaries[b].name.empty() ? std::vector<int>{} : std::vector{entity});
    }
    const auto all = static_cast<int>(mesh_.region_names.size() + mesh_.shared_regions.size());
    for (const auto& [entity, lines] : elements_) {
      std::vector<int> groups = entity > all ? std::vector<int>{} : mesh_.regions(entity - 1);
      for (int& group : groups) ++group;
      write_entity(entity, groups);
    }
    print("$EndEntities\n");
  }

  void write_nodes() {
    const std::size_t count = mesh_.nodes.size();
    print("$Nodes\n1 {} 1 {}\n{} {} 0 {}\n", count, count, mesh_.dimension, elements_.begin()->first, count);
    for (std::size_t n = 1; n <= count; ++n) print("{}\n", n);
    for (const Point& x : mesh_.nodes) print("{:.17g} {:.17g} {:.17g}\n", x[0], x[1], x[2]);
    print("$EndNodes\n");
  }

  /// Runs of one type in the order of the file: a block of the format holds one type.
  void write_elements() {
    struct Block {
      int dimension, entity, type;
      std::vector<const std::vector<Index>*> elements;
    };
    std::vector<Block> blocks;
    std::size_t count = 0;
    const auto add = [&](int dimension, int entity, const Line& line) {
      if (blocks.empty() || blocks.back().dimension != dimension || blocks.back().entity != entity ||
          blocks.back().type != line.type)
        blocks.push_back({dimension, entity, line.type, {}});
      blocks.back().elements.push_back(&line.nodes);
      ++count;
    };
    std::vector<std::vector<Line>> sides;
    for (const Boundary& boundary : mesh_.boundaries) sides.push_back(boundary_lines(boundary));
    for (std::size_t b = 0; b < sides.size(); ++b)
      for (const Line& line : sides[b]) add(mesh_.dimension - 1, static_cast<int>(b) + 1, line);
    for_each_in_file_order([&](int entity, const Line& line) { add(mesh_.dimension, entity, line); });

    print("$Elements\n{} {} 1 {}\n", blocks.size(), count, count);
    std::size_t number = 1;
    for (const Block& block : blocks) {
      print("{} {} {} {}\n", block.dimension, block.entity, block.type, block.elements.size());
      for (const std::vector<Index>* nodes : block.elements) {
        print("{}", number++);
        for (const Index node : *nodes) print(" {}", node + 1);
        print("\n");
      }
    }
    print("$EndElements\n");
  }

  template <class Visit>
  void for_each_in_file_order(const Visit& visit) const {
    std::map<Index, std::pair<int, const Line*>> all;
    for (const auto& [entity, lines] : elements_)
      for (const auto& [source, line] : lines) all[source] = {entity, &line};
    for (const auto& [source, entry] : all) visit(entry.first, *entry.second);
  }

  /// The boundary's sides as elements. Nodes of higher order are found by their places on the reference side.
  std::vector<Line> boundary_lines(const Boundary& boundary) const {
    std::vector<Line> lines;
    for (const Side& side : boundary.sides) {
      const ElementBlock& block = mesh_.blocks[static_cast<std::size_t>(mesh_.locate(side.element).block)];
      const auto nodes = mesh_.element_nodes(side.element);
      Line line{gmsh_type(side_shape(block.shape, side.side), block.order), {}};
      for (const int n : side_in_order(block.shape, block.order, side.side))
        line.nodes.push_back(nodes[static_cast<std::size_t>(n)]);
      lines.push_back(std::move(line));
    }
    return lines;
  }

  /// One link for each translation. The format wants entities: all links are given to the first boundary or region.
  void write_periodic() {
    struct Link {
      Point translation;
      std::vector<std::pair<Index, Index>> nodes;
    };
    std::vector<Link> links;
    const double tolerance = 1e-6 * extent(mesh_);
    for (std::size_t n = 0; n < mesh_.image.size(); ++n) {
      const auto of = static_cast<std::size_t>(mesh_.image[n]);
      if (of == n) continue;
      Point t{};
      for (std::size_t k = 0; k < 3; ++k) t[k] = mesh_.nodes[n][k] - mesh_.nodes[of][k];
      auto link = std::find_if(links.begin(), links.end(),
                               [&](const Link& l) { return distance(l.translation, t) <= tolerance; });
      if (link == links.end()) link = links.insert(links.end(), Link{t, {}});
      link->nodes.emplace_back(static_cast<Index>(n), static_cast<Index>(of));
    }
    if (links.empty()) return;
    print("$Periodic\n{}\n", links.size());
    for (const Link& link : links) {
      print("{} 1 1\n0\n{}\n", mesh_.dimension - 1, link.nodes.size());
      for (const auto& [node, of] : link.nodes) print("{} {}\n", node + 1, of + 1);
    }
    print("$EndPeriodic\n");
  }

  /// At time 0, one number a node.
  void write_numbers() {
    if (notes_.at_nodes.empty()) return;
    print("$NodeData\n1\n\"{}\"\n1\n0\n3\n0\n1\n{}\n", notes_.name, notes_.at_nodes.size());
    for (const auto& [node, number] : notes_.at_nodes) print("{} {:.17g}\n", node + 1, number);
    print("$EndNodeData\n");
  }

  const Mesh& mesh_;
  std::ostream& stream_;
  const GmshNotes& notes_;
  Entities elements_;
};

}  // namespace

void write_gmsh(const Mesh& mesh, std::ostream& stream, const GmshNotes& notes) {
  Writer(mesh, stream, notes).write();
}

void write_gmsh(const Mesh& mesh, const std::filesystem::path& path, const GmshNotes& notes) {
  std::ofstream stream(path, std::ios::binary);
  write_gmsh(mesh, stream, notes);
  stream.close();
  if (!stream) throw SystemError(fmt::format("{}: cannot write the mesh file", path.string()));
}

}  // namespace galerna::mesh
