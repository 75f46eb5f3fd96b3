/// \file
/// The faces and edges of a CAD file, and the points of them that are nearest to others.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cad/kernel.hpp"
#include "cad/triangle_tree.hpp"
#include "mesh/geometry.hpp"

namespace galerna::cad {

/// A point of a face or an edge. Parts are numbered through: faces first, then edges.
struct Foot {
  Vector x{};
  double distance = 0;
  std::int32_t part = -1;
  double u = 0, v = 0;  ///< parameters; of an edge t and nothing
};

class Model {
 public:
  /// \param unit of the file, for people \param face_names [face], "" for none; may be shorter
  Model(std::unique_ptr<Geometry> geometry, std::string file, std::string unit, std::vector<std::string> face_names);

  const std::string& file() const { return file_; }
  const std::string& unit() const { return unit_; }
  const Geometry& geometry() const { return *geometry_; }
  const std::string& face_name(std::size_t face) const { return face_names_[face]; }
  mesh::Box box() const { return box_; }

  std::int32_t face_count() const { return static_cast<std::int32_t>(geometry_->faces().size()); }
  bool is_edge(std::int32_t part) const { return part >= face_count(); }

  /// The nearest point of the faces `faces` (increasing), their edges among them, to rounding. Starts of Newton's
  /// method are the triangles that may be nearest. \param faces empty: all
  Foot nearest(const Vector& x, const std::vector<std::int32_t>& faces = {}) const;
  /// Of one edge.
  Foot nearest_on_edge(std::int32_t part, const Vector& x) const;

  /// Parts that come nearer to x than `distance`, increasing; with a face its edges need not be among them.
  std::vector<std::int32_t> near(const Vector& x, double distance) const;

  /// The unit normal of the face at a foot; of one on an edge that of the first of its faces. Nothing where there is
  /// none.
  std::optional<Vector> normal(const Foot& foot) const;

 private:
  struct Start {
    std::int32_t part;
    double distance, u, v;
  };

  void add_facets();
  double face_off(std::size_t face) const;
  static double boundary_off(const FaceData& face, std::size_t triangle);
  Start start_of(const Facet& facet, const FacetPoint& point) const;
  /// Keeps the nearest start of each part.
  void keep(std::vector<Start>& starts, const Facet& facet, const FacetPoint& point) const;
  void sort(std::vector<Start>& starts) const;
  /// Nothing where the part has no point that is nearer than `best`.
  std::optional<Foot> refine(const Start& start, const Vector& x, const Foot& best) const;
  Foot refine_on_face(std::size_t face, double u, double v, const Vector& x) const;
  Foot refine_on_edge(std::size_t edge, double t, const Vector& x) const;

  std::unique_ptr<Geometry> geometry_;
  std::string file_, unit_;
  std::vector<std::string> face_names_;
  mesh::Box box_;
  double rounding_ = 0;  ///< distance of points that are the same
  std::unique_ptr<TriangleTree> tree_;
};

/// Faces, edges, sizes, slivers: several lines for people.
std::string describe(const Model& model);

}  // namespace galerna::cad
