# libgalerna_cad.so: the one source of src/cad that includes OpenCASCADE. The program finds it next to itself, or in lib/galerna.
get_target_property(cad_sources galerna_cad SOURCES)
list(FILTER cad_sources EXCLUDE REGEX "/occt_module\\.cpp$")
set_target_properties(galerna_cad PROPERTIES SOURCES "${cad_sources}")
if(NOT galerna_occt_include)
  return()
endif()

add_library(galerna_cad_module MODULE ${PROJECT_SOURCE_DIR}/src/cad/occt_module.cpp)
set_target_properties(galerna_cad_module PROPERTIES OUTPUT_NAME galerna_cad LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_link_libraries(galerna_cad_module PRIVATE galerna_options ${galerna_occt_libraries})
target_include_directories(galerna_cad_module PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_include_directories(galerna_cad_module SYSTEM PRIVATE ${galerna_occt_include})
install(TARGETS galerna_cad_module LIBRARY DESTINATION lib/galerna)
