// Programs of these tests run a few times on small meshes, and there are hundreds: they are compiled without
// optimization, unless the environment says otherwise. Most of those of tests/solver are what users run.
#include <cstdlib>

namespace galerna::tests {

[[maybe_unused]] const bool optimization_is_set = setenv("GALERNA_OPTIMIZE", "0", 0) == 0;

}  // namespace galerna::tests
