#include "dg/geometry/step_limit.hpp"

namespace galerna::dg {

double wave_factor(Shape shape) {
  switch (shape) {
    case Shape::tetrahedron:
      return 1.25;
    case Shape::hexahedron:
    case Shape::prism:
      return 1.5;  // three directions that share h = 6 |K|/|∂K|, where h = 4 |K|/|∂K| has two
    default:
      return 1;
  }
}

int diffusion_factor(Shape shape, int degree) {
  const int n = degree + 1, n3 = n * n * n;
  switch (shape) {
    case Shape::triangle:
      return 8 * n3;
    case Shape::quadrilateral:
      return 4 + 7 * n * n3;
    case Shape::tetrahedron:
      return 7 + 11 * n3;
    case Shape::pyramid:
      return 4 + 15 * n3;
    case Shape::prism:
      return (12 + 9 * n) * n3;
    case Shape::hexahedron:
      return (16 + 15 * n) * n3;
    default:
      return 0;
  }
}

}  // namespace galerna::dg
