#include "mesh/agglomeration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <numeric>

#include "base/error.hpp"
#include "base/index.hpp"
#include "mesh/dual_graph.hpp"
#include "mesh/geometry.hpp"

namespace galerna::mesh {
namespace {

/// [element] its position in the mesh's file.
std::vector<Index> sources(const Mesh& mesh) {
  std::vector<Index> result;
  for (const ElementBlock& block : mesh.blocks) result.insert(result.end(), block.source.begin(), block.source.end());
  return result;
}

/// The numbers of the file and the line of each.
struct Numbers {
  std::vector<Index> values;
  std::vector<int> lines;
};

bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

std::string shown(std::string_view word) {
  std::string result;
  for (const char c : word.substr(0, 40)) result += c >= ' ' && c <= '~' ? c : '?';
  return result;
}

/// \param elements how many numbers there must be, and what each must be less than
Numbers read_numbers(std::string_view text, const std::string& name, Index elements) {
  Numbers numbers;
  int line = 1;
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end) {
    if (blank(text[begin])) {
      line += text[begin] == '\n';
      end = begin + 1;
      continue;
    }
    while (end < text.size() && !blank(text[end])) ++end;
    const std::string_view word = text.substr(begin, end - begin);
    Index value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (stop != word.data() + word.size() || error == std::errc::invalid_argument)
      throw InputError({name, line, 0}, fmt::format("expected the number of a polytope, found '{}'", shown(word)));
    if (error != std::errc{} || value < 0 || value >= elements)
      throw InputError({name, line, 0}, fmt::format("polytope {}: {} elements have polytopes 0 to {} at most",
                                                    shown(word), elements, elements - 1));
    if (static_cast<Index>(numbers.values.size()) == elements)
      throw InputError({name, line, 0},
                       fmt::format("the file is too long: the mesh has {} elements, each one number", elements));
    numbers.values.push_back(value);
    numbers.lines.push_back(line);
  }
  if (static_cast<Index>(numbers.values.size()) < elements)
    throw InputError({name}, fmt::format("the file is too short: it has {} numbers, the mesh {} elements",
                                         numbers.values.size(), elements));
  return numbers;
}

void check_gaps(const Agglomeration& agglomeration, const std::string& name) {
  std::vector<char> present(at(agglomeration.count), 0);
  for (const Index p : agglomeration.polytope) present[at(p)] = 1;
  const auto gap = std::find(present.begin(), present.end(), 0);
  if (gap != present.end())
    throw InputError({name},
                     fmt::format("no element is in polytope {}, the largest is {}: polytopes are numbered from 0 "
                                 "without gaps",
                                 gap - present.begin(), agglomeration.count - 1));
}

/// \param lines [element in the file]
void check_pieces(const Mesh& mesh, const Agglomeration& agglomeration, const std::string& name,
                  const std::vector<int>& lines) {
  const std::vector<Index> pieces = connected_pieces(dual_graph(mesh), agglomeration.polytope);
  const std::vector<Index> source = sources(mesh);
  std::vector<Index> first(at(agglomeration.count), -1);  // [polytope] an element of its first piece
  for (Index e = 0; e < mesh.element_count(); ++e) {
    Index& known = first[at(agglomeration.polytope[at(e)])];
    if (known < 0) known = e;
    if (pieces[at(e)] == pieces[at(known)]) continue;
    throw InputError({name, lines[at(source[at(e)])], 0},
                     fmt::format("polytope {} is in two pieces: from {} no way through common sides of its elements "
                                 "leads to {}",
                                 agglomeration.polytope[at(e)], place_of(mesh, e), place_of(mesh, known)));
  }
}

}  // namespace

Agglomeration read_agglomeration_text(std::string_view text, const std::string& name, const Mesh& mesh) {
  const Numbers numbers = read_numbers(text, name, mesh.element_count());
  Agglomeration result;
  for (const Index s : sources(mesh)) result.polytope.push_back(numbers.values[at(s)]);
  result.count = 1 + *std::max_element(result.polytope.begin(), result.polytope.end());
  check_gaps(result, name);
  check_pieces(mesh, result, name, numbers.lines);
  return result;
}

Agglomeration read_agglomeration(const std::filesystem::path& path, const Mesh& mesh) {
  std::error_code code;
  if (!std::filesystem::exists(path, code)) throw InputError({path.string()}, "the agglomeration does not exist");
  if (!std::filesystem::is_regular_file(path, code))
    throw InputError({path.string()}, "the agglomeration is not a file");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw InputError({path.string()}, "cannot open the agglomeration");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  return read_agglomeration_text(text, path.string(), mesh);
}

std::string agglomeration_text(const Agglomeration& agglomeration, const Mesh& mesh) {
  const std::vector<Index> source = sources(mesh);
  std::vector<Index> in_file(source.size());
  for (std::size_t e = 0; e < source.size(); ++e) in_file[at(source[e])] = agglomeration.polytope[e];
  fmt::memory_buffer text;
  for (const Index p : in_file) fmt::format_to(std::back_inserter(text), "{}\n", p);
  return fmt::to_string(text);
}

Agglomeration element_agglomeration(const Mesh& mesh) {
  Agglomeration result;
  result.count = mesh.element_count();
  result.polytope.resize(at(result.count));
  std::iota(result.polytope.begin(), result.polytope.end(), Index{0});
  return result;
}

Agglomeration group_agglomeration(const Mesh& mesh) {
  std::vector<Index> groups;
  for (const ElementBlock& block : mesh.blocks)
    for (const int region : block.region)
      groups.push_back(region >= 0 ? region : -1 - static_cast<Index>(groups.size()));
  Agglomeration result;
  result.polytope = connected_pieces(dual_graph(mesh), groups);
  result.count = 1 + *std::max_element(result.polytope.begin(), result.polytope.end());
  return result;
}

std::vector<Index> parents(const Agglomeration& fine, const Agglomeration& coarse) {
  std::vector<Index> result(at(fine.count));
  for (std::size_t e = 0; e < fine.polytope.size(); ++e) result[at(fine.polytope[e])] = coarse.polytope[e];
  return result;
}

}  // namespace galerna::mesh
