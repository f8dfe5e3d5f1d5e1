// What a learner is told to reach: a condition over all live nodes, as people write it.
//
//   any(term >= 3)                                 all(role = follower)
//   max(log.size()) - min(log.size()) >= 2         count(role = leader) = 1
//   any(log: ballot.number = 2)                    an item of a list
//   max(commit where commit > 0) > 2 and not any(term > 9)
//   script(bug.scenario) >= 4                      steps of a script that have happened
//
// What stands in parentheses is over one node's declared fields (schema/where.hpp), in systems with
// several classes of nodes over those that have them. Mistakes are found when it is read.
#pragma once

#include <map>
#include <memory>

#include "schism/schema/where.hpp"
#include "schism/world/watcher.hpp"

namespace schism::scenario {
class Progress;
}

namespace schism::learn {

// The scripts that predicates ask for. They are about a run's past: whoever asks such predicates
// must let these look on.
class Scripts {
 public:
  // Of a scenario's file; one for all who name it.
  Result<std::shared_ptr<scenario::Progress>> open(const System& system, const std::string& path);

  bool empty() const { return all_.empty(); }
  Status bind(const Setup& setup) const;
  EventMask wakes_on() const;
  void begin(const World& world) const;
  void look(const World& world, std::span<const Event> events) const;

 private:
  std::map<std::string, std::shared_ptr<scenario::Progress>, std::less<>> all_;
};

class Predicate {
 public:
  // Without `scripts` it cannot ask for one.
  static Result<Predicate> parse(const System& system, std::string_view text,
                                 Scripts* scripts = nullptr);

  bool holds(const World& world) const;
  const std::string& text() const { return text_; }

 private:
  friend class PredicateParser;
  // One node's part, for one class of nodes.
  struct View {
    const TypeInfo* type = nullptr;
    std::optional<Path> list;    // its items are looked at, instead of the node
    std::optional<Where> where;  // which nodes or items count
    std::vector<Path> sum;       // the number that is taken of each: a sum of fields
  };
  enum class Fold : std::uint8_t { count, max, min, sum };
  struct Number {  // a constant, or a fold over nodes, with a sign
    std::int64_t sign = 1, constant = 0;
    std::optional<Fold> fold;
    std::vector<View> views;                     // a class each
    std::shared_ptr<scenario::Progress> script;  // steps of it that have happened
  };
  enum class Test : std::uint8_t { both, either, negation, any, all, compare };
  enum class Order : std::uint8_t { equal, unequal, less, at_most, greater, at_least };
  struct Term {
    Test test = Test::compare;
    std::uint32_t left = 0, right = 0;
    std::vector<View> views;
    Order order = Order::equal;
    std::vector<Number> numbers;  // left minus right, as a sum
  };

  bool holds_at(std::uint32_t term, const World& world) const;
  static std::optional<std::int64_t> fold(const Number& number, const World& world);

  std::string text_;
  std::vector<Term> terms_;
  std::uint32_t root_ = 0;
};

// Waypoints, the last of them the target.
struct Sequence {
  std::vector<Predicate> predicates;
  Scripts scripts = {};
};

// "any(term >= 2); any(term >= 3)", a name of the system's own library with its numbers
// ("log_commit_diff(3)", which brings its waypoints), or "@FILE" with one of these a line. A file
// of scenarios is a sequence too: the steps of its script, in their order.
Result<Sequence> read_sequence(const System& system, std::string_view text);
// Whether what it means stands in other files.
bool names_files(std::string_view text);

}  // namespace schism::learn
