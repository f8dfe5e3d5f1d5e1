// The program of each example: every verb of `schism`, for the systems that are linked in.
#include "schism/cli/program.hpp"

int main(int argc, char** argv) { return schism::run_program(argc, argv); }
