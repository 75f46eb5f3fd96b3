# The CPU kernels of the shipped cases, compiled with the program so that a first run needs no compiler: build/programs beside the
# program, lib/galerna/programs when installed. Meshes are made on the way; without Gmsh the kernels compile at the first run. Tests need
# the meshes (target galerna_case_meshes) but not these programs, which take as long as all others together.
find_program(galerna_gmsh gmsh)
if(NOT galerna_gmsh OR GALERNA_SANITIZE OR GALERNA_SANITIZE_THREADS)
  return()
endif()

set(programs ${PROJECT_BINARY_DIR}/programs)
set(cases "")
file(GLOB case_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cases/*/case.toml)
foreach(case_file ${case_files})
  cmake_path(GET case_file PARENT_PATH folder)
  cmake_path(GET folder FILENAME name)
  file(GLOB geometry ${folder}/*.geo)
  file(GLOB headers ${folder}/*.hpp)
  cmake_path(GET geometry STEM stem)
  set(copy ${PROJECT_BINARY_DIR}/cases/${name})
  file(STRINGS ${geometry} volumes REGEX "Physical Volume")
  set(dimension 2)
  if(volumes)
    set(dimension 3)
  endif()
  add_custom_command(OUTPUT ${copy}/case.toml ${copy}/${stem}.msh
    COMMAND ${CMAKE_COMMAND} -E make_directory ${copy}
    COMMAND ${CMAKE_COMMAND} -E copy ${case_file} ${headers} ${copy}
    COMMAND ${galerna_gmsh} -v 1 -${dimension} ${geometry} -format msh41 -o ${copy}/${stem}.msh
    DEPENDS ${case_file} ${headers} ${geometry} COMMENT "Mesh of ${name}" VERBATIM)
  list(APPEND cases ${copy}/case.toml)
  list(APPEND meshes ${copy}/${stem}.msh)
endforeach()
add_custom_target(galerna_case_meshes DEPENDS ${cases} ${meshes})
add_custom_command(OUTPUT ${programs}.stamp
  COMMAND ${CMAKE_COMMAND} -E env GALERNA_CACHE=${PROJECT_BINARY_DIR}/test-kernels GALERNA_PRECOMPILE=1
          $<TARGET_FILE:galerna_program> cache --directory ${programs} --build ${cases}
  COMMAND ${CMAKE_COMMAND} -E touch ${programs}.stamp
  DEPENDS galerna_program galerna_case_meshes ${cases} ${meshes} COMMENT "CPU kernels of the shipped cases" VERBATIM)
add_custom_target(galerna_programs ALL DEPENDS ${programs}.stamp)
install(DIRECTORY ${programs}/ DESTINATION ${CMAKE_INSTALL_PREFIX}/lib/galerna/programs
        OPTIONAL FILES_MATCHING PATTERN "*.so" PATTERN "*.json")
