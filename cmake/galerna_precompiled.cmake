# Headers of the standard library and of other libraries that most sources include are compiled once for all rooms and once for all
# tests: they take most of the time of most sources. With a launcher like ccache they are not, since it keeps what such sources
# compile to in no other folder; that headers name what they use is checked by tests/architecture.
set(galerna_precompiles ON)
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(galerna_precompiles OFF)
endif()
option(GALERNA_PRECOMPILED_HEADERS "Compile the headers of libraries once" ${galerna_precompiles})

set(galerna_common_headers <Eigen/Dense> <algorithm> <array> <charconv> <chrono> <cmath> <cstdint> <cstring>
    <filesystem> <fmt/format.h> <fstream> <functional> <limits> <map> <memory> <numeric> <optional> <set> <span> <sstream>
    <stdexcept> <string> <string_view> <tuple> <unordered_map> <utility> <vector>)

# The target `owner`, whose precompiled headers others take, compiled as they are: `option` for position-independent code, `options`.
function(galerna_precompile owner option options headers)
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/generated/${owner}.cpp CONTENT "")
  add_library(${owner} OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/generated/${owner}.cpp)
  set_target_properties(${owner} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${owner} PRIVATE ${option})
  target_link_libraries(${owner} PRIVATE ${options} Eigen3::Eigen fmt::fmt)
  target_precompile_headers(${owner} PRIVATE ${headers})
endfunction()

# The sources of `target` take the precompiled headers of `owner`; where a compiler refuses them, the headers themselves.
function(galerna_take_precompiled target owner)
  if(GALERNA_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} REUSE_FROM ${owner})
    target_include_directories(${target} SYSTEM PRIVATE $<TARGET_PROPERTY:Eigen3::Eigen,INTERFACE_INCLUDE_DIRECTORIES>)
  endif()
endfunction()

if(GALERNA_PRECOMPILED_HEADERS)
  galerna_precompile(galerna_precompiled -fPIC galerna_options "${galerna_common_headers}")
  if(GALERNA_TESTS)
    galerna_precompile(galerna_precompiled_tests -fPIE "galerna_options;galerna_test_options;GTest::gtest"
                       "${galerna_common_headers};<gtest/gtest.h>")
  endif()
endif()
