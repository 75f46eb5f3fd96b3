/// \file
/// What the program knows of OpenCASCADE: a library that is loaded at run time (cad/load.hpp), so that the program runs
/// without it. Texts that functions return are errors, to be freed by nobody; a null pointer means that all went well.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "base/vectors.hpp"

namespace galerna::cad {

/// A face, with triangles near it that searches begin with.
struct FaceData {
  std::vector<Vector> points;
  std::vector<std::array<double, 2>> parameters;  ///< [point] u, v
  std::vector<std::array<int, 3>> triangles;
  std::array<double, 4> bounds{};   ///< least and largest u, least and largest v
  std::array<double, 2> periods{};  ///< of the surface in u and v, 0: none
  double area = 0, perimeter = 0;
};

/// An edge, with points on it.
struct EdgeData {
  std::vector<Vector> points;
  std::vector<double> parameters;  ///< [point] t, increasing
  std::array<int, 2> faces{-1, -1};
  double length = 0;
  double angle = 0;  ///< largest between the normals of its faces, degrees; 180 at the end of a face
};

/// A point of a surface and its derivatives; of a curve x, du and duu.
struct Derivatives {
  Vector x, du, dv, duu, duv, dvv;
};

class Geometry {
 public:
  virtual ~Geometry() = default;
  virtual std::array<Vector, 2> box() const = 0;
  virtual const std::vector<FaceData>& faces() const = 0;
  virtual const std::vector<EdgeData>& edges() const = 0;
  virtual Derivatives surface(std::size_t face, double u, double v) const = 0;
  /// Whether a point of the face's surface belongs to it or to its edge.
  virtual bool contains(std::size_t face, double u, double v) const = 0;
  virtual Derivatives curve(std::size_t edge, double t) const = 0;
};

}  // namespace galerna::cad

extern "C" {

struct GalernaCad {
  int version;  ///< of this table and of galerna::cad::Geometry
  const char* (*library)();
  /// Reads a STEP, IGES or BREP file, and writes its shape to `shape` and what else is in it to `info`: the unit, its
  /// length in mm, and the names of the faces, a line each. May end the process that calls it.
  const char* (*convert)(const char* file, const char* shape, const char* info);
  /// Loads what convert() wrote. All lengths are multiplied by `factor`.
  const char* (*load)(const char* shape, double factor, galerna::cad::Geometry** geometry);
};

constexpr int galerna_cad_version = 1;

/// The one symbol of the library.
const GalernaCad* galerna_cad();
}
