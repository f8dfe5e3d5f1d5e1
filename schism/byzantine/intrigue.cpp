// `intrigue`: a liar with a plan, and a network that works for it. A plan has one to four stages,
// by views, places or verbs of the protocol (stages.hpp), and three parties: victims, as many as
// lie, as many second ones, the rest. In a stage the victims or the second ones may be unheard or
// hear nothing, and the liar tells one lie to one party, or to two, or to all: no word, a vote for
// nothing, something that was said before. Else it tells the truth, or what each says itself. All
// of it is about all messages, or about some types; everything else is honest and in time. So a run
// has a few lies that fit together and a network that lets them: each part hears one story, and in
// the next stage there is another one.
//
// Partitions by rounds are those of Twins (OPODIS 2021), lies by rounds those of ByzzFuzz (OOPSLA
// 2023); here they are one plan. What is held back comes after so many messages, or in the fair
// tail.
#include <algorithm>

#include "schism/byzantine/lies.hpp"
#include "schism/byzantine/lying.hpp"
#include "schism/byzantine/stages.hpp"
#include "schism/byzantine/ways.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/system/liars.hpp"

namespace schism::byzantine {
namespace {

SCHISM_ENUM(Party, victim, second, rest);
// What the liar does to a party: what it should; no word; a vote for nothing, or an empty list, or
// no word; what that node says itself, once it does; everything twice; with numbers or a part of
// what was said before; a change that the system declares; a number that is off.
SCHISM_ENUM(Manners, truth, silent, nothing, agree, twice, another, declared, off);

struct Weighted {
  Manners manners;
  int weight;
};
constexpr Weighted kLies[] = {{Manners::nothing, 6}, {Manners::silent, 4}, {Manners::declared, 4},
                              {Manners::another, 3}, {Manners::agree, 1},  {Manners::twice, 1},
                              {Manners::off, 1}};
constexpr std::int64_t kOff[] = {1, 2, -1, 4, 100, 1'000'000};

Manners draw_lie(Rng& random) {
  int all = 0;
  for (const Weighted& w : kLies) all += w.weight;
  auto left = static_cast<int>(random.below(static_cast<std::uint64_t>(all)));
  for (const Weighted& w : kLies) {
    left -= w.weight;
    if (left < 0) return w.manners;
  }
  return Manners::silent;
}

struct Stage {
  bool unheard[2] = {}, deaf[2] = {};  // the victim, the second one
  Manners to[3] = {};                  // each party
  std::vector<bool> about, kept;       // a flag a type: lied about, held back

  void copy_network(const Stage& other) {
    std::copy_n(other.unheard, 2, unheard);
    std::copy_n(other.deaf, 2, deaf);
    kept = other.kept;
  }
  void say_nothing() {
    std::fill_n(to, 3, Manners::silent);
    about.assign(about.size(), true);
  }
};

class Intrigue final : public Lying {
 public:
  struct Options {
    std::int64_t stages = 4;
  };
  Intrigue(const Options& options, std::vector<Child<Scheduler>> children)
      : Lying(std::move(children)), options_(options) {}

 protected:
  void begin_lying(const Setup& setup, std::uint64_t seed) override {
    Rng random(seed);
    system_ = setup.system;
    memory_.begin(setup, random.next());
    habit_ = random.next();
    alike_ = random.chance(0.5);
    held_.clear();
    said_ = 0;
    draw_parties(setup, random);
    draw_stages(setup, random);
    patience_ = random.chance(0.5) ? kNever : 10 + random.below(200);
  }

  void sent(World& world, std::uint32_t slot, bool lies) override {
    const Flight& flight = world.pending().flights[slot];
    if (remembers_) memory_.keep(world, flight);
    ++said_;
    const Stage& stage = plan_[stages_.of(flight)];
    if (lies) return lie_to(world, slot, stage);
    if (world.liar(flight.name.to())) agree(world, flight, stage);
    if (world.calm()) return;
    release(world);
    if (!keeps(world, flight, stage)) return;
    world.hold(Do::deliver, slot, Holder::scheduler);
    held_.push_back({slot, flight.name, said_});
  }

  void delivers(World&, const Action& deliver) override { stages_.heard(deliver.name); }

 private:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  struct Held {
    std::uint32_t slot;
    Name name;
    std::uint64_t since;  // so many messages were sent
  };

  Party party(NodeId id, const Stage& stage) const {
    const auto own = static_cast<std::size_t>(party_[static_cast<std::size_t>(id)]);
    const std::size_t turn = rotates_ ? number_of(stage) : 0;
    return static_cast<Party>((own + turn) % 3);
  }
  std::size_t number_of(const Stage& stage) const {
    return static_cast<std::size_t>(&stage - plan_.data());
  }

  void draw_parties(const Setup& setup, Rng& random) {
    const std::vector<NodeId> liars = liars_of(setup);
    std::vector<NodeId> may;
    for (NodeId id = 0; id < setup.nodes; ++id)
      if (std::find(liars.begin(), liars.end(), id) == liars.end() && may_lie_at(setup, id))
        may.push_back(id);
    for (std::size_t i = 0; i + 1 < may.size(); ++i)
      std::swap(may[i], may[i + random.below(may.size() - i)]);
    party_.assign(static_cast<std::size_t>(setup.places()), Party::rest);
    divided_.assign(party_.size(), false);
    for (const NodeId id : liars) divided_[static_cast<std::size_t>(id)] = true;
    for (const NodeId id : may) divided_[static_cast<std::size_t>(id)] = true;
    const std::size_t most = std::max<std::size_t>(1, liars.size());
    for (std::size_t i = 0; i < may.size() && i < 2 * most; ++i)
      party_[static_cast<std::size_t>(may[i])] = i < most ? Party::victim : Party::second;
  }

  void draw_stages(const Setup& setup, Rng& random) {
    plan_.clear();
    const auto stride = static_cast<Stride>(random.below(enum_count<Stride>()));
    const std::size_t count = 1 + random.below(static_cast<std::uint64_t>(options_.stages));
    const bool agreeable = random.chance(0.4);  // it agrees where it would tell the truth
    rotates_ = random.chance(0.2);
    hears_all_ = random.chance(0.3);
    hushed_ = system_->order_of && random.chance(0.4);
    const bool steadily = random.chance(0.6);  // the network is what it is
    const bool gone = random.chance(0.3);      // in the end the liar says nothing any more
    std::optional<Manners> always;
    if (random.chance(0.5)) always = draw_lie(random);
    std::vector<std::size_t> ends;
    for (std::size_t i = 0; i < count; ++i) {
      Stage stage = draw_stage(setup, agreeable, i == 0 ? 0.8 : 0.45, always, random);
      if (i > 0 && rotates_) stage = plan_[0];
      if (i > 0 && steadily) stage.copy_network(plan_[0]);
      if (gone && i > 0 && i + 1 == count) stage.say_nothing();
      const std::size_t longest = stride == Stride::verb ? 6 : stride == Stride::place ? 3 : 1;
      const std::size_t length = random.chance(0.5) ? 1 : 1 + random.below(longest);
      ends.push_back((ends.empty() ? 0 : ends.back()) + length);
      plan_.push_back(std::move(stage));
    }
    ends.pop_back();
    remembers_ = std::any_of(plan_.begin(), plan_.end(), [](const Stage& stage) {
      return std::find(stage.to, stage.to + 3, Manners::another) != stage.to + 3;
    });
    stages_.begin(setup, stride, std::move(ends));
  }

  // Mostly the victim is heard by nobody but the liar, who lies to some of the others, or to none.
  static Stage draw_stage(const Setup& setup, bool agreeable, double lies,
                          std::optional<Manners> always, Rng& random) {
    Stage out;
    const double network = random.unit();
    if (network < 0.9) {
      const std::size_t who = network < 0.75 ? 0 : 1;
      const double how = random.unit();
      out.unheard[who] = how < 0.9;
      out.deaf[who] = how > 0.8;
    }
    std::fill_n(out.to, 3, agreeable ? Manners::agree : Manners::truth);
    if (random.chance(lies)) {
      const Manners lie = always ? *always : draw_lie(random);
      const double whom = random.unit();
      if (whom < 0.35 || whom >= 0.5) out.to[1] = lie;
      if (whom >= 0.5) out.to[2] = lie;
      if ((whom >= 0.35 && whom < 0.5) || whom >= 0.8) out.to[0] = lie;
    }
    if (random.chance(0.15)) out.to[0] = Manners::twice;
    out.about = some_types(setup, 0.7, random);
    out.kept = some_types(setup, 0.8, random);
    return out;
  }

  static std::vector<bool> some_types(const Setup& setup, double all, Rng& random) {
    std::vector<bool> out(static_cast<std::size_t>(setup.system->message_count()), true);
    if (random.chance(all)) return out;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = random.chance(0.5);
    return out;
  }

  // Liars are heard by everybody.
  bool keeps(const World& world, const Flight& flight, const Stage& stage) const {
    const NodeId from = flight.name.from(), to = flight.name.to();
    if (from == to || world.liar(from) || (world.liar(to) && hears_all_)) return false;
    if (!divided_[static_cast<std::size_t>(from)] || !divided_[static_cast<std::size_t>(to)])
      return false;
    if (hushed_ && !system_->order_of(*flight.body->type, flight.body->content())) return true;
    if (!stage.kept[static_cast<std::size_t>(flight.name.type())]) return false;
    const Party by = party(from, stage), at = party(to, stage);
    return by != at && ((by != Party::rest && stage.unheard[static_cast<std::size_t>(by)]) ||
                        (at != Party::rest && stage.deaf[static_cast<std::size_t>(at)]));
  }

  void release(World& world) {
    if (patience_ == kNever) return;
    std::erase_if(held_, [&](const Held& held) {
      if (held.since + patience_ > said_) return false;
      const Flight& flight = world.pending().flights[held.slot];
      if (flight.alive() && flight.name == held.name)
        world.release(Do::deliver, held.slot, Holder::scheduler);
      return true;
    });
  }

  void lie_to(World& world, std::uint32_t slot, const Stage& stage) {
    const Flight& flight = world.pending().flights[slot];
    const Name name = flight.name;
    if (!stage.about[static_cast<std::size_t>(name.type())]) return;
    const auto whom = static_cast<std::size_t>(party(name.to(), stage));
    const std::uint64_t seed = keyed(habit_, 4 * number_of(stage) + whom,
                                     alike_ ? 0 : static_cast<std::uint64_t>(name.type()) + 1);
    std::optional<Value> content;
    switch (stage.to[whom]) {
      case Manners::truth: return;
      case Manners::silent: return say(omission(world, slot));
      case Manners::nothing:
        content = nothing_voted(world, flight);
        if (!content) content = emptied(world, flight, seed);
        if (!content) return say(omission(world, slot));
        break;
      case Manners::agree:
        if (!opens(flight)) say(omission(world, slot));
        return;
      case Manners::twice:
        if (seed % 2 == 0) content = shifted(world, flight, seed >> 8, 1);
        if (!content) content = flight.body->type->to_value(flight.body->content());
        return say(invention(world, name.from(), name.to(), name.type(), *std::move(content)));
      case Manners::another:
        content = heard_before(world, flight, seed);
        if (!content) content = lie_about(world, flight, Scope::any, seed);
        break;
      case Manners::declared: content = lie_about(world, flight, Scope::near, seed); break;
      case Manners::off:
        content = shifted(world, flight, seed >> 8, kOff[seed % std::size(kOff)]);
        break;
    }
    if (content) say(mutation(world, slot, *std::move(content)));
  }

  // Who speaks first in a round has nobody to agree with.
  bool opens(const Flight& flight) const {
    if (!system_->order_of) return false;
    const auto key = system_->order_of(*flight.body->type, flight.body->content());
    return !key || key->verb <= 1;
  }

  // A correct node has said something, to the liar too, which says the same to it.
  void agree(World& world, const Flight& flight, const Stage& stage) {
    const auto whom = static_cast<std::size_t>(party(flight.name.from(), stage));
    if (stage.to[whom] != Manners::agree || opens(flight) ||
        !stage.about[static_cast<std::size_t>(flight.name.type())])
      return;
    const NodeId liar = flight.name.to();
    say(invention(world, liar, flight.name.from(), flight.name.type(),
                  as_own(*flight.body->type, flight.body->type->to_value(flight.body->content()),
                         flight.name.from(), liar)));
  }

  // With what was heard before, from anybody, as its own: with some of its numbers, or a part of
  // it.
  std::optional<Value> heard_before(const World& world, const Flight& flight, std::uint64_t seed) {
    const auto& heard = memory_.heard();
    const Blend blend(world, flight);
    for (std::size_t i = 0; i < heard.size(); ++i) {
      const LiarMemory::Kept& old = heard[(seed / 3 + i) % heard.size()];
      if (old.type != flight.name.type()) continue;
      const Value mine = as_own(*flight.body->type, *old.content, old.from, flight.name.from());
      auto content = seed % 2 == 0 ? blend.with(mine, seed) : spliced(flight, mine, seed / 2);
      if (content) return content;
    }
    return std::nullopt;
  }

  Options options_;
  const System* system_ = nullptr;
  LiarMemory memory_;
  Stages stages_;
  std::vector<Party> party_;   // of each place
  std::vector<bool> divided_;  // a flag a place: its messages may be held back
  std::vector<Stage> plan_;
  std::uint64_t habit_ = 0;
  bool rotates_ = false;    // with each stage every party takes the next part
  bool hears_all_ = false;  // the liar hears also whom nobody hears
  bool hushed_ = false;     // all that has no place in a round is late: what tells others of it
  bool remembers_ = false;
  bool alike_ = false;  // lies about all types are drawn alike
  std::uint64_t said_ = 0, patience_ = kNever;
  std::vector<Held> held_;
};

using O = Intrigue::Options;
const Registration registered =
    scheduler<Intrigue>("intrigue",
                        "a liar's plan in stages, and a network that works for it, over another "
                        "scheduler (timed)")
        .children(schedulers(), "scheduler", 0, 1)
        .param<&O::stages>("stages", std::int64_t{1}, std::int64_t{10}, "of a plan, at most");

}  // namespace
}  // namespace schism::byzantine
