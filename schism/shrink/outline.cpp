#include "schism/shrink/outline.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "schism/base/difference.hpp"
#include "schism/system/faults.hpp"
#include "schism/words/operands.hpp"

namespace schism {
namespace {

// Of those that are hashes the sum would go round.
constexpr std::uint64_t kNumberMax = std::uint64_t{1} << 56;

std::uint64_t size_of(std::int64_t number) {
  const auto n = static_cast<std::uint64_t>(number);
  return number < 0 ? 2 * std::min(0 - n, kNumberMax) : std::min(n, kNumberMax);
}

std::uint64_t size_of(const Value& value) {
  if (const auto* i = value.as_int()) return size_of(*i);
  if (const auto* s = value.as_text()) return s->size();
  if (const auto* b = value.as_bool()) return *b ? 1 : 0;
  std::uint64_t sum = 0;
  if (const auto* a = value.as_array())
    for (const Value& item : *a) sum += 1 + size_of(item);
  if (const auto* o = value.as_object())
    for (const auto& [key, item] : *o) sum += size_of(item);
  return sum;
}

// Its place in the order of sending: what was created first, and how-manieth.
std::uint64_t sent_at(const Move& move, const std::vector<std::uint32_t>& place) {
  return std::uint64_t{place[move.creator]} << 32 | move.nth;
}

std::uint64_t inversions(const Outline& outline) {
  std::uint32_t top = 0;
  for (const Move& move : outline.moves) top = std::max(top, move.id);
  std::vector<std::uint32_t> place(top + 1, 0);
  for (std::size_t i = 0; i < outline.moves.size(); ++i)
    place[outline.moves[i].id] = static_cast<std::uint32_t>(i) + 1;
  std::uint64_t count = 0;
  std::vector<std::vector<std::uint64_t>> received(
      static_cast<std::size_t>(outline.config.setup.places()));
  for (const Move& move : outline.moves) {
    if (move.step.action.kind != Do::deliver || move.creator == kNobody) continue;
    auto& before = received[static_cast<std::size_t>(move.step.action.name.to())];
    const std::uint64_t sent = sent_at(move, place);
    const auto at = std::upper_bound(before.begin(), before.end(), sent);
    count += static_cast<std::uint64_t>(before.end() - at);
    before.insert(at, sent);
  }
  return count;
}

}  // namespace

namespace {

// A lie is one content of one message, to however many it is told; keeping silent is the least.
void add_lies(const Outline& outline, OutlineSize& size) {
  std::set<std::tuple<NodeId, int, std::uint32_t, std::string>> lies;
  std::set<NodeId> down;  // who restarts without having crashed has forgotten, which liars do
  for (const Move& move : outline.moves) {
    const Action& a = move.step.action;
    if (a.kind == Do::crash) down.insert(a.name.from());
    const bool forgets = a.kind == Do::restart && down.erase(a.name.from()) == 0;
    if (a.kind != Do::mutate && a.kind != Do::inject && a.kind != Do::omit && !forgets) continue;
    ++size.told;
    const std::string what = a.kind == Do::omit ? "" : to_json(move.step.content);
    lies.emplace(a.name.from(), a.name.type(), move.creator, what);
    if (a.kind == Do::inject || forgets) size.parts += 2;  // made up, or gone, as a whole
    if (a.kind != Do::mutate) continue;
    const Untruth untruth = untruth_of(move.step.content);
    size.parts += std::max<std::uint64_t>(untruth.parts, 1);
    size.distance += untruth.distance;
  }
  size.told += outline.habits.size();
  for (const Habit& habit : outline.habits) size.parts += habit.kind == Do::omit ? 0 : 1;
  size.lies = lies.size() + outline.habits.size();
  const Setup& setup = outline.config.setup;
  size.liars = setup.options.liars.size() + static_cast<std::size_t>(setup.places() - setup.nodes);
}

}  // namespace

OutlineSize size_of(const Outline& outline) {
  OutlineSize size;
  add_lies(outline, size);
  size.nodes = outline.config.setup.nodes;
  size.operations = outline.requests().size();
  size.actions = outline.moves.size();
  for (const Move& move : outline.moves) {
    const Action& action = move.step.action;
    size.faults += fault_of(action) ? 1 : 0;
    // No label; and a lie is measured by its distance from the truth.
    if (action.kind != Do::begin && !is_difference(move.step.content))
      size.values += size_of(move.step.content);
    if (action.kind == Do::crash || action.kind == Do::restart) size.values += action.arg();
  }
  for (const ClientRequest& request : outline.requests()) size.values += size_of(request.content);
  for (const ChoicePlace& choice : choices_in(outline)) {
    ++size.choices;
    size.values += choice.answer;
  }
  size.inversions = inversions(outline);
  return size;
}

std::vector<bool> causal_past(const Outline& outline, const std::vector<std::uint32_t>& moves) {
  const auto& all = outline.moves;
  std::vector<bool> in(all.size(), false);
  std::vector<bool> wanted_id(1, false);
  for (const Move& move : all)
    if (move.id >= wanted_id.size()) wanted_id.resize(move.id + 1, false);
  for (const std::uint32_t at : moves)
    if (at < all.size()) in[at] = true;
  std::vector<bool> node_wanted(static_cast<std::size_t>(outline.config.setup.places()), false);
  std::vector<bool> client_wanted(kNodesMax, false);
  for (std::size_t i = all.size(); i-- > 0;) {
    const Action& action = all[i].step.action;
    const NodeId node = place_of(action);
    // Faults of the network and the clock concern everybody.
    const bool everywhere = node < 0 && all[i].creator == kNobody;
    if (everywhere || wanted_id[all[i].id] ||
        (node >= 0 && node_wanted[static_cast<std::size_t>(node)]) ||
        (action.kind == Do::submit && client_wanted[static_cast<std::size_t>(action.name.from())]))
      in[i] = true;
    if (!in[i] || everywhere) continue;
    if (all[i].creator != kNobody) wanted_id[all[i].creator] = true;
    if (node >= 0) node_wanted[static_cast<std::size_t>(node)] = true;
    if (action.kind == Do::submit)
      client_wanted[static_cast<std::size_t>(action.name.from())] = true;
  }
  return in;
}

std::vector<ChoicePlace> choices_in(const Outline& outline) {
  std::vector<ChoicePlace> out;
  const auto look = [&](const std::vector<Action>& choices, std::size_t move) {
    for (std::size_t i = 0; i < choices.size(); ++i)
      if (const std::uint32_t answer = answer_of(choices[i]); answer > 0)
        out.push_back({move, i, answer});
  };
  look(outline.start.choices, kStartChoices);
  for (std::size_t i = 0; i < outline.moves.size(); ++i) look(outline.moves[i].step.choices, i);
  return out;
}

Outline with_answer(const Outline& outline, const ChoicePlace& place, std::uint32_t answer) {
  Outline out = outline;
  Recorded& step = place.move == kStartChoices ? out.start : out.moves[place.move].step;
  Action& choice = step.choices[place.nth];
  choice = choose_of(answer, alternatives_of(choice));
  return out;
}

Outline with_moves(const Outline& outline, const std::vector<bool>& kept) {
  Outline out;
  out.config = outline.config;
  out.plan = outline.plan;
  out.run = outline.run;
  out.start = outline.start;
  out.tail = outline.tail;
  out.habits = outline.habits;
  std::vector<std::size_t> requests;  // an operation goes with its invocation
  for (std::size_t i = 0; i < outline.moves.size(); ++i) {
    const Action& action = outline.moves[i].step.action;
    if (kept[i]) out.moves.push_back(outline.moves[i]);
    if (kept[i] || action.kind != Do::submit) continue;
    std::uint32_t nth = 0;
    for (std::size_t r = 0; r < outline.requests().size(); ++r) {
      if (outline.requests()[r].client != action.name.from()) continue;
      if (nth++ == action.name.nth()) requests.push_back(r);
    }
  }
  std::sort(requests.begin(), requests.end());
  for (std::size_t i = requests.size(); i-- > 0;) out = without_request(out, requests[i]);
  return out;
}

Outline without_moves(const Outline& outline, std::size_t first, std::size_t count) {
  std::vector<bool> kept(outline.moves.size(), true);
  std::fill_n(kept.begin() + static_cast<std::ptrdiff_t>(first), count, false);
  return with_moves(outline, kept);
}

Outline without_request(const Outline& outline, std::size_t request) {
  Outline out = outline;
  auto requests = outline.requests();
  const int client = requests[request].client;
  std::uint32_t nth = 0;
  for (std::size_t r = 0; r < request; ++r) nth += requests[r].client == client ? 1 : 0;
  requests.erase(requests.begin() + static_cast<std::ptrdiff_t>(request));
  out.config.setup.requests =
      std::make_shared<const std::vector<ClientRequest>>(std::move(requests));
  std::erase_if(out.moves, [&](const Move& move) {
    const Action& a = move.step.action;
    return a.kind == Do::submit && a.name.from() == client && a.name.nth() == nth;
  });
  for (Move& move : out.moves) {  // its later requests have lower numbers now
    Action& a = move.step.action;
    if (a.kind == Do::submit && a.name.from() == client && a.name.nth() > nth)
      a.name = Name(client, 0, a.name.type(), a.name.nth() - 1);
  }
  return out;
}

namespace {

// False: the action is about the node that goes.
bool renumber(Action& action, NodeId gone) {
  for (const Operand& operand : operands_of(action.kind)) {
    if (operand.means != Means::node) continue;
    const auto node = static_cast<NodeId>(get(action, operand.part));
    if (node == gone) return false;
    if (node > gone) set(action, operand.part, static_cast<std::uint64_t>(node - 1));
  }
  return true;
}

template <class T>
void drop_entry(std::vector<T>& list, NodeId node) {
  if (static_cast<std::size_t>(node) < list.size()) list.erase(list.begin() + node);
}

// What happens there goes, with what clients asked it for; places above it move down by one.
void drop_place(Outline& out, NodeId place) {
  for (std::size_t i = out.moves.size(); i-- > 0;) {
    const Action& action = out.moves[i].step.action;
    if (action.kind == Do::submit && static_cast<NodeId>(action.arg()) == place)
      out = without_moves(out, i, 1);
  }
  std::erase_if(out.habits, [&](const Habit& h) { return h.from == place || h.to == place; });
  for (Habit& habit : out.habits) {
    habit.from -= habit.from > place ? 1 : 0;
    habit.to -= habit.to > place ? 1 : 0;
  }
  std::erase_if(out.moves, [&](Move& move) { return !renumber(move.step.action, place); });
}

}  // namespace

Outline with_plain_habits(const Outline& outline, const Habit* way) {
  Outline out = outline;
  out.habits.clear();
  for (const Habit& habit : outline.habits) {
    const bool plain = !way || habit.same_way(*way);
    const bool known = std::any_of(out.habits.begin(), out.habits.end(),
                                   [&](const Habit& h) { return h.same_way(habit); });
    if (plain && known) continue;
    out.habits.push_back(habit);
    if (plain) out.habits.back().nth = Habit::kEvery;
  }
  return out;
}

Outline without_twins(const Outline& outline) {
  Outline out = outline;
  const Setup& setup = outline.config.setup;
  for (NodeId twin = setup.places(); twin-- > setup.nodes;) drop_place(out, twin);
  out.config.setup.options.twins = false;
  return out;
}

Outline without_liar(const Outline& outline, std::size_t liar) {
  Outline out = outline;
  WorldOptions& options = out.config.setup.options;
  if (options.twins) drop_place(out, outline.config.setup.nodes + static_cast<NodeId>(liar));
  options.liars.erase(options.liars.begin() + static_cast<std::ptrdiff_t>(liar));
  options.twins = options.twins && !options.liars.empty();
  return out;
}

Outline without_node(const Outline& outline, NodeId node) {
  Outline out = outline;
  Setup& setup = out.config.setup;
  const auto& liars = outline.config.setup.options.liars;
  const auto liar = std::find(liars.begin(), liars.end(), node);
  if (setup.options.twins && liar != liars.end())
    drop_place(out, setup.nodes + static_cast<NodeId>(liar - liars.begin()));
  drop_place(out, node);
  --setup.nodes;
  drop_entry(setup.options.skew_us, node);
  drop_entry(setup.options.drift_ppm, node);
  auto& may_crash = setup.options.may_crash;
  std::erase(may_crash, static_cast<std::int64_t>(node));
  for (std::int64_t& id : may_crash) id -= id > node ? 1 : 0;
  std::erase(setup.options.liars, static_cast<std::int64_t>(node));
  for (std::int64_t& id : setup.options.liars) id -= id > node ? 1 : 0;
  if (may_crash.empty() && !outline.config.setup.options.may_crash.empty())
    setup.options.faults.crash = 0;  // nobody is left who may
  if (setup.options.liars.empty()) setup.options.twins = false;
  auto requests = out.requests();
  for (ClientRequest& request : requests)
    if (request.target > node) --request.target;
    else if (request.target == node) request.target = kAnyNode;
  setup.requests = std::make_shared<const std::vector<ClientRequest>>(std::move(requests));
  return out;
}

}  // namespace schism
