# Builds one harness with Clang's libFuzzer and runs it for a short while; or, as HARNESS mesh_library, builds what harnesses share.
set(flags -std=c++20 -g1 -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -Isrc -I.)
set(library ${WORK}/libmesh.a)
file(MAKE_DIRECTORY ${WORK}/${HARNESS})
file(WRITE ${WORK}/${HARNESS}/probe.cpp "extern \"C\" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }\n")
execute_process(COMMAND ${CLANG} -fsanitize=fuzzer ${WORK}/${HARNESS}/probe.cpp -o ${WORK}/${HARNESS}/probe RESULT_VARIABLE result
                OUTPUT_QUIET ERROR_QUIET)
if(NOT result EQUAL 0)
  message("no libFuzzer for ${CLANG}")
  return()
endif()

if(HARNESS STREQUAL mesh_library)
  file(GLOB sources ${SOURCE}/src/mesh/*.cpp ${SOURCE}/src/base/*.cpp)
  list(REMOVE_ITEM sources ${SOURCE}/src/base/version.cpp) # needs definitions of the build, and no reader needs it
  set(objects "")
  foreach(source ${sources})
    cmake_path(GET source STEM name)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(GET folder FILENAME room)
    execute_process(COMMAND ${CLANG} ${flags} -c ${source} -o ${WORK}/${HARNESS}/${room}_${name}.o
                    WORKING_DIRECTORY ${SOURCE} COMMAND_ERROR_IS_FATAL ANY)
    list(APPEND objects ${WORK}/${HARNESS}/${room}_${name}.o)
  endforeach()
  file(REMOVE ${library})
  execute_process(COMMAND ar rcs ${library} ${objects} COMMAND_ERROR_IS_FATAL ANY)
  return()
endif()

set(sources ${library})
if(HARNESS STREQUAL formula)
  set(sources src/case/formula.cpp src/case/formula_node.cpp src/case/formula_derivative.cpp src/base/error.cpp)
endif()
execute_process(COMMAND ${CLANG} ${flags} -fsanitize=fuzzer tests/fuzz/${HARNESS}_fuzz.cpp ${sources} -lfmt -o ${WORK}/${HARNESS}_fuzz
                WORKING_DIRECTORY ${SOURCE} COMMAND_ERROR_IS_FATAL ANY)
set(corpus ${WORK}/${HARNESS}_corpus)
file(MAKE_DIRECTORY ${corpus})
if(HARNESS STREQUAL gmsh_reader)
  file(GLOB meshes ${SOURCE}/tests/mesh/data/*.msh ${SOURCE}/tests/mesh/bad/*.msh)
  file(COPY ${meshes} DESTINATION ${corpus})
endif()
execute_process(COMMAND ${WORK}/${HARNESS}_fuzz -max_total_time=15 -rss_limit_mb=2048 -max_len=20000 -print_final_stats=1 ${corpus}
                WORKING_DIRECTORY ${WORK} COMMAND_ERROR_IS_FATAL ANY)
