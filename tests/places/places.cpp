#include "tests/places/places.hpp"

namespace schism::places {

const char* const kSource = SCHISM_SOURCE_DIR;
const char* const kBuild = SCHISM_BUILD_DIR;
const char* const kProgram = SCHISM_PROGRAM;
const char* const kOddProgram = SCHISM_ODD_PROGRAM;
const char* const kExamples = SCHISM_EXAMPLES;
const char* const kCMake = SCHISM_CMAKE;
const char* const kSanitize = SCHISM_SANITIZE;
const char* const kLibraft = SCHISM_LIBRAFT;

}  // namespace schism::places
