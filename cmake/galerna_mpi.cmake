# libgalerna_mpi.so: the one source of src/parallel that includes mpi.h. The program finds it next to itself, or in lib/galerna.
get_target_property(parallel_sources galerna_parallel SOURCES)
list(FILTER parallel_sources EXCLUDE REGEX "/mpi_module\\.cpp$")
set_target_properties(galerna_parallel PROPERTIES SOURCES "${parallel_sources}")
if(NOT MPI_C_FOUND)
  return()
endif()

add_library(galerna_mpi MODULE ${PROJECT_SOURCE_DIR}/src/parallel/mpi_module.cpp)
target_link_libraries(galerna_mpi PRIVATE galerna_options MPI::MPI_C)
target_include_directories(galerna_mpi PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(galerna_mpi PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)  # the old interface for C++
set_target_properties(galerna_mpi PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
install(TARGETS galerna_mpi LIBRARY DESTINATION lib/galerna)
