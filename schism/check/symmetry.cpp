#include "schism/check/symmetry.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "schism/run/make_world.hpp"
#include "schism/system/system.hpp"

namespace schism::check {
namespace {

// More orders of nodes that look alike than this are not tried: the key stays right, and sees
// fewer states as one.
constexpr std::uint64_t kOrdersMax = 720;
constexpr int kMarked = 1000;  // no node has this number

// What is asked of each node by clients of its own, as text; and those clients.
struct Asked {
  std::vector<std::string> of_node;
  std::vector<std::vector<int>> clients;
  std::vector<bool> apart;  // asked by a client that also asks others
};

Asked asked_of(const Setup& setup) {
  const auto n = static_cast<std::size_t>(setup.nodes);
  Asked out{std::vector<std::string>(n), std::vector<std::vector<int>>(n),
            std::vector<bool>(n, false)};
  Setup plain = setup;
  plain.options.time = TimeUse::untimed;
  const auto world = make_world(plain);
  world->reset(plain);
  std::map<int, std::vector<ClientRequest>> of_client;
  for (const ClientRequest& r : world->requests()) of_client[r.client].push_back(r);
  for (const auto& [client, requests] : of_client) {
    const NodeId target = requests.front().target;
    const bool one = std::all_of(requests.begin(), requests.end(),
                                 [&](const ClientRequest& r) { return r.target == target; });
    if (one && target != kAnyNode) {
      const auto at = static_cast<std::size_t>(target);
      out.clients[at].push_back(client);
      for (const ClientRequest& r : requests)
        out.of_node[at] += fmt::format("{} {}\n", r.type, to_json(r.content));
      out.of_node[at] += "\n";
      continue;
    }
    for (const ClientRequest& r : requests)
      if (r.target != kAnyNode) out.apart[static_cast<std::size_t>(r.target)] = true;
  }
  return out;
}

template <class T>
T entry(const std::vector<T>& list, std::size_t i) {
  return i < list.size() ? list[i] : T{};
}

}  // namespace

Result<Symmetry> Symmetry::of(const Setup& setup, const Bounds& bounds) {
  if (!setup.system->symmetry)
    return error("{} does not declare which of its nodes are interchangeable: no symmetry",
                 setup.system->name);
  const std::vector<int> declared = setup.system->symmetry(setup);
  if (declared.size() != static_cast<std::size_t>(setup.nodes))
    return error("{} declares {} nodes interchangeable, but has {}", setup.system->name,
                 declared.size(), setup.nodes);
  const Asked asked = asked_of(setup);
  using Kind = std::tuple<int, const NodeClass*, std::uint32_t, std::int64_t, std::int64_t,
                          std::string, int>;
  std::vector<Kind> kinds;
  for (NodeId id = 0; id < setup.nodes; ++id) {
    const auto i = static_cast<std::size_t>(id);
    kinds.emplace_back(declared[i], &setup.system->class_of(id, setup), bounds.turns_of(id),
                       entry(setup.options.skew_us, i), entry(setup.options.drift_ppm, i),
                       asked.of_node[i], asked.apart[i] ? id : -1);
  }
  Symmetry out;
  for (const Kind& kind : kinds)
    out.groups_.push_back(
        static_cast<int>(std::find(kinds.begin(), kinds.end(), kind) - kinds.begin()));
  for (const int group : out.groups_)
    out.first_colours_.push_back(static_cast<int>(std::count_if(
        out.groups_.begin(), out.groups_.end(), [&](int other) { return other < group; })));
  out.clients_ = asked.clients;
  return out;
}

bool Symmetry::any() const {
  for (std::size_t i = 0; i < groups_.size(); ++i)
    if (groups_[i] != static_cast<int>(i)) return true;
  return false;
}

Renaming Symmetry::renaming(std::vector<int> nodes) const {
  Renaming out{std::move(nodes), {}};
  for (std::size_t id = 0; id < clients_.size(); ++id)
    for (std::size_t nth = 0; nth < clients_[id].size(); ++nth) {
      const auto client = static_cast<std::size_t>(clients_[id][nth]);
      while (out.clients.size() <= client)
        out.clients.push_back(static_cast<int>(out.clients.size()));
      out.clients[client] = clients_[static_cast<std::size_t>(out.nodes[id])][nth];
    }
  return out;
}

// Several nodes may have one of these names, and their clients then too.
Renaming Symmetry::called(std::vector<int> nodes) const {
  Renaming out{std::move(nodes), {}};
  for (std::size_t id = 0; id < clients_.size(); ++id)
    for (std::size_t nth = 0; nth < clients_[id].size(); ++nth) {
      const auto client = static_cast<std::size_t>(clients_[id][nth]);
      while (out.clients.size() <= client)
        out.clients.push_back(static_cast<int>(out.clients.size()));
      out.clients[client] = (out.nodes[id] * 16 + static_cast<int>(nth)) % kNodesMax;
    }
  return out;
}

Renaming Symmetry::random(Rng& rng) const {
  std::vector<int> nodes(groups_.size());
  std::iota(nodes.begin(), nodes.end(), 0);
  for (std::size_t i = nodes.size(); i-- > 1;) {
    std::vector<std::size_t> mates;
    for (std::size_t j = 0; j <= i; ++j)
      if (groups_[j] == groups_[i]) mates.push_back(j);
    std::swap(nodes[i], nodes[mates[rng.below(mates.size())]]);
  }
  return renaming(std::move(nodes));
}

// ---- the key -----------------------------------------------------------------------------------

// A node is told from others of its colour by the state in which it is marked and the others are
// called by their colours. Each colour has as many numbers for itself as there are nodes of it.
void Symmetry::sort_out(std::vector<int>& colours, const Digest& digest) const {
  std::vector<Hash128> seen(colours.size());
  for (std::size_t i = 0; i < colours.size(); ++i) {
    if (std::count(colours.begin(), colours.end(), colours[i]) == 1) continue;
    std::vector<int> names = colours;
    names[i] = kMarked;
    seen[i] = digest(called(std::move(names)));
  }
  std::vector<int> next = colours;
  for (std::size_t i = 0; i < colours.size(); ++i)
    for (std::size_t j = 0; j < colours.size(); ++j)
      if (colours[j] == colours[i] && seen[j] < seen[i]) ++next[i];
  colours = std::move(next);
}

std::vector<std::vector<int>> Symmetry::ties(const std::vector<int>& colours) const {
  std::map<int, std::vector<int>> by_colour;
  for (std::size_t i = 0; i < colours.size(); ++i)
    by_colour[colours[i]].push_back(static_cast<int>(i));
  std::vector<std::vector<int>> out;
  for (auto& [colour, nodes] : by_colour)
    if (nodes.size() > 1) out.push_back(std::move(nodes));
  return out;
}

// Exchanging neighbours changes nothing, so no order of them does.
bool Symmetry::alike(const std::vector<std::vector<int>>& ties, const Digest& digest) const {
  std::vector<int> names(groups_.size());
  std::iota(names.begin(), names.end(), 0);
  const Hash128 as_it_is = digest(renaming(names));
  for (const std::vector<int>& nodes : ties)
    for (std::size_t i = 1; i < nodes.size(); ++i) {
      std::vector<int> swapped = names;
      std::swap(swapped[static_cast<std::size_t>(nodes[i - 1])],
                swapped[static_cast<std::size_t>(nodes[i])]);
      if (digest(renaming(std::move(swapped))) != as_it_is) return false;
    }
  return true;
}

// The nodes of each group, by colour and then as they come, take the numbers of the group in turn.
Renaming Symmetry::in_order(const std::vector<int>& colours) const {
  std::vector<int> names(groups_.size());
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    std::vector<int> members;
    for (std::size_t i = 0; i < groups_.size(); ++i)
      if (groups_[i] == static_cast<int>(group)) members.push_back(static_cast<int>(i));
    std::vector<int> order = members;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return colours[static_cast<std::size_t>(a)] < colours[static_cast<std::size_t>(b)];
    });
    for (std::size_t i = 0; i < order.size(); ++i)
      names[static_cast<std::size_t>(order[i])] = members[i];
  }
  return renaming(std::move(names));
}

// Over all orders of those that look alike; or, where they are too many, one of them.
Hash128 Symmetry::smallest(std::vector<std::vector<int>> ties, std::vector<int> colours,
                           const Digest& digest) const {
  std::uint64_t orders = 1;
  for (const std::vector<int>& nodes : ties)
    for (std::uint64_t k = 2; k <= nodes.size() && orders <= kOrdersMax; ++k) orders *= k;
  // Several colours by one: the numbers between colours are free.
  for (int& colour : colours) colour *= static_cast<int>(groups_.size());
  const auto key = [&] {
    std::vector<int> split = colours;
    for (const std::vector<int>& nodes : ties)
      for (std::size_t i = 0; i < nodes.size(); ++i)
        split[static_cast<std::size_t>(nodes[i])] += static_cast<int>(i);
    return digest(in_order(split));
  };
  Hash128 least = key();
  if (orders > kOrdersMax) return least;
  for (;;) {
    std::size_t at = 0;
    while (at < ties.size() && !std::next_permutation(ties[at].begin(), ties[at].end())) ++at;
    if (at == ties.size()) return least;
    least = std::min(least, key());
  }
}

Hash128 Symmetry::key(const Digest& digest) const {
  std::vector<int> colours = first_colours_;
  for (;;) {
    const std::vector<int> before = colours;
    sort_out(colours, digest);
    auto tied = ties(colours);
    if (tied.empty() || alike(tied, digest)) return digest(in_order(colours));
    if (colours == before) return smallest(std::move(tied), std::move(colours), digest);
  }
}

}  // namespace schism::check
