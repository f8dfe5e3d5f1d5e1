// The program `schism`. A user's own executable with its own systems is the same program:
//
//   int main(int argc, char** argv) { return schism::run_program(argc, argv); }
#pragma once

namespace schism {

int run_program(int argc, char** argv);

}  // namespace schism
