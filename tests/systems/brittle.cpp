#include "schism/testing/brittle.hpp"

static const schism::Registration brittle = schism::testing_only::brittle("brittle");
static const schism::Registration reckless = schism::testing_only::reckless("reckless");
