#include "dg/step_limit.hpp"

namespace galerna::dg {

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
