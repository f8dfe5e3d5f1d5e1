# The installed package: find_package(schism) gives schism::schism; pkg-config knows schism.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/schism)

if(TARGET schism_program)
  install(TARGETS schism_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(TARGETS schism schism_archive EXPORT schismTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
# What is in a folder named `testing` helps our own tests, and nobody else.
file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS schism/*.hpp)
list(FILTER headers EXCLUDE REGEX "/testing/")
foreach(header IN LISTS headers)
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
endforeach()

install(EXPORT schismTargets NAMESPACE schism:: DESTINATION ${package_dir})
configure_package_config_file(cmake/schismConfig.cmake.in schismConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(schismConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/schismConfig.cmake
  ${PROJECT_BINARY_DIR}/schismConfigVersion.cmake DESTINATION ${package_dir})

# Relative to the file's own place, so that --prefix at install time and moving the tree both work.
file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" up ${up})
list(TRANSFORM public_libraries REPLACE "^absl::" "absl_" OUTPUT_VARIABLE absl_modules)
list(JOIN absl_modules " " absl_modules)
configure_file(cmake/schism.pc.in schism.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/schism.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# What a newcomer reads: the pages, the reference and the examples, which build where they are.
set(doc_dir ${CMAKE_INSTALL_DATADIR}/doc/schism)
install(FILES README.md DESTINATION ${doc_dir})
install(DIRECTORY docs examples DESTINATION ${doc_dir})
