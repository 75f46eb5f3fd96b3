# Embeds all headers of kernels/ into the program, so that an installed galerna needs no source tree to compile kernels at run time.
# Run as a script: cmake -DSOURCE_DIR=… -DOUTPUT=… -P galerna_embed.cmake
if(CMAKE_SCRIPT_MODE_FILE)
  file(GLOB_RECURSE headers RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/kernels/*.hpp)
  list(SORT headers)
  set(text "// Generated from kernels/ by cmake/galerna_embed.cmake.\n#include \"device/kernel_headers.hpp\"\n\nnamespace galerna::device {\n")
  set(entries "")
  set(index 0)
  foreach(header ${headers})
    file(READ ${SOURCE_DIR}/${header} content)
    string(LENGTH "${content}" length)
    string(APPEND text "static constexpr char file_${index}[] = R\"kernel_text(${content})kernel_text\";\n")
    string(APPEND entries "    {\"${header}\", {file_${index}, sizeof(file_${index}) - 1}},\n")
    math(EXPR index "${index} + 1")
  endforeach()
  string(APPEND text "static constexpr EmbeddedFile files[] = {\n${entries}};\n"
    "std::span<const EmbeddedFile> embedded_kernels() { return files; }\n}  // namespace galerna::device\n")
  file(WRITE ${OUTPUT} "${text}")
  return()
endif()

# Adds the generated source to `target`; made again when a header of kernels/ changes or appears.
function(galerna_embed_kernels target)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/kernels/*.hpp)
  set(output ${PROJECT_BINARY_DIR}/generated/embedded_kernels.cpp)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DOUTPUT=${output}
            -P ${PROJECT_SOURCE_DIR}/cmake/galerna_embed.cmake
    DEPENDS ${headers} ${PROJECT_SOURCE_DIR}/cmake/galerna_embed.cmake
    COMMENT "Embedding kernels" VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
