#include <cstdio>

#include "basis/basis.hpp"
#include "mesh/generate.hpp"

int main() {
  const auto mesh = galerna::mesh::make_rectangle(3, 2);
  std::printf("%d modes, %d elements\n", galerna::basis::mode_count(galerna::Shape::triangle, 3),
              static_cast<int>(mesh.element_count()));
  return mesh.element_count() == 12 ? 0 : 1;
}
