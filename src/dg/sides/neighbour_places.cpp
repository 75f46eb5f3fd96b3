#include "dg/sides/neighbour_places.hpp"

#include "base/index.hpp"
#include "dg/sides/side_codes.hpp"

namespace galerna::dg {

using mesh::Index;
using mesh::MeshPart;

NeighbourPlaces::NeighbourPlaces(const mesh::Mesh& mesh, const ElementSet& set, const FaceSet& faces,
                                 const MeshPart* part)
    : mesh_(mesh), set_(set), faces_(faces), part_(part), lanes_(faces.lane_of_face()) {}

std::int64_t NeighbourPlaces::boundary_faces() const {
  const std::int64_t lanes = faces_.blocks().lanes, copies = seen().boundary_faces - mesh_.boundary_faces;
  return faces_.blocks().items + (copies + lanes - 1) / lanes * lanes;
}

std::int64_t NeighbourPlaces::place_of_element(Index element) const {
  const Index own = set_.blocks.items;
  return element < own ? element : set_.blocks.padded() + element - own;
}

std::int64_t NeighbourPlaces::place_of_face(Index face) const {
  const Index own = mesh_.boundary_faces;
  return face < own ? lanes_[at(face)] : faces_.blocks().items + face - own;
}

std::vector<std::int32_t> NeighbourPlaces::beyond_sides() const {
  std::vector<std::int32_t> codes = neighbour_codes(mesh_, faces_);
  if (!part_) return codes;
  const Index own = set_.blocks.items;
  const int sides = set_.operators.sides();
  const auto see = [&](const mesh::Side& side, const mesh::Side& beyond) {
    if (side.element < own && beyond.element >= own)
      codes[at(side.element * sides + side.side)] = element_code(place_of_element(beyond.element), beyond.side, sides);
  };
  for (std::size_t f = at(part_->mesh.boundary_faces); f < part_->mesh.faces.size(); ++f) {
    see(part_->mesh.faces[f].left, part_->mesh.faces[f].right);
    see(part_->mesh.faces[f].right, part_->mesh.faces[f].left);
  }
  return codes;
}

VertexNeighbours NeighbourPlaces::around_vertices(bool with_boundary, int slots) const {
  VertexNeighbours neighbours = make_vertex_neighbours(seen(), with_boundary, part_, slots);
  neighbours.around.resize(at(set_.blocks.items * set_.operators.sides() * neighbours.slots));
  for (std::int32_t& code : neighbours.around)
    code = static_cast<std::int32_t>(code < 0 ? -1 - place_of_face(-1 - code) : place_of_element(code));
  return neighbours;
}

int NeighbourPlaces::vertex_slots(bool with_boundary) const {
  return dg::vertex_slots(seen(), with_boundary);
}

std::vector<MeshPart::Link> NeighbourPlaces::elements_at_cuts() const {
  std::vector<MeshPart::Link> links = part_->links;
  for (MeshPart::Link& link : links)
    for (std::vector<Index>* elements : {&link.send, &link.receive})
      for (Index& element : *elements) element = place_of_element(element);
  return links;
}

std::vector<MeshPart::Link> NeighbourPlaces::boundary_faces_at_cuts() const {
  std::vector<MeshPart::Link> links;
  std::vector<char> is_of_link(at(part_->mesh.element_count()), 0);
  for (const MeshPart::Link& link : part_->links) {
    const auto faces_of = [&](const std::vector<Index>& elements) {
      std::vector<Index> faces;
      for (const Index element : elements) is_of_link[at(element)] = 1;
      for (Index f = 0; f < part_->mesh.boundary_faces; ++f)
        if (is_of_link[at(part_->mesh.faces[at(f)].left.element)]) faces.push_back(place_of_face(f));
      for (const Index element : elements) is_of_link[at(element)] = 0;
      return faces;
    };
    links.push_back({link.rank, faces_of(link.send), faces_of(link.receive)});
  }
  return links;
}

}  // namespace galerna::dg
