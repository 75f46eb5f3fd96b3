# Target galerna_headers: every header compiles alone. One that its own .cpp file includes first does so whenever that file is compiled,
# and one that another header includes first whenever that one is; each of the others is the only line of a generated file.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
     ${PROJECT_SOURCE_DIR}/src/*.hpp ${PROJECT_SOURCE_DIR}/kernels/*.hpp)
# Code for GPUs only: the compiler of the host learns what it misses from the tests' emulator.
set(gpu_headers "^kernels/(tile/|polytopic/(expansion|interface_tiles|moments|moment_block|small_blocks|grid_eigenvalue)\\.)")

# The first line of a file that includes anything.
function(galerna_first_include file result)
  file(STRINGS ${file} first REGEX "^#include" LIMIT_COUNT 1)
  set(${result} "${first}" PARENT_SCOPE)
endfunction()

set(first_includes "")
foreach(header ${headers})
  if(NOT header MATCHES ${gpu_headers})
    galerna_first_include(${PROJECT_SOURCE_DIR}/${header} first)
    list(APPEND first_includes "${first}")
  endif()
endforeach()

set(header_files "")
foreach(header ${headers})
  string(REGEX REPLACE "^src/" "" name ${header})
  string(REGEX REPLACE "\\.hpp$" ".cpp" own ${PROJECT_SOURCE_DIR}/${header})
  if(EXISTS ${own})
    galerna_first_include(${own} first)
    if(first STREQUAL "#include \"${name}\"")
      continue()
    endif()
  endif()
  if("#include \"${name}\"" IN_LIST first_includes)
    continue()
  endif()
  set(text "#include \"${name}\"\n")
  if(header MATCHES ${gpu_headers})
    string(PREPEND text "#include \"${PROJECT_SOURCE_DIR}/tests/dg/gpu_emulator.hpp\"\n")
  endif()
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/headers/${name}.cpp CONTENT "${text}")
  list(APPEND header_files ${PROJECT_BINARY_DIR}/headers/${name}.cpp)
endforeach()
add_library(galerna_headers OBJECT EXCLUDE_FROM_ALL ${header_files})
target_link_libraries(galerna_headers PRIVATE galerna_options galerna_solver ${galerna_app_libraries})
galerna_take_precompiled(galerna_headers galerna_precompiled)
