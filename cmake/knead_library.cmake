# libknead: all folders of src/ as one shared library, knead::knead to other programs. The command line uses it too, so that what is tested is
# what others link, and a package holds the code once.
set(folders base geometry material scene sample world mpm meshless liquid levels surface output render run validate view)
list(TRANSFORM folders PREPEND knead_)
string(JOIN "," all_of_folders WHOLE_ARCHIVE ${folders})
file(CONFIGURE OUTPUT libknead.cpp CONTENT "")
add_library(libknead SHARED ${PROJECT_BINARY_DIR}/libknead.cpp)
add_library(knead::knead ALIAS libknead)
target_link_libraries(libknead PRIVATE knead_validate knead_view PUBLIC fmt::fmt)  # and with them all others, each once
# What a program and the library both have, a std::vector say, stays with each.
set(exports ${PROJECT_SOURCE_DIR}/cmake/knead.map)
target_link_options(libknead PRIVATE -Wl,-Bsymbolic-functions -Wl,--version-script=${exports})
# Before 1.0, every minor version may change what programs were compiled with.
set_target_properties(libknead PROPERTIES LINK_LIBRARY_OVERRIDE "${all_of_folders}" OUTPUT_NAME knead EXPORT_NAME knead LINK_DEPENDS ${exports}
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_compile_features(libknead INTERFACE cxx_std_20)

# Its headers, as others include them: <knead/scene/scene.h>. Here they name each other "scene/scene.h", which elsewhere could be anyone's, so
# copies are made that say "knead/scene/scene.h". Those of the solvers and the viewer are not for others: what is in them depends on the
# processor that they are compiled for, or is the page's.
set(public_folders base geometry material scene sample world levels surface output render run)
set(headers ${PROJECT_SOURCE_DIR}/src/knead.h)
foreach(folder ${public_folders})
  file(GLOB found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*.h)
  list(APPEND headers ${found})
endforeach()
list(REMOVE_ITEM headers ${PROJECT_SOURCE_DIR}/src/levels/solver_set.h ${PROJECT_SOURCE_DIR}/src/run/bench_lcp.h)  # of solvers
set(public_headers ${PROJECT_BINARY_DIR}/include)
set(script ${PROJECT_SOURCE_DIR}/cmake/copy_headers.cmake)
file(CONFIGURE OUTPUT public_headers.txt CONTENT "${headers}")
add_custom_command(OUTPUT ${public_headers}/.copied
  COMMAND ${CMAKE_COMMAND} -D FROM=${PROJECT_SOURCE_DIR}/src -D TO=${public_headers} -D LIST=${PROJECT_BINARY_DIR}/public_headers.txt -P ${script}
  DEPENDS ${headers} ${PROJECT_BINARY_DIR}/public_headers.txt ${script} VERBATIM COMMENT "Copying the headers")
add_custom_target(knead_headers DEPENDS ${public_headers}/.copied)
add_dependencies(libknead knead_headers)
