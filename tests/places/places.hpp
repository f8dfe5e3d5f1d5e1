// Where the repository, its build and its programs are, for tests. Constants that exist before any
// static object does.
#pragma once

namespace schism::places {

extern const char* const kSource;      // the repository
extern const char* const kBuild;       // the folder that it is built in
extern const char* const kProgram;     // schism
extern const char* const kOddProgram;  // with the systems of tests/systems beside the real ones
extern const char* const kExamples;    // with the systems of examples/ alone
extern const char* const kCMake;       // the one that configured the build
extern const char* const kSanitize;    // "address,undefined"; empty: none
extern const char* const kLibraft;     // its version; empty: there is none

}  // namespace schism::places
