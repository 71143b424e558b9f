# cmake --install: the program, the library with its headers, scenes and pages; and for `find_package(knead)` what CMake needs. Nothing
# installed knows where it lies, so that the whole may be moved.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/knead)
set_target_properties(knead PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
set_target_properties(libknead PROPERTIES INSTALL_RPATH "$ORIGIN")
# The old kind of search path holds for the libraries of our libraries too: tools/package puts them all into one folder.
target_link_options(knead PRIVATE -Wl,--disable-new-dtags)
target_link_options(libknead PRIVATE -Wl,--disable-new-dtags)
target_include_directories(libknead INTERFACE $<BUILD_INTERFACE:${public_headers}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

install(TARGETS knead COMPONENT program)
install(TARGETS libknead EXPORT knead LIBRARY COMPONENT program NAMELINK_COMPONENT development)
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/knead COMPONENT program)
install(FILES README.md CHANGELOG.md LICENSE CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(DIRECTORY ${public_headers}/knead DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT knead NAMESPACE knead:: FILE knead-targets.cmake DESTINATION ${package_folder} COMPONENT development)
file(CONFIGURE OUTPUT knead-config.cmake @ONLY CONTENT [[
include(CMakeFindDependencyMacro)
find_dependency(fmt)  # in the headers
include(${CMAKE_CURRENT_LIST_DIR}/knead-targets.cmake)
]])
write_basic_package_version_file(${PROJECT_BINARY_DIR}/knead-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/knead-config.cmake ${PROJECT_BINARY_DIR}/knead-config-version.cmake DESTINATION ${package_folder}
  COMPONENT development)
