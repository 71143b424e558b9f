# One static library a folder of src/. A folder links only what it names here, so an include of a later folder is a build error.
find_package(fmt REQUIRED)
find_package(Threads REQUIRED)

# Precompiled for the release preset: reading these headers takes two seconds, and there are hundreds of files. Our own that solvers and all
# behind them read take one more. Files still include what they use, since the debug preset precompiles nothing, nor does ccache: it could
# not share between clones what rests on a precompiled header.
set(CMAKE_PCH_WARN_INVALID OFF)  # GCC 13 does without one where optimisation differs from what it was made with: slower, not wrong
if(NOT DEFINED CMAKE_DISABLE_PRECOMPILE_HEADERS AND CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache")
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()
set(knead_common_headers <algorithm> <array> <bit> <charconv> <chrono> <cmath> <cstdint> <cstring> <experimental/simd> <filesystem> <fstream>
  <functional> <limits> <map> <memory> <numbers> <numeric> <optional> <random> <span> <string> <string_view> <type_traits> <unordered_map>
  <utility> <variant> <vector> <fmt/format.h>)
set(knead_world_headers ${knead_common_headers} <scene/scene.h> <world/controls.h>)

# GCC 12 sees overlapping copies in ordinary string assignments (its bug 105329), hence no -Wrestrict, and lanes of packs that are not set
# where all of them are, hence no -Wmaybe-uninitialized.
# Contraction off: the compiler may otherwise fuse multiply and add in one inlined copy of a loop and not in another, and results would
# depend on which copy a thread happens to run.
# Nothing of ours is replaced when libknead.so is loaded, so calls inside of it are direct and may be inlined; and what a program that uses it
# has made of our inline functions, with other flags, stays its own.
add_library(knead_flags INTERFACE)
target_compile_options(knead_flags INTERFACE -Wall -Wextra $<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow> -Wnon-virtual-dtor -Wno-psabi -Wno-restrict -Wno-maybe-uninitialized -ffp-contract=off
  -fno-semantic-interposition -fvisibility-inlines-hidden
  $<$<BOOL:${KNEAD_WERROR}>:-Werror>)
# It sees more that is not there in strings of a precompiled header. Builds without one keep these warnings.
if(NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
  target_compile_options(knead_flags INTERFACE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()
if(KNEAD_SANITIZE)
  # Optimised folders without three of the checks, which are half the time to compile them. Little is lost: null pointers and the ends of
  # objects are what the address sanitizer looks for too, and a pack that is not aligned ends the program anyway.
  target_compile_options(knead_flags INTERFACE -fsanitize=${KNEAD_SANITIZE} -fno-omit-frame-pointer -D_GLIBCXX_ASSERTIONS
    $<$<BOOL:$<TARGET_PROPERTY:KNEAD_HOT>>:-fno-sanitize=null,alignment,object-size>)
  target_link_options(knead_flags INTERFACE -fsanitize=${KNEAD_SANITIZE})
endif()

# Solvers are compiled for speed. What reads, writes, serves and judges takes longer to compile than to run, and its files share most of
# what they include, so that several are compiled as one.
option(KNEAD_UNITY "Compile several files of one folder at once, but for the solvers: a build from nothing takes half the time" ON)
set(knead_cold -O1)
if(KNEAD_SANITIZE)
  set(knead_cold -O0)
endif()
function(knead_optimize target folder)
  if(folder MATCHES "^(scene|output|run|validate|view|apps)$")
    set(level ${knead_cold})
    if(KNEAD_SANITIZE)  # headers precompiled with optimisation are no use without
      set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
    endif()
  elseif(KNEAD_SANITIZE)
    set(level -O1)
    set_target_properties(${target} PROPERTIES KNEAD_HOT ON)
  elseif(folder MATCHES "^(mpm|meshless|liquid)$")
    set(level -O3)
  else()
    set(level -O2)
  endif()
  target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:${level}>)
  if(KNEAD_UNITY AND NOT folder MATCHES "^(mpm|meshless|liquid)$")  # they name what they instantiate in every file
    set(files 12)
    if(folder MATCHES "^(validate|view|apps)$")  # long ones; and a Node of a scene in some files of view, one of a grid in others
      set(files 7)
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${files})
    # Names of one file alone are beside those of others then; hence no -Wshadow either.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

# knead_library(NAME FOLDERS... [PRIVATE LIBS...]): the library of src/NAME, made of all its .cpp files.
function(knead_library name)
  cmake_parse_arguments(ARG "" "" "PRIVATE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.h)
  if(sources)
    add_library(knead_${name} STATIC ${sources} ${headers})
    set(scope PUBLIC)
    target_link_libraries(knead_${name} PRIVATE ${ARG_PRIVATE})
    knead_optimize(knead_${name} ${name})
    if(name STREQUAL "base")
      target_precompile_headers(knead_base PRIVATE ${knead_common_headers})
    elseif(name MATCHES "^(world|mpm)$")
      target_precompile_headers(knead_${name} PRIVATE ${knead_world_headers})
    # What a header precompiled for -O2 defines stays optimised like that, and is not inlined into loops at -O3: steps took up to 1.8 times
    # as long.
    elseif(name MATCHES "^(meshless|liquid)$")
      target_precompile_headers(knead_${name} REUSE_FROM knead_mpm)
    elseif(TARGET knead_world)
      target_precompile_headers(knead_${name} REUSE_FROM knead_world)
    else()
      target_precompile_headers(knead_${name} REUSE_FROM knead_base)
    endif()
  else()
    add_library(knead_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(knead_${name} ${scope} ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(knead_${name} ${scope} knead_flags)
  foreach(dependency ${ARG_UNPARSED_ARGUMENTS})
    target_link_libraries(knead_${name} ${scope} knead_${dependency})
  endforeach()
endfunction()
