# Installation: program, libraries, headers, cases, and a package for find_package(galerna).
include(CMakePackageConfigHelpers)

add_library(galerna_galerna INTERFACE)
set_target_properties(galerna_galerna PROPERTIES EXPORT_NAME galerna)
add_library(galerna::galerna ALIAS galerna_galerna)
set(galerna_targets galerna_galerna galerna_kernels galerna_hdf5)
foreach(room ${galerna_rooms})
  target_link_libraries(galerna_galerna INTERFACE galerna_${room})
  list(APPEND galerna_targets galerna_${room})
endforeach()

install(TARGETS ${galerna_targets} EXPORT galerna_targets)
if(TARGET galerna_program)
  install(TARGETS galerna_program)
  # Completion in shells and the manual page, written by the program out of its own table of options.
  function(galerna_install_text words file destination)
    set(text ${PROJECT_BINARY_DIR}/generated/${file})
    install(CODE "execute_process(COMMAND \"$<TARGET_FILE:galerna_program>\" ${words} OUTPUT_FILE \"${text}\" COMMAND_ERROR_IS_FATAL ANY)")
    install(FILES ${text} DESTINATION ${destination})
  endfunction()
  galerna_install_text("man" galerna.1 ${CMAKE_INSTALL_MANDIR}/man1)
  galerna_install_text("completion bash" galerna ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  galerna_install_text("completion zsh" _galerna ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  galerna_install_text("completion fish" galerna.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/galerna FILES_MATCHING PATTERN "*.hpp" PATTERN "app" EXCLUDE)
install(DIRECTORY kernels DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/galerna FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY cases DESTINATION ${CMAKE_INSTALL_DATADIR}/galerna PATTERN "*.msh" EXCLUDE)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(galerna_package ${CMAKE_INSTALL_LIBDIR}/cmake/galerna)
install(EXPORT galerna_targets NAMESPACE galerna:: DESTINATION ${galerna_package})
configure_package_config_file(cmake/galernaConfig.cmake.in ${PROJECT_BINARY_DIR}/galernaConfig.cmake
                              INSTALL_DESTINATION ${galerna_package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/galernaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/galernaConfig.cmake ${PROJECT_BINARY_DIR}/galernaConfigVersion.cmake
        DESTINATION ${galerna_package})
