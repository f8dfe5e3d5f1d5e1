# Flags for all targets of this project, and for nobody who uses it.

# Our own assertions are few and cheap, and a wrong verdict is dearer: they stay on.
string(REPLACE "-DNDEBUG" "" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
string(REPLACE "-DNDEBUG" "" CMAKE_CXX_FLAGS_RELWITHDEBINFO "${CMAKE_CXX_FLAGS_RELWITHDEBINFO}")

add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion
  -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wextra-semi -Wformat=2)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Plain -Wshadow forbids a parameter named like a member, as constructors of plain structs have.
  add_compile_options(-Wshadow=local -Wduplicated-cond -Wlogical-op)
  # GCC 12 is wrong about std::string at -O3 in these; the address sanitizer finds the real ones.
  add_compile_options(-Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread
    -Wno-array-bounds)
  # These judge optimised code too and are sometimes wrong: shown, not fatal.
  add_compile_options(-Wno-error=maybe-uninitialized -Wno-error=dangling-pointer
    -Wno-error=free-nonheap-object)
else()
  add_compile_options(-Wshadow)
endif()
if(SCHISM_WERROR)
  add_compile_options(-Werror)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()

# Where no loop is hot, and in tests, the compiler's time is worth more than the program's.
set(SCHISM_COLD)
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_FLAGS_RELEASE MATCHES "-O[23]")
  set(SCHISM_COLD -O1)
endif()

if(SCHISM_SANITIZE)
  add_compile_options(-fsanitize=${SCHISM_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SCHISM_SANITIZE})
  if(SCHISM_SANITIZE MATCHES address)
    # A quarter of a gigabyte of data is what the checks of undefined behaviour know of places in
    # the source. To relocate it costs every process, and every fork copies its pages.
    add_link_options(-no-pie)
    # Four fifths of it is room around each piece. Arrays have bounds, which are checked without.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      add_compile_options(--param=asan-globals=0)
    endif()
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-maybe-uninitialized)  # instrumented code makes it useless
  endif()
endif()
if(SCHISM_LIBFUZZER)
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()

if(SCHISM_CCACHE)
  find_program(CCACHE_PROGRAM ccache)
  if(CCACHE_PROGRAM)
    # The sloppiness is what ccache asks for with precompiled headers; the base directory lets
    # another clone of the sources share the cache.
    set(CMAKE_CXX_COMPILER_LAUNCHER env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_PCH_EXTSUM=true ${CCACHE_PROGRAM})
    if(SCHISM_PCH)
      if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        add_compile_options(-fpch-preprocess)
      else()
        add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
      endif()
    endif()
  endif()
endif()

# Precompiles a header for a target. In angle brackets CMake writes no absolute path. GCC writes
# another file each time, so ccache is given a sum of what is in the header instead: clones and work
# trees share the cache. The precompiled header itself is never taken from there: GCC knows headers
# that say `#pragma once` again by their bytes, and one that was only formatted is another.
function(schism_precompile target header)
  target_precompile_headers(${target} PRIVATE <${header}>)
  set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "")
  if(NOT CCACHE_PROGRAM OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  set(sum CMakeFiles/${target}.dir/cmake_pch.hxx.gch.sum)
  add_custom_command(OUTPUT ${sum}
    # The header is not the main file, which must not say `#pragma once`.
    COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 -E -P -I${PROJECT_SOURCE_DIR} -MD -MF ${sum}.d
      -MT ${sum} -o ${sum}.text -include ${header} -x c++ /dev/null
    COMMAND ${CMAKE_COMMAND} -E sha256sum ${sum}.text > ${sum}
    COMMAND ${CMAKE_COMMAND} -E rm ${sum}.text
    DEPENDS ${header} DEPFILE ${sum}.d VERBATIM)
  add_custom_target(${target}_sum DEPENDS ${sum})
  add_dependencies(${target} ${target}_sum)
endfunction()

# The same header for another target, whose definitions must be the same.
function(schism_use_precompiled from target)
  if(SCHISM_PCH)
    target_precompile_headers(${target} REUSE_FROM ${from})
  endif()
endfunction()
