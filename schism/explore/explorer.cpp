#include "schism/explore/explorer.hpp"

#include "schism/explore/agent.hpp"

namespace schism {

std::unique_ptr<Agent> Explorer::make_agent(std::uint32_t, std::uint64_t) const { return nullptr; }

}  // namespace schism
