# Levels of instructions, as in base/processor.h. All of the program is compiled for the lowest of KNEAD_LEVELS. The folders of the solvers
# are compiled once more for each of the others, and the program chooses when it starts.
#
# The copies must not mix: a template that both the program and a copy use (a std::vector, say) is one function to the linker, which takes
# any of them, and the one for newer processors would end the program on older ones. So the objects of a copy are linked into one, in which
# every name is made local but that of the function which src/levels/solver_set.cpp defines.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set(known_levels plain avx2 avx512)
  set(march_plain x86-64-v2)
  set(march_avx2 x86-64-v3)
  set(march_avx512 x86-64-v4)
else()
  set(known_levels plain)
endif()
set(KNEAD_LEVELS "${known_levels}" CACHE STRING "Levels of instructions to build for: plain, avx2, avx512")
foreach(level ${KNEAD_LEVELS})
  if(NOT level IN_LIST known_levels)
    string(JOIN ", " names ${known_levels})
    message(FATAL_ERROR "KNEAD_LEVELS names \"${level}\"; on ${CMAKE_SYSTEM_PROCESSOR} there are: ${names}")
  endif()
endforeach()
# In ascending order, whichever they were named in.
string(JOIN "|" named ${KNEAD_LEVELS})
set(built_levels ${known_levels})
list(FILTER built_levels INCLUDE REGEX "^(${named})$")
set(higher_levels ${built_levels})
list(POP_FRONT higher_levels lowest_level)
# GCC copies structs of packs by 16 bytes unless told otherwise, and a load of 32 bytes must wait until both halves are in the cache.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag("-mmove-max=256 -mstore-max=256" KNEAD_KNOWS_MOVE_MAX)
if(KNEAD_KNOWS_MOVE_MAX)
  set(moves_avx2 -mmove-max=256 -mstore-max=256)
endif()
# For all of the program, since a precompiled header serves only those that are compiled with the flags it was made with.
if(march_${lowest_level})
  target_compile_options(knead_flags INTERFACE -march=${march_${lowest_level}} ${moves_${lowest_level}})
endif()

# knead_solver_library(NAME FOLDERS...): as knead_library, and a copy for each of the higher levels.
function(knead_solver_library name)
  knead_library(${name} ${ARGN})
  # Where there is better code for all but the oldest processors, this need not be the fastest.
  if(higher_levels AND lowest_level STREQUAL "plain")
    target_compile_options(knead_${name} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O1>)
  endif()
  foreach(level ${higher_levels})
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
    add_library(knead_${name}_${level} OBJECT ${sources})
    knead_optimize(knead_${name}_${level} ${name})
    knead_for_level(knead_${name}_${level} ${level})
    set_property(GLOBAL APPEND PROPERTY knead_copies_${level} knead_${name}_${level})
  endforeach()
endfunction()

# Compiles a target as a copy for a level.
function(knead_for_level target level)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(${target} PRIVATE
    "$<FILTER:$<TARGET_PROPERTY:knead_flags,INTERFACE_COMPILE_OPTIONS>,EXCLUDE,^-m(arch|move-max|store-max)=>" -march=${march_${level}} ${moves_${level}} -fno-gnu-unique)
  target_link_libraries(${target} PRIVATE fmt::fmt Threads::Threads)
  get_property(first GLOBAL PROPERTY knead_first_${level})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    target_precompile_headers(${target} PRIVATE ${knead_world_headers})
    set_property(GLOBAL PROPERTY knead_first_${level} ${target})
  endif()
endfunction()

# knead_level_objects(OUT FILE): the objects of the copies, one a level, each with FILE compiled for it.
function(knead_level_objects out file)
  set(objects)
  foreach(level ${higher_levels})
    add_library(knead_set_${level} OBJECT ${file})
    knead_for_level(knead_set_${level} ${level})
    target_compile_definitions(knead_set_${level} PRIVATE KNEAD_LEVEL=${level})
    get_property(copies GLOBAL PROPERTY knead_copies_${level})
    set(parts)
    foreach(target knead_set_${level} ${copies})
      list(APPEND parts "$<FILTER:$<TARGET_OBJECTS:${target}>,EXCLUDE,[.]gch$>")
    endforeach()
    set(object ${CMAKE_CURRENT_BINARY_DIR}/solvers_${level}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${CMAKE_LINKER} -r --force-group-allocation -o ${object}.all ${parts}
      COMMAND ${CMAKE_OBJCOPY} --keep-global-symbol=knead_solvers_${level} ${object}.all ${object}
      COMMAND ${CMAKE_COMMAND} -E rm ${object}.all
      DEPENDS ${parts} COMMAND_EXPAND_LISTS VERBATIM COMMENT "Linking the solvers for ${level}")
    list(APPEND objects ${object})
  endforeach()
  set(${out} ${objects} PARENT_SCOPE)
endfunction()
