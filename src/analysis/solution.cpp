#include "analysis/solution.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/parallel.hpp"
#include "basis/basis.hpp"

namespace galerna::analysis {

int FieldSet::find(const std::string& name) const {
  const std::vector<std::string> all = all_names();
  const auto found = std::find(all.begin(), all.end(), name);
  return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

std::vector<std::string> FieldSet::all_names() const {
  std::vector<std::string> all = names;
  for (const FurtherField& field : further) all.push_back(field.name);
  all.insert(all.end(), of_elements.begin(), of_elements.end());
  return all;
}

std::vector<std::string> FieldSet::listed_names() const {
  std::vector<std::string> listed = names;
  for (const FurtherField& field : further)
    if (field.listed) listed.push_back(field.name);
  return listed;
}

namespace {

/// Numbers of an element of the block.
std::size_t size_of(const Solution& solution, std::size_t block) {
  return solution.variables.size() *
         static_cast<std::size_t>(basis::mode_count(solution.mesh->blocks.at(block).shape, solution.degree));
}

}  // namespace

const double* Solution::modes(int block, mesh::Index position, std::vector<double>& room) const {
  const Piece& piece = pieces[static_cast<std::size_t>(block)];
  if (piece.unpack) {
    room.resize(size_of(*this, static_cast<std::size_t>(block)));
    piece.unpack(position, room.data());
    return room.data();
  }
  const auto& known = piece.positions;
  if (!known.empty()) position = std::lower_bound(known.begin(), known.end(), position) - known.begin();
  return piece.coefficients.data() +
         static_cast<std::size_t>(position) * size_of(*this, static_cast<std::size_t>(block));
}

const double* Solution::modes_of(int block, std::span<const mesh::Index> positions, std::vector<double>& room) const {
  const Piece& piece = pieces[static_cast<std::size_t>(block)];
  const std::size_t each = size_of(*this, static_cast<std::size_t>(block));
  room.resize(positions.size() * each);
  if (piece.unpack_many) {
    piece.unpack_many(positions, room.data());
    return room.data();
  }
  std::vector<double> one;
  for (std::size_t k = 0; k < positions.size(); ++k)
    std::copy_n(modes(block, positions[k], one), each, room.data() + k * each);
  return room.data();
}

const double* Solution::values_of(int block, mesh::Index position) const {
  if (element_values.empty()) return nullptr;
  for (int before = 0; before < block; ++before) position += mesh->blocks[static_cast<std::size_t>(before)].size();
  return element_values.data() + static_cast<std::size_t>(position) * fields.of_elements.size();
}

void Solution::set_coefficients(std::vector<double> all) {
  pieces.clear();
  auto begin = all.begin();
  for (std::size_t block = 0; block < mesh->blocks.size(); ++block) {
    const auto count = static_cast<std::size_t>(mesh->blocks[block].size()) * size_of(*this, block);
    const auto rest = static_cast<std::size_t>(all.end() - begin);
    const bool last = block + 1 == mesh->blocks.size();
    if (last ? rest != count : rest < count)
      throw std::invalid_argument("Solution: the number of coefficients does not fit the mesh");
    const auto end = begin + static_cast<std::ptrdiff_t>(count);
    pieces.push_back({std::vector<double>(begin, end)});
    begin = end;
  }
}

std::vector<double> Solution::coefficients() const {
  std::vector<double> all;
  for (std::size_t block = 0; block < pieces.size(); ++block) {
    const Piece& piece = pieces[block];
    if (!piece.unpack) {
      all.insert(all.end(), piece.coefficients.begin(), piece.coefficients.end());
      continue;
    }
    const std::size_t begin = all.size(), size = size_of(*this, block);
    const mesh::Index elements = mesh->blocks[block].size();
    all.resize(begin + static_cast<std::size_t>(elements) * size);
    constexpr mesh::Index elements_at_once = 1024;
    in_parallel(elements, elements_at_once, [&](mesh::Index first, mesh::Index last) {
      for (mesh::Index e = first; e < last; ++e)
        piece.unpack(e, all.data() + begin + static_cast<std::size_t>(e) * size);
    });
  }
  return all;
}

const Piece& piece_of(const Solution& solution, int block) {
  const auto b = static_cast<std::size_t>(block);
  const Piece& piece = solution.pieces.at(b);
  if (piece.unpack) return piece;
  const auto elements =
      piece.positions.empty() ? static_cast<std::size_t>(solution.mesh->blocks.at(b).size()) : piece.positions.size();
  if (piece.coefficients.size() != elements * size_of(solution, b))
    throw std::invalid_argument("Solution: " + std::to_string(piece.coefficients.size()) + " coefficients, but " +
                                std::to_string(elements) + " elements need " +
                                std::to_string(elements * size_of(solution, b)));
  return piece;
}

}  // namespace galerna::analysis
