# Few executables, because each one links the whole library.
find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)
include(GoogleTest)

add_library(schism_testing INTERFACE)
target_link_libraries(schism_testing INTERFACE
  schism_tools GTest::gmock GTest::gtest_main rapidcheck rapidcheck_gtest)
target_compile_options(schism_testing INTERFACE ${SCHISM_COLD})

# One precompiled header for all tests: GoogleMock and rapidcheck are the heaviest of all.
if(SCHISM_PCH)
  add_library(schism_test_pch OBJECT cmake/pch_test.cpp)
  target_link_libraries(schism_test_pch PRIVATE schism_testing)
  schism_precompile(schism_test_pch cmake/pch_test.hpp)
endif()

function(schism_add_tests name)
  if(NOT ARGN)
    return()
  endif()
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE schism_systems schism_testing)
  if(SCHISM_PCH)
    target_precompile_headers(${name} REUSE_FROM schism_test_pch)
  endif()
  # The same cases each time; a longer search is RC_PARAMS="max_success=100000" by hand.
  set(environment RC_PARAMS=seed=1)
  if(SCHISM_SANITIZE)
    # A process costs a second under the sanitizers, most of it the search for leaks: few processes.
    set(shards 24)
    foreach(shard RANGE 1 ${shards})
      math(EXPR index "${shard} - 1")
      add_test(NAME ${name}/${shard} COMMAND ${name} --gtest_brief=1)
      set_tests_properties(${name}/${shard} PROPERTIES TIMEOUT 5400 ENVIRONMENT
        "${environment};GTEST_TOTAL_SHARDS=${shards};GTEST_SHARD_INDEX=${index}")
    endforeach()
    return()
  endif()
  # Against a test that hangs; on a busy machine one of 30 seconds takes many minutes.
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST
    PROPERTIES TIMEOUT 1500 ENVIRONMENT "${environment}")
endfunction()

# Where things are is known to this one source, so that a compiler cache serves every clone with
# all others.
add_library(schism_places STATIC tests/places/places.cpp)
target_include_directories(schism_places PRIVATE ${PROJECT_SOURCE_DIR})
set_property(SOURCE tests/places/places.cpp PROPERTY COMPILE_DEFINITIONS
  SCHISM_PROGRAM="$<TARGET_FILE:schism_program>"
  SCHISM_ODD_PROGRAM="$<TARGET_FILE:schism_odd_program>"
  SCHISM_EXAMPLES="$<TARGET_FILE:schism_examples>"
  SCHISM_SOURCE_DIR="${PROJECT_SOURCE_DIR}" SCHISM_BUILD_DIR="${PROJECT_BINARY_DIR}"
  SCHISM_CMAKE="${CMAKE_COMMAND}" SCHISM_SANITIZE="${SCHISM_SANITIZE}"
  SCHISM_LIBRAFT="${RAFT_VERSION}")
target_link_libraries(schism_testing INTERFACE schism_places)

schism_sources(unit_test_sources TESTS schism/*.cpp)
schism_sources(systems_test_sources TESTS systems/*.cpp)
# Helpers beside the tests belong to them, so all sources of the folder itself.
file(GLOB end_to_end_sources CONFIGURE_DEPENDS tests/*.cpp)

# Only `tla` and `live` make threads (tools/lint keeps it so); all other work is divided among
# processes, in which nothing can race. So the thread sanitizer gets the tests with threads in them.
if(SCHISM_SANITIZE STREQUAL "thread")
  list(FILTER unit_test_sources INCLUDE REGEX "^schism/(tla|live|model|process)/")
  set(systems_test_sources)
  list(FILTER end_to_end_sources INCLUDE REGEX "/(model|run)_test[.]cpp$|/(program|processes)[.]cpp$")
endif()

schism_add_tests(unit_tests ${unit_test_sources})
schism_add_tests(systems_tests ${systems_test_sources})
schism_add_tests(end_to_end_tests ${end_to_end_sources})
if(TARGET end_to_end_tests)
  # The program once more, with systems that misbehave on purpose.
  file(GLOB odd_sources CONFIGURE_DEPENDS tests/systems/*.cpp)
  add_executable(schism_odd_program schism/cli/main.cpp ${odd_sources})
  target_link_libraries(schism_odd_program PRIVATE schism_systems schism_tools)
  target_compile_options(schism_odd_program PRIVATE ${SCHISM_COLD})
  schism_use_precompiled(schism_pch schism_odd_program)
  # The examples that are installed, all in one program.
  file(GLOB example_sources CONFIGURE_DEPENDS examples/*.cpp)
  add_executable(schism_examples ${example_sources})
  target_link_libraries(schism_examples PRIVATE schism_tools)
  schism_use_precompiled(schism_pch schism_examples)
  add_dependencies(end_to_end_tests schism_program schism_odd_program schism_examples)
endif()
