# Builds one harness with Clang's libFuzzer and runs it for half a minute.
set(sources_formula src/case/formula.cpp src/case/formula_node.cpp src/case/formula_derivative.cpp src/base/error.cpp)
file(GLOB mesh_sources ${SOURCE}/src/mesh/*.cpp)
set(sources_gmsh_reader ${mesh_sources} src/base/error.cpp src/base/shape.cpp src/base/lattice.cpp)
set(sources_agglomeration ${sources_gmsh_reader})
file(MAKE_DIRECTORY ${WORK}/${HARNESS})
file(WRITE ${WORK}/probe.cpp "extern \"C\" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }\n")
execute_process(COMMAND ${CLANG} -fsanitize=fuzzer ${WORK}/probe.cpp -o ${WORK}/probe RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
if(NOT result EQUAL 0)
  message("no libFuzzer for ${CLANG}")
  return()
endif()
execute_process(COMMAND ${CLANG} -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -Isrc -I.
                        tests/fuzz/${HARNESS}_fuzz.cpp ${sources_${HARNESS}} -lfmt -o ${WORK}/${HARNESS}_fuzz
                WORKING_DIRECTORY ${SOURCE} COMMAND_ERROR_IS_FATAL ANY)
set(corpus ${WORK}/${HARNESS})
if(HARNESS STREQUAL gmsh_reader)
  file(GLOB meshes ${SOURCE}/tests/mesh/data/*.msh ${SOURCE}/tests/mesh/bad/*.msh)
  file(COPY ${meshes} DESTINATION ${corpus})
endif()
execute_process(COMMAND ${WORK}/${HARNESS}_fuzz -max_total_time=30 -rss_limit_mb=2048 -max_len=20000 -print_final_stats=1 ${corpus}
                WORKING_DIRECTORY ${WORK} COMMAND_ERROR_IS_FATAL ANY)
