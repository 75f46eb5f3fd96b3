#include "analysis/source_order.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "base/parallel.hpp"
#include "basis/basis.hpp"

namespace galerna::analysis {

using mesh::ElementBlock;
using mesh::Index;

namespace {

/// What elements are sorted by.
std::tuple<Index, Shape, int> source_key(const mesh::Mesh& mesh, const SourceElement& element) {
  const ElementBlock& block = mesh.blocks[static_cast<std::size_t>(element.block)];
  const auto at = static_cast<std::size_t>(element.position);
  return {at < block.source.size() ? block.source[at] : element.position, block.shape, block.order};
}

/// Boundary faces in the order of their elements in the mesh file, \param size of values
std::vector<Index> faces_in_source_order(const mesh::Mesh& mesh, std::size_t size, std::size_t values_per_face) {
  if (size != static_cast<std::size_t>(mesh.boundary_faces) * values_per_face)
    throw std::invalid_argument("the mesh's boundary needs " + std::to_string(mesh.boundary_faces) + " times " +
                                std::to_string(values_per_face) + " values, not " + std::to_string(size));
  std::vector<Index> faces(static_cast<std::size_t>(mesh.boundary_faces));
  std::iota(faces.begin(), faces.end(), Index{0});
  const auto key = [&](Index face) {
    const mesh::Side& side = mesh.faces[static_cast<std::size_t>(face)].left;
    const auto [block, position] = mesh.locate(side.element);
    return std::pair(source_key(mesh, {static_cast<int>(block), position}), side.side);
  };
  std::sort(faces.begin(), faces.end(), [&](Index a, Index b) { return key(a) < key(b); });
  return faces;
}

/// The elements where each has a place of its own in the file, which the mesh of a file gives; else nothing.
std::optional<std::vector<SourceElement>> placed_by_source(const mesh::Mesh& mesh,
                                                           const std::vector<SourceElement>& elements) {
  std::vector<SourceElement> placed(elements.size(), {-1, 0});
  for (const SourceElement& element : elements) {
    const Index place = std::get<0>(source_key(mesh, element));
    if (place < 0 || place >= std::ssize(placed) || placed[static_cast<std::size_t>(place)].block >= 0) return {};
    placed[static_cast<std::size_t>(place)] = element;
  }
  return placed;
}

}  // namespace

std::vector<SourceElement> source_order(const mesh::Mesh& mesh) {
  std::vector<SourceElement> elements;
  elements.reserve(static_cast<std::size_t>(mesh.element_count()));
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b)
    for (Index position = 0; position < mesh.blocks[b].size(); ++position)
      elements.push_back({static_cast<int>(b), position});
  if (std::optional<std::vector<SourceElement>> placed = placed_by_source(mesh, elements)) return *std::move(placed);
  std::stable_sort(elements.begin(), elements.end(), [&](const SourceElement& a, const SourceElement& b) {
    return source_key(mesh, a) < source_key(mesh, b);
  });
  return elements;
}

namespace {

/// The values of an element in the mesh's order and in that of the file.
struct Move {
  Index in_mesh, in_source;  ///< where they begin
  int count;
};

/// [element in source order]
std::vector<Move> moves_of(const mesh::Mesh& mesh, std::size_t size, const std::vector<int>& strides) {
  if (strides.size() != mesh.blocks.size())
    throw std::invalid_argument("one number of values per element for each block is needed");
  std::vector<Index> offsets = {0};
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b)
    offsets.push_back(offsets.back() + mesh.blocks[b].size() * strides[b]);
  if (static_cast<Index>(size) != offsets.back())
    throw std::invalid_argument("the mesh's elements need " + std::to_string(offsets.back()) + " values, not " +
                                std::to_string(size));
  std::vector<Move> moves;
  moves.reserve(static_cast<std::size_t>(mesh.element_count()));
  Index in_source = 0;
  for (const SourceElement& element : source_order(mesh)) {
    const auto block = static_cast<std::size_t>(element.block);
    moves.push_back({offsets[block] + element.position * strides[block], in_source, strides[block]});
    in_source += strides[block];
  }
  return moves;
}

/// Calls copy(move) for every element, on all threads.
template <typename Copy>
void for_each_element(const mesh::Mesh& mesh, std::size_t size, const std::vector<int>& strides, const Copy& copy) {
  const std::vector<Move> moves = moves_of(mesh, size, strides);
  constexpr Index elements_at_once = 4096;
  in_parallel(std::ssize(moves), elements_at_once,
              [&](Index begin, Index end) { std::for_each(moves.begin() + begin, moves.begin() + end, copy); });
}

/// Calls copy(begin in mesh order, begin in source order) for every boundary face.
template <typename Copy>
void for_each_face(const mesh::Mesh& mesh, std::size_t size, std::size_t stride, Copy copy) {
  Index in_source = 0;
  for (const Index face : faces_in_source_order(mesh, size, stride))
    copy(face * static_cast<Index>(stride), in_source++ * static_cast<Index>(stride));
}

/// L2 projection between two degrees: [mode of `to`][mode of `from`].
basis::Matrix projection(Shape shape, int from, int to) {
  const basis::Quadrature rule = basis::quadrature(shape, from + to);
  const basis::Matrix values_from = basis::basis_values(shape, from, rule.points);
  const basis::Matrix values_to = basis::basis_values(shape, to, rule.points);
  const Eigen::Map<const Eigen::VectorXd> weights(rule.weights.data(), rule.size());
  return values_to.transpose() * weights.asDiagonal() * values_from;
}

}  // namespace

std::vector<double> to_source_order(const mesh::Mesh& mesh, const std::vector<double>& values,
                                    const std::vector<int>& strides) {
  std::vector<double> result(values.size());
  for_each_element(mesh, values.size(), strides, [&](const Move& move) {
    std::copy_n(values.begin() + move.in_mesh, move.count, result.begin() + move.in_source);
  });
  return result;
}

std::vector<double> from_source_order(const mesh::Mesh& mesh, const std::vector<double>& values,
                                      const std::vector<int>& strides) {
  std::vector<double> result(values.size());
  for_each_element(mesh, values.size(), strides, [&](const Move& move) {
    std::copy_n(values.begin() + move.in_source, move.count, result.begin() + move.in_mesh);
  });
  return result;
}

namespace {

constexpr std::size_t elements_in_group = 4096;

/// Whether the only block says where in the file its elements are.
bool is_placed(const mesh::Mesh& mesh) {
  if (mesh.blocks.size() != 1) return false;
  const ElementBlock& block = mesh.blocks[0];
  if (std::ssize(block.source) != block.size()) return false;
  std::vector<bool> taken(block.source.size());
  for (const Index place : block.source) {
    if (place < 0 || place >= block.size() || taken[static_cast<std::size_t>(place)]) return false;
    taken[static_cast<std::size_t>(place)] = true;
  }
  return true;
}

}  // namespace

SourceOrdered::SourceOrdered(const Solution& solution) : solution_(solution) {
  const mesh::Mesh& mesh = *solution.mesh;
  const std::vector<int> counts = coefficients_per_element(mesh, solution.degree, solution.variables.size());
  const auto elements = static_cast<std::size_t>(mesh.element_count());
  starts_ = {0};
  if (is_placed(mesh)) {  // without what sorting takes
    elements_.resize(elements);
    const std::vector<Index>& source = mesh.blocks[0].source;
    for (std::size_t e = 0; e < elements; ++e) elements_[static_cast<std::size_t>(source[e])] = static_cast<Index>(e);
    for (std::size_t e = 0; e < elements; e += elements_in_group)
      starts_.push_back(std::min(e + elements_in_group, elements) * static_cast<std::size_t>(counts[0]));
    return;
  }
  elements_.reserve(elements);
  std::vector<Index> first = {0};
  for (const ElementBlock& block : mesh.blocks) first.push_back(first.back() + block.size());
  std::size_t numbers = 0;
  for (const SourceElement& element : source_order(mesh)) {
    const auto block = static_cast<std::size_t>(element.block);
    elements_.push_back(first[block] + element.position);
    numbers += static_cast<std::size_t>(counts[block]);
    if (elements_.size() % elements_in_group == 0 || elements_.size() == elements) starts_.push_back(numbers);
  }
}

/// Calls visit(block, position, first of its numbers, their count) for the elements of which some number lies between
/// begin and end.
template <class Visit>
void SourceOrdered::visit(std::size_t begin, std::size_t end, const Visit& visit) const {
  const mesh::Mesh& mesh = *solution_.mesh;
  const auto group =
      static_cast<std::size_t>(std::upper_bound(starts_.begin(), starts_.end(), begin) - starts_.begin() - 1);
  const std::vector<int> counts = coefficients_per_element(mesh, solution_.degree, solution_.variables.size());
  std::size_t at = starts_[group];
  for (std::size_t k = group * elements_in_group; at < end; ++k) {
    const auto [block, position] = mesh.locate(elements_[k]);
    const auto count = static_cast<std::size_t>(counts[static_cast<std::size_t>(block)]);
    if (at + count > begin) visit(static_cast<std::size_t>(block), position, at, count);
    at += count;
  }
}

namespace {

/// Of the numbers of an element, which begin at `at`, those between begin and end.
void copy_between(const double* modes, std::size_t at, std::size_t count, std::size_t begin, std::size_t end,
                  double* to) {
  const std::size_t from = std::max(at, begin), last = std::min(at + count, end);
  std::copy(modes + (from - at), modes + (last - at), to + (from - begin));
}

}  // namespace

void SourceOrdered::fill(std::size_t begin, std::size_t end, double* to) const {
  if (std::all_of(solution_.pieces.begin(), solution_.pieces.end(),
                  [](const Piece& piece) { return static_cast<bool>(piece.unpack_many); }))
    return fill_together(begin, end, to);
  std::vector<double> room;
  visit(begin, end, [&](std::size_t block, Index position, std::size_t at, std::size_t count) {
    copy_between(solution_.modes(static_cast<int>(block), position, room), at, count, begin, end, to);
  });
}

/// The elements of a block at once.
void SourceOrdered::fill_together(std::size_t begin, std::size_t end, double* to) const {
  const std::size_t blocks = solution_.pieces.size();
  std::vector<std::vector<Index>> positions(blocks);
  std::vector<std::size_t> numbers(blocks, 0);
  visit(begin, end, [&](std::size_t block, Index position, std::size_t, std::size_t count) {
    positions[block].push_back(position);
    numbers[block] += count;
  });
  std::vector<std::unique_ptr<double[]>> values;
  std::vector<const double*> next;
  for (std::size_t block = 0; block < blocks; ++block) {
    values.push_back(std::make_unique_for_overwrite<double[]>(numbers[block]));
    next.push_back(values.back().get());
    if (!positions[block].empty()) solution_.pieces[block].unpack_many(positions[block], values.back().get());
  }
  visit(begin, end, [&](std::size_t block, Index, std::size_t at, std::size_t count) {
    copy_between(next[block], at, count, begin, end, to);
    next[block] += count;
  });
}

SourcePlaces::SourcePlaces(const mesh::Mesh& mesh, std::vector<int> counts) {
  if (is_placed(mesh)) {
    source_ = mesh.blocks[0].source;
    each_ = counts[0];
    return;
  }
  for (const ElementBlock& block : mesh.blocks) firsts_.emplace_back(static_cast<std::size_t>(block.size()));
  std::size_t first = 0;
  for (const SourceElement& element : source_order(mesh)) {
    const auto block = static_cast<std::size_t>(element.block);
    firsts_[block][static_cast<std::size_t>(element.position)] = first;
    first += static_cast<std::size_t>(counts[block]);
  }
}

std::vector<double> faces_to_source_order(const mesh::Mesh& mesh, const std::vector<double>& values,
                                          std::size_t values_per_face) {
  std::vector<double> result(values.size());
  for_each_face(mesh, values.size(), values_per_face, [&](Index in_mesh, Index in_source) {
    std::copy_n(values.begin() + in_mesh, values_per_face, result.begin() + in_source);
  });
  return result;
}

std::vector<double> faces_from_source_order(const mesh::Mesh& mesh, const std::vector<double>& values,
                                            std::size_t values_per_face) {
  std::vector<double> result(values.size());
  for_each_face(mesh, values.size(), values_per_face, [&](Index in_mesh, Index in_source) {
    std::copy_n(values.begin() + in_source, values_per_face, result.begin() + in_mesh);
  });
  return result;
}

std::vector<double> project_degree(const std::vector<double>& coefficients, Shape shape, int from, int to) {
  const Eigen::Index modes_from = basis::mode_count(shape, from), modes_to = basis::mode_count(shape, to);
  const Eigen::Index rows = static_cast<Eigen::Index>(coefficients.size()) / modes_from;
  if (rows * modes_from != static_cast<Eigen::Index>(coefficients.size()))
    throw std::invalid_argument("project_degree: the number of coefficients does not fit the degree");
  std::vector<double> result(static_cast<std::size_t>(rows * modes_to), 0.0);
  const Eigen::Map<const basis::Matrix> source(coefficients.data(), rows, modes_from);
  Eigen::Map<basis::Matrix> target(result.data(), rows, modes_to);
  if (from == to || shape == Shape::triangle || shape == Shape::tetrahedron) {
    const Eigen::Index kept = std::min(modes_from, modes_to);
    target.leftCols(kept) = source.leftCols(kept);
  } else {
    target.noalias() = source * projection(shape, from, to).transpose();
  }
  return result;
}

std::vector<int> coefficients_per_element(const mesh::Mesh& mesh, int degree, std::size_t variables) {
  std::vector<int> counts;
  for (const ElementBlock& block : mesh.blocks)
    counts.push_back(static_cast<int>(variables) * basis::mode_count(block.shape, degree));
  return counts;
}

std::vector<double> project_degree(const std::vector<double>& coefficients, const mesh::Mesh& mesh,
                                   std::size_t variables, int from, int to) {
  const std::vector<int> counts = coefficients_per_element(mesh, from, variables);
  std::vector<double> result;
  auto begin = coefficients.begin();
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    const auto end = begin + mesh.blocks[b].size() * counts[b];
    const std::vector<double> block = project_degree({begin, end}, mesh.blocks[b].shape, from, to);
    result.insert(result.end(), block.begin(), block.end());
    begin = end;
  }
  return result;
}

}  // namespace galerna::analysis
