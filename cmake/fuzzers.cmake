# fuzz/NAME_fuzz.cpp defines LLVMFuzzerTestOneInput. With clang (preset fuzz, `make fuzz`) libFuzzer
# drives it, guided by coverage. GCC has none, so fuzz_driver.cpp replays and mutates the corpus; a
# short run of each is a test.
add_custom_target(fuzzers)
if(NOT SCHISM_LIBFUZZER)
  add_library(schism_fuzz_driver OBJECT cmake/fuzz_driver.cpp)
endif()

# Those whose readers know nothing of systems: with libFuzzer they are built from three folders
# alone, so that a guided run is cheap enough for every change (`make fuzz-plain`).
set(plain_fuzzers history_fuzz json_fuzz tla_fuzz tlacfg_fuzz)
if(SCHISM_LIBFUZZER)
  schism_sources(plain_sources CODE schism/base/*.cpp schism/linearize/*.cpp schism/tla/*.cpp)
  add_library(schism_plain STATIC ${plain_sources})
  target_include_directories(schism_plain PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(schism_plain
    PUBLIC ${public_libraries} ${private_libraries} ${header_libraries})
  add_custom_target(plain_fuzzers)
endif()

file(GLOB fuzz_sources CONFIGURE_DEPENDS fuzz/*_fuzz.cpp)
foreach(source IN LISTS fuzz_sources)
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  if(SCHISM_LIBFUZZER AND name IN_LIST plain_fuzzers)
    target_link_libraries(${name} PRIVATE schism_plain)
    add_dependencies(plain_fuzzers ${name})
  else()
    target_link_libraries(${name} PRIVATE schism_systems schism_tools)
  endif()
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
  if(SCHISM_LIBFUZZER)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  else()
    target_link_libraries(${name} PRIVATE schism_fuzz_driver)
    target_compile_options(${name} PRIVATE ${SCHISM_COLD})
    schism_use_precompiled(schism_pch ${name})
  endif()
  add_dependencies(fuzzers ${name})

  string(REGEX REPLACE "_fuzz$" "" subject ${name})
  set(corpus ${PROJECT_SOURCE_DIR}/fuzz/corpus/${subject})
  if(NOT EXISTS ${corpus})
    set(corpus)
  endif()
  # libFuzzer adds what it finds to the first folder: not to the one under version control.
  set(scratch)
  if(SCHISM_LIBFUZZER)
    set(scratch ${PROJECT_BINARY_DIR}/fuzz/found/${subject})
    file(MAKE_DIRECTORY ${scratch})
  endif()
  set(runs 20000)
  if(subject STREQUAL live)
    set(runs 500)  # each plays for some milliseconds of real time
  endif()
  add_test(NAME fuzz.${subject} COMMAND ${name} -runs=${runs} -seed=1 ${scratch} ${corpus}
    WORKING_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
  set_tests_properties(fuzz.${subject} PROPERTIES TIMEOUT 300)
endforeach()
