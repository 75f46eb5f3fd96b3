/// \file
/// Polytopes made of elements: agglomerations, from files, from physical groups or made here, and coarser ones nested
/// in them. Elements of a polytope hang together through common sides; periodic sides do not count.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "mesh/mesh.hpp"

namespace galerna::mesh {

/// Which polytope each element belongs to.
struct Agglomeration {
  std::vector<Index> polytope;  ///< [element], in the mesh's order: 0 … count − 1, each at least once
  Index count = 0;
};

/// Reads a file of one integer an element, in the order of the mesh's file (ElementBlock::source): its polytope,
/// counted from 0 without gaps. \param mesh prepared
/// \throws InputError for too few or too many numbers, gaps, and polytopes in two pieces, with places
Agglomeration read_agglomeration(const std::filesystem::path& path, const Mesh& mesh);

/// The same from memory: `text` is the content of a file that messages call `name`.
Agglomeration read_agglomeration_text(std::string_view text, const std::string& name, const Mesh& mesh);

/// The text of such a file.
std::string agglomeration_text(const Agglomeration& agglomeration, const Mesh& mesh);

/// Every element a polytope.
Agglomeration element_agglomeration(const Mesh& mesh);

/// The pieces of every physical group that hang together; elements that are in no group are polytopes of their own.
Agglomeration group_agglomeration(const Mesh& mesh);

/// About `polytopes` compact ones of about equal numbers of elements, none across a border between physical groups;
/// numbered along the elements. The same each time, whatever the number of threads.
/// \throws std::invalid_argument for polytopes < 1
Agglomeration make_agglomeration(const Mesh& mesh, Index polytopes);

/// Coarser and coarser ones, nested, each with a quarter (in space an eighth) of the polytopes of the one before,
/// until there are at most `enough`; empty where `finest` has as few.
/// \param kinds [polytope of finest] those of different kinds are not joined as long as it goes on without that; empty:
/// all are alike
std::vector<Agglomeration> coarser_levels(const Mesh& mesh, const Agglomeration& finest, Index enough,
                                          const std::vector<Index>& kinds = {});

/// [polytope of fine] the polytope of `coarse` that holds it. \param coarse nested over `fine`
std::vector<Index> parents(const Agglomeration& fine, const Agglomeration& coarse);

}  // namespace galerna::mesh
