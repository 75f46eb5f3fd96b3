# A room is one folder of src/ with one job, built as one static library `galerna_<room>`. A room's sources are all its
# .cpp files; what it may use is stated in the top CMakeLists.txt, and tests/architecture checks the includes against it.

add_library(galerna_options INTERFACE)
target_compile_options(galerna_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  -Wno-unknown-pragmas  # the unroll hints of kernels/ are for the GPU compiler
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)  # false positives of GCC 12 on std::string (GCC bug 105329)
if(GALERNA_SANITIZE)
  target_compile_options(galerna_options INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer
                         -fno-sanitize-recover=undefined $<$<CXX_COMPILER_ID:Clang>:-fsanitize=fuzzer-no-link>)
  target_link_options(galerna_options INTERFACE -fsanitize=address,undefined)
endif()
if(GALERNA_SANITIZE_THREADS)
  target_compile_options(galerna_options INTERFACE -fsanitize=thread)
  target_link_options(galerna_options INTERFACE -fsanitize=thread)
endif()

# Tests are compiled more often than they run. GoogleTest's macros have an if without braces, which is no library's once precompiled.
add_library(galerna_test_options INTERFACE)
target_compile_options(galerna_test_options INTERFACE $<$<CONFIG:Release>:-O1> -Wno-dangling-else)

include(galerna_precompiled)

set(galerna_rooms "" CACHE INTERNAL "rooms in the order in which they were declared")

function(galerna_room room)
  cmake_parse_arguments(ROOM "" "" "USES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${room}/*.cpp)
  if(NOT sources)
    set(scope INTERFACE)
    add_library(galerna_${room} INTERFACE)
  else()
    set(scope PUBLIC)
    add_library(galerna_${room} STATIC ${sources})
    target_link_libraries(galerna_${room} PRIVATE $<BUILD_INTERFACE:galerna_options>)
    galerna_take_precompiled(galerna_${room} galerna_precompiled)
  endif()
  add_library(galerna::${room} ALIAS galerna_${room})
  set_target_properties(galerna_${room} PROPERTIES EXPORT_NAME ${room})
  target_compile_features(galerna_${room} ${scope} cxx_std_20)
  target_include_directories(galerna_${room} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/galerna>)
  foreach(used ${ROOM_USES})
    target_link_libraries(galerna_${room} ${scope} galerna_${used})
  endforeach()
  target_link_libraries(galerna_${room} ${scope} ${galerna_${room}_libraries})
  set(galerna_rooms "${galerna_rooms};${room}" CACHE INTERNAL "")
endfunction()

function(galerna_program room)
  cmake_parse_arguments(ROOM "" "" "USES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${room}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(galerna_program ${sources})
  set_target_properties(galerna_program PROPERTIES OUTPUT_NAME galerna)
  target_link_libraries(galerna_program PRIVATE galerna_options ${galerna_app_libraries})
  target_compile_options(galerna_program PRIVATE $<$<CONFIG:Release>:-O1>)  # CLI11's functions are compiled in every source
  foreach(used ${ROOM_USES})
    target_link_libraries(galerna_program PRIVATE galerna_${used})
  endforeach()
endfunction()

# Registers the cases of a GoogleTest program with CTest under "<prefix>.", each with the label quick or slow: without SLOW_UNLESS_NAMED
# all are quick; with it those are whose suite's name, or instantiation's, begins with "Quick". Slow ones come first, so that none is left
# to run alone at the end. CTest runs none whose instantiation's name begins with "Validation" (make validation does).
# Names in CTest are those of GoogleTest: none prints a parameter's bytes.
function(galerna_register_tests target prefix)
  add_dependencies(galerna_tests ${target})
  cmake_parse_arguments(TESTS "SLOW_UNLESS_NAMED" "" "" ${ARGN})
  set(common TIMEOUT 900 ENVIRONMENT GALERNA_CACHE=${PROJECT_BINARY_DIR}/test-kernels
             ENVIRONMENT_MODIFICATION GALERNA_PRECOMPILE=set:1)
  if(NOT TESTS_SLOW_UNLESS_NAMED)
    gtest_discover_tests(${target} TEST_PREFIX "${prefix}." DISCOVERY_TIMEOUT 60 NO_PRETTY_VALUES PROPERTIES LABELS quick ${common})
    return()
  endif()
  gtest_discover_tests(${target} TEST_PREFIX "${prefix}." DISCOVERY_TIMEOUT 60 NO_PRETTY_VALUES TEST_LIST ${target}_quick TEST_FILTER "Quick*"
                       PROPERTIES LABELS quick COST 5 ${common})
  gtest_discover_tests(${target} TEST_PREFIX "${prefix}." DISCOVERY_TIMEOUT 60 NO_PRETTY_VALUES TEST_LIST ${target}_slow TEST_FILTER "-Quick*:Validation*"
                       PROPERTIES LABELS slow COST 10 ${common})
endfunction()

# tests/<room>/*.cpp -> one GoogleTest program galerna_<room>_tests; further words as for galerna_register_tests.
function(galerna_room_tests room)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${room}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(galerna_${room}_tests ${sources})
  target_link_libraries(galerna_${room}_tests PRIVATE galerna_options galerna_test_options galerna_${room} GTest::gtest_main)
  galerna_take_precompiled(galerna_${room}_tests galerna_precompiled_tests)
  target_include_directories(galerna_${room}_tests PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(galerna_${room}_tests PRIVATE
    GALERNA_SOURCE_DIR="${PROJECT_SOURCE_DIR}" GALERNA_TEST_DIR="${CMAKE_CURRENT_SOURCE_DIR}/${room}")
  galerna_register_tests(galerna_${room}_tests ${room} ${ARGN})
endfunction()
