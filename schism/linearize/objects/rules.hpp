// What an object does, and which orders need not be tried.
//
// A state is a number: equal numbers mean equal states. The search (object_search.hpp) orders
// operations one after the other and tells the rules, so that these can count what is still to
// come. Whatever they leave out must have a twin that they keep, or no chance at all.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "schism/base/hash.hpp"
#include "schism/linearize/objects/act.hpp"

namespace schism::linearize {

using State = std::uint32_t;

class Rules {
 public:
  virtual ~Rules() = default;

  virtual State first() = 0;
  // Nothing where the operation cannot have happened in this state, or its answer would be wrong.
  virtual std::optional<State> after(State state, const Act& act) = 0;

  // An operation was ordered, or that is taken back. (By order: +1.) At first all are to come.
  virtual void count(const Act&, int /*ordered*/) {}
  // It can be ordered now without loss: whoever comes later does not mind.
  virtual bool at_once(State, const Act& act) const { return act.only_looks(); }
  // Whether to order this one now may be right at all.
  virtual bool may(State, const Act&) const { return true; }
  // Whether one without an answer is worth it in this state, where `next` are those with an answer
  // that could follow it directly.
  virtual bool helps(State, const Act& /*spare*/, std::span<const Act* const> /*next*/) const {
    return true;
  }
  // Whether what is still to come can succeed in this state.
  virtual bool hopeful(State) const { return true; }
  virtual std::uint64_t bytes() const { return 0; }
};

std::unique_ptr<Rules> rules_of(const ObjectHistory& history);

// Sequences of numbers, each kept once.
class Sequences {
 public:
  Sequences() = default;
  Sequences(const Sequences&) = delete;  // the table points to the pool
  Sequences& operator=(const Sequences&) = delete;

  std::uint32_t id(std::span<const std::uint32_t> sequence);
  std::span<const std::uint32_t> operator[](std::uint32_t id) const {
    return std::span(pool_).subspan(begin_[id], begin_[id + 1] - begin_[id]);
  }
  std::uint64_t bytes() const {
    return (pool_.capacity() + 3 * begin_.capacity()) * sizeof(std::uint32_t);
  }

 private:
  struct HashOf {
    const Sequences* all;
    std::size_t operator()(std::uint32_t id) const;
  };
  struct Same {
    const Sequences* all;
    bool operator()(std::uint32_t a, std::uint32_t b) const;
  };
  std::vector<std::uint32_t> pool_;
  std::vector<std::size_t> begin_{0};
  absl::flat_hash_set<std::uint32_t, HashOf, Same> ids_{0, HashOf{this}, Same{this}};
};

// A file each.
std::unique_ptr<Rules> queue_rules(const ObjectHistory& history);
std::unique_ptr<Rules> mutex_rules(const ObjectHistory& history);
std::unique_ptr<Rules> set_rules(const ObjectHistory& history);
std::unique_ptr<Rules> list_rules(const ObjectHistory& history);
std::unique_ptr<Rules> multi_register_rules(const ObjectHistory& history);

}  // namespace schism::linearize
