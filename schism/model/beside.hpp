// A system with a model beside it: the same system, and one more oracle, `conformance`, that
// follows every run in the model. What the run is made of says so:
// `raft:model=models/raft_guide.tla`.
#pragma once

#include "schism/base/result.hpp"
#include "schism/world/world.hpp"

namespace schism::model {

inline constexpr const char* kModelKey = "model";  // in the place of a parameter of the system

// A file as it is named, or in the folder of models of this program.
Result<std::string> find_model(const std::string& name);
// The model whose mapping is for that system.
Result<std::string> model_of(const std::string& system);

// The set-up with the model beside its system, which lives as long as the program.
Status put_beside(Setup& setup, const std::string& name);

}  // namespace schism::model
