#include "schism/learn/environment.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "schism/scenario/progress.hpp"
#include "schism/schedule/registry.hpp"
#include "schism/system/system.hpp"

namespace schism::learn {
namespace {

constexpr Key kStay = 0x73746179, kStart = 0x73746172, kAsk = 0x61736b, kChange = 0x6368616e,
              kCrash = 0x63726173;
constexpr std::uint64_t kDown = 0x5bd1e9955bd1e995ULL, kUnborn = 0x756e626f726eULL;
constexpr int kLinkedMax = 4;  // nodes with links that are chosen one by one: 4,096 ways
constexpr std::uint32_t kStepsOfOne = 2000;  // primitive ones of a macro step: far more than it has

bool has_services(const Setup& setup) {
  if (!setup.system->is_service) return false;
  for (NodeId id = 0; id < setup.nodes; ++id)
    if (setup.system->is_service(id, setup)) return true;
  return false;
}

Result<std::vector<std::pair<const TypeInfo*, Where>>> read_asked(const System& system) {
  std::vector<std::pair<const TypeInfo*, Where>> out;
  if (system.lessons.asked.empty()) return out;
  std::string first;
  for (const NodeClass* own : system.classes) {
    auto where = Where::parse(*own->state, system.lessons.asked);
    if (where) out.emplace_back(own->state, *std::move(where));
    else if (first.empty()) first = where.error();
  }
  if (out.empty()) return tl::unexpected(first);
  return out;
}

// "term, log.size": of each class of nodes what it has of these. What none has is a mistake.
Result<std::vector<std::pair<const TypeInfo*, std::vector<Path>>>> read_sees(
    const System& system, const std::string& fields) {
  std::vector<std::pair<const TypeInfo*, std::vector<Path>>> out;
  if (fields.find_first_not_of(" ,") == std::string::npos) return out;
  for (const NodeClass* own : system.classes) out.push_back({own->state, {}});
  for (std::size_t at = 0; at < fields.size();) {
    const std::size_t end = std::min(fields.find_first_of(" ,", at), fields.size());
    const std::string name = fields.substr(at, end - at);
    at = end + 1;
    if (name.empty()) continue;
    std::string first;
    bool found = false;
    for (auto& [type, paths] : out) {
      auto path = Path::parse(*type, name);
      found |= path.has_value();
      if (path) paths.push_back(*std::move(path));
      else if (first.empty()) first = path.error();
    }
    if (!found) return error("sees: {}", first);
  }
  return out;
}

}  // namespace

Environment::Environment(const Options& options, Policy* policy)
    : options_(options), policy_(policy ? policy : &any_), onlooker_(*this) {
  if (options_.as == As::published) options_.crashes = 0;
  if (auto coverage = reward_of(options_); coverage) coverage_ = *std::move(coverage);
}

Result<std::unique_ptr<Coverage>> reward_of(const EnvironmentOptions& options) {
  if (options.coverage.empty()) return std::unique_ptr<Coverage>();
  const auto spec = parse_spec(options.coverage);
  if (!spec) return tl::unexpected(spec.error());
  if (auto may = may_teach(spec->name); !may) return tl::unexpected(may.error());
  return coverages().make(*spec, "coverage");
}

Scheduler::Manner Environment::manner() const {
  const auto steps = static_cast<std::uint64_t>(options_.horizon) * kStepsOfOne;
  return {static_cast<std::uint32_t>(std::min<std::uint64_t>(steps, 1'000'000'000)), false, true};
}

Status Environment::check(const Setup& setup) const {
  if (auto asked = read_asked(*setup.system); !asked) return tl::unexpected(asked.error());
  if (!setup.system->lessons.bound.empty())
    if (auto bound = Predicate::parse(*setup.system, setup.system->lessons.bound); !bound)
      return tl::unexpected(bound.error());
  const auto sequence = read_sequence(*setup.system, options_.to);
  if (!sequence) return tl::unexpected(sequence.error());
  if (auto bound = sequence->scripts.bind(setup); !bound) return bound;
  if (auto sees = read_sees(*setup.system, options_.sees); !sees)
    return tl::unexpected(sees.error());
  if (options_.model == Model::links && setup.places() > kLinkedMax)
    return error("model=links is for at most {} nodes: with {} there are 2^{} ways to go on",
                 kLinkedMax, setup.places(), setup.places() * (setup.places() - 1));
  return {};
}

// Everything was read once by check(): what is refused there never plays.
void Environment::read_lessons(const Setup& setup) {
  system_ = setup.system;
  const Lessons& lessons = system_->lessons;
  tick_ = options_.tick > 0 ? options_.tick : lessons.tick;
  ticks_ = options_.ticks >= 0 ? static_cast<int>(options_.ticks) : lessons.ticks;
  whole_ = has_services(setup);
  bound_.reset();
  if (!lessons.bound.empty())
    if (auto bound = Predicate::parse(*system_, lessons.bound)) bound_ = *std::move(bound);
  if (auto asked = read_asked(*system_)) asked_ = *std::move(asked);
  if (auto sees = read_sees(*system_, options_.sees)) sees_ = *std::move(sees);
  if (auto sequence = read_sequence(*system_, options_.to)) sequence_ = *std::move(sequence);
}

void Environment::begin(const Setup& setup, std::uint64_t seed) {
  if (system_ != setup.system) read_lessons(setup);
  scripted_ = setup.options.scripted;
  painter_.begin(setup);
  const int places = setup.places();
  const auto nodes = static_cast<std::size_t>(places);
  block_.assign(nodes, 0);
  links_ = places > kLinkedMax ? 0 : (1U << places * (places - 1)) - 1;
  hues_.assign(nodes, 0);
  colours_.assign(nodes, 0);
  paints_.assign(nodes, {});
  types_.assign(nodes, 0);
  rng_ = Rng(seed ^ 0x6c6561726eULL);
  phase_ = Phase::between;
  script_.clear();
  next_ = 0;
  firing_ = false;
  before_ = 0;
  same_ = 0;
  requests_left_ = options_.requests;
  crashes_left_ = scripted_ ? options_.crashes : 0;
  episode_.clear();
  held_.clear();
  shown_ = 0;
  policy_->start();
}

Action Environment::next(World& world) {
  for (;;) {
    // Disks are quick: what a handler wrote is there before anything else happens.
    if (world.pending().completable.size() > 0) return world.pending().nth(Do::complete, 0);
    if (options_.as == As::published && scripted_)
      if (const auto twin = find_twin(world.pending())) return *twin;
    if (next_ < script_.size()) return from_script();
    script_.clear();
    next_ = 0;
    if (phase_ == Phase::over) return {};
    if (std::exchange(firing_, false)) {
      plan_timers(world);
      continue;
    }
    if (phase_ == Phase::ticking) {
      if (ticks_left_-- > 0) {
        plan_tick(world);
      } else {
        script_.push_back(end_macro(Macro::other));
        phase_ = Phase::between;
      }
      continue;
    }
    if (!meet(world)) {
      phase_ = Phase::over;
      return {};
    }
    const std::size_t picked = policy_->pick(episode_, rng_);
    Moment& m = episode_.now();
    m.taken = m.first + picked;
    take(world, episode_.offers(m)[picked]);
  }
}

// The predicates that held at the beginning, and those that held at some time, a bit each.
std::string Environment::report() const {
  if (held_.empty() || sequence_.predicates.empty()) return {};
  std::uint64_t ever = 0;
  for (const std::uint64_t held : held_) ever |= held;
  return fmt::format("{:x} {:x}", held_.front(), ever);
}

// ---- who looks on --------------------------------------------------------------------------

// Asked before the first run begins, and so before anything was read: what might be needed.
EventMask Environment::Onlooker::wakes_on() const {
  EventMask out = own_.coverage_ ? own_.coverage_->wakes_on() : 0;
  if (own_.system_) out |= own_.sequence_.scripts.wakes_on();
  else if (!own_.options_.to.empty()) out |= scenario::Progress::kHeard;
  return out;
}

void Environment::Onlooker::begin(const World& world) {
  own_.sequence_.scripts.begin(world);
  if (own_.coverage_) own_.coverage_->begin(world);
}

void Environment::Onlooker::look(const World& world, std::span<const Event> events) {
  own_.sequence_.scripts.look(world, events);
  if (!own_.coverage_) return;
  const EventMask wanted = own_.coverage_->wakes_on();
  if (wanted == kEveryEvent || (world.step_mask() & wanted)) own_.coverage_->look(world, events);
}

// A run that broke off within a step has shown something in it.
void Environment::Onlooker::finish(const World& world, const Ending& ending) {
  if (!own_.coverage_) return;
  own_.coverage_->finish(world, ending);
  own_.show();
}

void Environment::show() {
  if (!coverage_) return;
  episode_.show(coverage_->keys().subspan(shown_));
  shown_ = coverage_->keys().size();
}

// ---- states --------------------------------------------------------------------------------

Key Environment::seen_of(const World& world, NodeId id) const {
  if (!world.up(id)) return kDown;
  Key out = world.node_type(id).name_hash;
  for (const auto& [type, paths] : sees_)
    if (type == &world.node_type(id))
      for (const Path& path : paths)
        out = mix64(out ^ hash_text(to_json(path.read(world.node(id)))));
  return out;
}

// Of live nodes, in any order: sums, because blocks and their members have none.
Key Environment::blocks_key(std::span<const std::uint8_t> blocks) const {
  std::array<std::uint64_t, 256> sums{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    sums[blocks[i]] += mix64(sorted_colours_[i]);
    count = std::max<std::size_t>(count, blocks[i] + std::size_t{1});
  }
  std::uint64_t out = 0;
  for (std::size_t b = 0; b < count; ++b)
    if (sums[b] != 0) out += mix64(sums[b]);
  return mix64(out);
}

Key Environment::links_key(std::uint32_t links) const {
  std::uint64_t sum = 0;
  for (const std::uint64_t colour : sorted_colours_) sum += mix64(colour);
  return mix64(sum + mix64(links + std::uint64_t{1}));
}

std::uint32_t Environment::link_bit(NodeId from, NodeId to) const {
  const auto nodes = static_cast<NodeId>(block_.size());
  return 1U << (from * (nodes - 1) + to - (to > from ? 1 : 0));
}

bool Environment::connected(NodeId from, NodeId to) const {
  if (options_.model == Model::links) return from == to || (links_ & link_bit(from, to)) != 0;
  return block_[static_cast<std::size_t>(from)] == block_[static_cast<std::size_t>(to)];
}

void Environment::look(const World& world) {
  const Pending& pending = world.pending();
  const bool raw = options_.ids == Ids::raw;
  for (std::size_t i = 0; i < colours_.size(); ++i) {
    const auto id = static_cast<NodeId>(i);
    types_[i] = world.up(id) ? world.node_type(id).name_hash : kDown;
    paints_[i] = painter_.portray(world, id, raw);
  }
  const auto hues = palette_.hues(paints_, types_);
  for (std::size_t i = 0; i < colours_.size(); ++i) {
    // The published program looks at its nodes before it starts them.
    const bool unborn = options_.as == As::published && episode_.empty();
    hues_[i] = unborn ? kUnborn : hues[i];
    const Key seen = sees_.empty() || unborn ? hues_[i] : seen_of(world, static_cast<NodeId>(i));
    colours_[i] = options_.model == Model::colours ? seen : mix64(seen + i + 1);
  }
  sorted_.clear();
  for (std::uint32_t i = 0; i < pending.live.size(); ++i)
    sorted_.push_back(static_cast<NodeId>(pending.live[i]));
  std::sort(sorted_.begin(), sorted_.end());
  for (std::size_t i = sorted_.size(); i > 1; --i)
    std::swap(sorted_[i - 1], sorted_[rng_.below(i)]);
  std::stable_sort(sorted_.begin(), sorted_.end(), [&](NodeId a, NodeId b) {
    return colours_[static_cast<std::size_t>(a)] < colours_[static_cast<std::size_t>(b)];
  });
  sorted_colours_.clear();
  sorted_blocks_.clear();
  for (const NodeId id : sorted_) {
    sorted_colours_.push_back(colours_[static_cast<std::size_t>(id)]);
    sorted_blocks_.push_back(block_[static_cast<std::size_t>(id)]);
  }
}

// False: the episode is over.
bool Environment::meet(World& world) {
  const bool first = episode_.empty();
  look(world);
  const bool by_links = options_.model == Model::links;
  const Key blocks = by_links ? links_key(links_) : blocks_key(sorted_blocks_);
  const std::int64_t most = options_.as == As::published ? options_.same - 1 : options_.same;
  same_ = !first && blocks == before_ ? std::min(same_ + 1, most) : 0;
  before_ = blocks;
  std::uint64_t all = 0;
  for (const std::uint64_t hue : hues_) all += mix64(hue);
  const std::size_t gone = colours_.size() - sorted_.size();
  Key state = mix64(blocks + gone);
  state = mix64(state ^ static_cast<Key>(same_) << 32);
  if (!system_->lessons.each_request) state = mix64(state + static_cast<Key>(requests_left_));
  show();
  episode_.add(state, mix64(all));
  make_offers(world);
  std::uint64_t held = 0;
  for (std::size_t i = 0; i < sequence_.predicates.size() && i < 64; ++i)
    if (sequence_.predicates[i].holds(world)) held |= std::uint64_t{1} << i;
  held_.push_back(held);
  policy_->see(world, episode_);
  if (!first) policy_->step(episode_);
  const Moment& m = episode_.now();
  const auto offers = episode_.offers(m);
  const bool any = std::any_of(offers.begin(), offers.end(), [](const Offer& o) { return o.now; });
  const bool goes_on = any && held_.size() <= static_cast<std::size_t>(options_.horizon) &&
                       !(bound_ && bound_->holds(world));
  if (!goes_on) episode_.finish();
  return goes_on;
}

// ---- offers --------------------------------------------------------------------------------

void Environment::make_offers(const World& world) {
  if (ticks_ > 0 && !sorted_.empty()) {
    episode_.offer({kStay, Kind::stay});
    if (scripted_ && !whole_ && options_.model == Model::links) offer_links();
    else if (scripted_ && !whole_) offer_splits();
  }
  offer_faults(world);
  offer_requests(world);
}

void Environment::offer_splits() {
  const auto& all = splits_.of(sorted_colours_);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Key blocks = blocks_key(all[i]);
    const bool present = blocks == before_;
    if (present && options_.as == As::text) continue;  // that is to stay
    episode_.offer({blocks ^ kChange, Kind::change, true, true, static_cast<std::uint32_t>(i)});
  }
}

void Environment::offer_links() {
  const std::size_t nodes = block_.size();
  for (std::uint32_t links = 0; links < 1U << nodes * (nodes - 1); ++links)
    if (links != links_ || options_.as == As::published)
      episode_.offer({links_key(links) ^ kChange, Kind::change, true, true, links});
}

void Environment::offer_faults(const World& world) {
  const Pending& pending = world.pending();
  if (!scripted_ || options_.crashes == 0) return;
  const bool may = crashes_left_ > 0 &&
                   pending.down.size() < static_cast<std::uint32_t>(options_.down) &&
                   pending.down.size() < pending.down_max;
  std::uint64_t last = 0;
  bool any = false;
  for (std::size_t i = 0; i < sorted_.size(); ++i) {
    if (any && sorted_colours_[i] == last) continue;  // any of a colour: they stand at random
    const NodeId id = sorted_[i];
    if (!pending.crashable.has(static_cast<std::uint32_t>(id))) continue;
    if (whole_ && system_->is_service(id, world.setup())) continue;
    any = true;
    last = sorted_colours_[i];
    episode_.offer({mix64(last ^ kCrash), Kind::crash, may, true, static_cast<std::uint32_t>(id)});
  }
  if (pending.down.size() > 0 && pending.recovers)
    episode_.offer({kStart, Kind::start, true, true,
                    pending.down[static_cast<std::uint32_t>(rng_.below(pending.down.size()))]});
}

void Environment::offer_requests(const World& world) {
  const Pending& pending = world.pending();
  const bool each = system_->lessons.each_request;
  if (!each && requests_left_ == 0) return;
  const std::uint32_t count = pending.count(Do::submit);
  std::optional<std::pair<std::uint64_t, std::uint32_t>> next;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Action ask = pending.nth(Do::submit, i);
    const NodeId node = place_of(ask);
    if (!world.up(node)) continue;  // an empty event, where the world has such
    bool asked = asked_.empty();
    for (const auto& [type, where] : asked_)
      asked |= type == &world.node_type(node) && where.holds(world.node(node));
    if (!asked) continue;
    if (each) {
      const Body& body = *pending.askings[ask.hint].body;
      const Key content = body.type->hash(body.content()).lo ^ kAsk;
      episode_.offer({content, Kind::request, true, true, i});
      continue;
    }
    // Requests in the order of their clients' own, to the first node that is asked.
    const auto order = std::uint64_t{ask.name.nth()} << 32 |
                       static_cast<std::uint64_t>(ask.name.from()) << 16 |
                       static_cast<std::uint64_t>(node);
    if (!next || order < next->first) next = {order, i};
  }
  if (next) episode_.offer({kAsk, Kind::request, true, true, next->second});
}

// ---- steps ---------------------------------------------------------------------------------

void Environment::label(World& world, const Offer& offer) {
  std::string text(enum_name(offer.kind));
  if (offer.kind == Kind::change && options_.model == Model::links) {
    for (const NodeId from : sorted_)
      for (const NodeId to : sorted_)
        if (from != to && connected(from, to)) text += fmt::format(" {}>{}", from, to);
  } else if (offer.kind == Kind::change) {
    for (std::size_t b = 0; b < block_.size(); ++b) {
      std::string members;
      for (const NodeId id : sorted_)
        if (block_[static_cast<std::size_t>(id)] == b) members += fmt::format(" {}", id);
      if (!members.empty()) text += " {" + members + " }";
    }
  }
  script_.push_back(with_content(begin_macro(Macro::other), world.add_content(Value(text))));
}

void Environment::change(const Offer& offer) {
  if (options_.model == Model::links) {
    links_ = offer.which;
    if (options_.as == As::published) before_ = links_key(links_);
    return;
  }
  const Split& split = splits_.of(sorted_colours_)[offer.which];
  for (std::size_t i = 0; i < sorted_.size(); ++i)
    block_[static_cast<std::size_t>(sorted_[i])] = split[i];
  // What was split is the same state again in the published program if its colours stay.
  if (options_.as == As::published) before_ = blocks_key(split);
}

void Environment::take(World& world, const Offer& offer) {
  if (offer.kind == Kind::change) change(offer);
  label(world, offer);
  delivers_ = offer.kind == Kind::stay || offer.kind == Kind::change;
  ticks_left_ = delivers_ ? ticks_ : std::min(ticks_, 1);
  first_tick_ = true;
  phase_ = Phase::ticking;
  const auto node = static_cast<NodeId>(offer.which);
  switch (offer.kind) {
    case Kind::stay:
    case Kind::change: break;
    case Kind::crash:
      --crashes_left_;
      script_.push_back(for_free(node_action(Do::crash, node)));
      break;
    case Kind::start: {
      std::uint8_t alone = 0;  // a block that nobody else is in
      const auto taken = [&](std::uint8_t b) {
        return std::any_of(sorted_.begin(), sorted_.end(),
                           [&](NodeId id) { return block_[static_cast<std::size_t>(id)] == b; });
      };
      while (taken(alone)) ++alone;
      block_[static_cast<std::size_t>(node)] = whole_ || !scripted_ ? 0 : alone;
      if (options_.model == Model::links)
        for (const NodeId id : sorted_) links_ &= ~(link_bit(id, node) | link_bit(node, id));
      script_.push_back(node_action(Do::restart, node));
      break;
    }
    case Kind::request:
      if (!system_->lessons.each_request) --requests_left_;
      script_.push_back(world.pending().nth(Do::submit, offer.which));
      break;
  }
}

void Environment::plan_tick(const World& world) {
  // In the published program a node's messages leave it with its next tick: at the beginning there
  // is nothing yet that could arrive, or be lost between blocks.
  const bool silent = options_.as == As::published && first_tick_ && episode_.moments() == 1;
  if (delivers_ && !silent) plan_deliveries(world);
  script_.push_back(advance_by(tick_));
  firing_ = true;
  first_tick_ = false;
}

// The published program keeps what is in flight in a set: the second of two equal messages is gone
// as soon as it is sent.
std::optional<Action> Environment::find_twin(const Pending& pending) const {
  const auto& flights = pending.flights;
  const auto twins = [](const Flight& a, const Flight& b) {
    if (a.name.from() != b.name.from() || a.name.to() != b.name.to() ||
        a.name.type() != b.name.type())
      return false;
    return a.body->type->hash(a.body->content()) == b.body->type->hash(b.body->content());
  };
  for (std::uint32_t i = 0; i < flights.size(); ++i)
    for (std::uint32_t k = 0; flights[i].alive() && k < i; ++k) {
      if (!flights[k].alive() || !twins(flights[i], flights[k])) continue;
      const std::uint32_t later = flights[i].created > flights[k].created ? i : k;
      return for_free(make_action(Do::drop, flights[later].name, 0, later));
    }
  return std::nullopt;
}

void Environment::plan_deliveries(const World& world) {
  const Pending& pending = world.pending();
  batch_.clear();
  if (world.setup().options.links == LinkOrder::any) {
    for (std::uint32_t i = 0; i < pending.deliverable.size(); ++i)
      batch_.push_back(pending.nth_deliver(i));
  } else {
    for (std::uint32_t slot = 0; slot < pending.flights.size(); ++slot)
      if (pending.flights[slot].alive())
        batch_.push_back(make_action(Do::deliver, pending.flights[slot].name, 0, slot));
  }
  for (std::size_t i = batch_.size(); i > 1; --i) std::swap(batch_[i - 1], batch_[rng_.below(i)]);
  if (world.setup().options.links == LinkOrder::fifo)  // each link in its order, where it has turns
    for (std::size_t i = 0; i < batch_.size(); ++i)
      for (std::size_t k = i + 1; k < batch_.size(); ++k)
        if (batch_[k].name.from() == batch_[i].name.from() &&
            batch_[k].name.to() == batch_[i].name.to() &&
            pending.flights[batch_[k].hint].created < pending.flights[batch_[i].hint].created)
          std::swap(batch_[i], batch_[k]);
  if (batch_.size() > static_cast<std::size_t>(options_.deliveries))
    batch_.resize(static_cast<std::size_t>(options_.deliveries));
  for (const Action& a : batch_) {
    const bool lost = !connected(a.name.from(), a.name.to());
    if (lost && options_.as == As::published && !first_tick_) continue;
    if (!lost) script_.push_back(a);
    else if (scripted_) script_.push_back(for_free(make_action(Do::drop, a.name, 0, a.hint)));
  }
}

// Asked when the clock has moved: deliveries of this tick set and stop timers.
void Environment::plan_timers(const World& world) {
  const Pending& pending = world.pending();
  due_.clear();
  for (std::uint32_t t = 0; t < pending.timer_classes(); ++t)
    for (std::uint32_t i = 0; i < pending.count_fire(t); ++i) {
      const Action fire = pending.nth_fire(t, i);
      const Micros due = pending.timers[fire.hint].due;
      if (due <= world.clock()) due_.emplace_back(due, fire);
    }
  std::sort(due_.begin(), due_.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second.name.bits() < b.second.name.bits();
  });
  for (const auto& [when, fire] : due_) script_.push_back(fire);
}

}  // namespace schism::learn
