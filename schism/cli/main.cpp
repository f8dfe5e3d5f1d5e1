#include "schism/cli/program.hpp"

int main(int argc, char** argv) { return schism::run_program(argc, argv); }
