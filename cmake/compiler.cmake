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

if(SCHISM_SANITIZE)
  add_compile_options(-fsanitize=${SCHISM_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SCHISM_SANITIZE})
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
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} ${CCACHE_PROGRAM})
    if(SCHISM_PCH)
      if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        add_compile_options(-fpch-preprocess)
      else()
        add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
      endif()
    endif()
  endif()
endif()
