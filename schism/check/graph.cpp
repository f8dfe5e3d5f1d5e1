#include "schism/check/graph.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "schism/base/escape.hpp"
#include "schism/trace/describe.hpp"

namespace schism::check {
namespace {

std::int64_t number(std::uint64_t n) { return static_cast<std::int64_t>(n); }

// "3>1 Vote {"term":2}"; in no order but that of its text: a link keeps its own.
Value flights_of(World& world, const System& system) {
  std::vector<std::pair<std::string, Value>> found;
  const auto& flights = world.pending().flights;
  for (std::uint32_t slot = 0; slot < flights.size(); ++slot) {
    if (!flights[slot].alive()) continue;
    const Name name = flights[slot].name;
    Value item;
    item.set("from", std::int64_t{name.from()});
    item.set("to", std::int64_t{name.to()});
    item.set("type", std::string(system.message(name.type()).name));
    item.set("body", flights[slot].body->type->to_value(flights[slot].body->content()));
    found.emplace_back(to_json(item), item);
  }
  const bool fifo = world.setup().options.links == LinkOrder::fifo;
  if (!fifo)
    std::sort(found.begin(), found.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
  Value::Array out;
  for (auto& [text, item] : found) out.push_back(std::move(item));
  return out;
}

Value timers_of(World& world, const System& system) {
  std::vector<std::string> found;
  const auto& timers = world.pending().timers;
  for (std::uint32_t slot = 0; slot < timers.size(); ++slot) {
    if (!timers[slot].alive()) continue;
    const Name name = timers[slot].name;
    found.push_back(fmt::format("{} at {}{}", system.timer_name(name.type()), name.from(),
                                name.to() > 0 ? fmt::format(" key {}", name.to()) : ""));
  }
  std::sort(found.begin(), found.end());
  Value::Array out;
  for (std::string& text : found) out.emplace_back(std::move(text));
  return out;
}

Value state_of(std::uint32_t id, WorldModel& model) {
  World& world = model.world();
  const System& system = *model.setup().system;
  Value out;
  out.set("id", number(id));
  out.set("depth", number(model.depth()));
  Value::Array nodes;
  for (NodeId node = 0; node < model.setup().nodes; ++node) nodes.push_back(world.inspect(node));
  out.set("nodes", std::move(nodes));
  out.set("in_flight", flights_of(world, system));
  if (Value timers = timers_of(world, system); !timers.as_array()->empty())
    out.set("timers", std::move(timers));
  bool enabled = false;
  for (const Pend& p : model.pends()) enabled = enabled || p.enabled();
  if (!enabled) out.set("end", true);
  if (model.violation()) out.set("violates", model.violation()->property);
  return out;
}

}  // namespace

GraphPart::GraphPart(GraphFormat format, std::size_t number_of_part)
    : format_(format), number_(number_of_part), states_(std::tmpfile()), edges_(std::tmpfile()) {}

void GraphPart::clear() {
  ids_.clear(), drawn_.clear();
  any_edge_ = false;
  for (std::FILE* file : {states_.get(), edges_.get()}) {
    std::rewind(file);
    if (::ftruncate(::fileno(file), 0) != 0) std::clearerr(file);
  }
}

std::uint32_t GraphPart::met(const Hash128& key, WorldModel& model, std::uint32_t from) {
  const auto [at, fresh] = ids_.try_emplace(key, static_cast<std::uint32_t>(ids_.size()));
  const std::uint32_t id = at->second;
  if (fresh) write_state(id, model);
  if (from != kNobody) write_edge(from, id, model);
  return id;
}

void GraphPart::write_state(std::uint32_t id, WorldModel& model) {
  const Value state = state_of(id, model);
  if (format_ == GraphFormat::json) {
    fmt::print(states_.get(), "{}{}", id == 0 ? "\n" : ",\n", to_json(state));
    return;
  }
  std::string label;
  const Value::Array& nodes = *state.find("nodes")->as_array();
  for (std::size_t i = 0; i < nodes.size(); ++i)
    label += fmt::format("{}: {}\\n", i, draw::escape_dot(to_json(nodes[i])));
  const bool end = state.find("end") != nullptr, bad = state.find("violates") != nullptr;
  fmt::print(states_.get(), "    s{}_{} [label=\"{}\"{}{}];\n", number_, id, label,
             end ? ", peripheries=2" : "", bad ? ", color=red" : "");
}

void GraphPart::write_edge(std::uint32_t from, std::uint32_t to, WorldModel& model) {
  const System& system = *model.setup().system;
  Action plain;  // the n-th of equal messages is any of them
  for (const Action& action : model.world().decisions())
    if (action.kind != Do::choose) plain = action;
  const Name n = plain.name;
  plain.name = Name(n.from(), n.to(), n.type(), plain.kind == Do::submit ? n.nth() : 0);
  const Hash128 name =
      absorb(absorb(absorb(scatter(from), to), plain.name.bits()),
             std::uint64_t{plain.arg()} << 8 | static_cast<std::uint64_t>(plain.kind));
  if (!drawn_.insert(name).second) return;
  if (format_ == GraphFormat::dot) {
    fmt::print(edges_.get(), "    s{0}_{1} -> s{0}_{2} [label=\"{3}\"];\n", number_, from, to,
               draw::escape_dot(print_action(system, plain)));
    return;
  }
  Recorded step;
  step.action = plain;
  Value out;
  out.set("source", number(from));
  out.set("target", number(to));
  out.set("step", describe_action(system, step));
  fmt::print(edges_.get(), "{}{}", any_edge_ ? ",\n" : "\n", to_json(out));
  any_edge_ = true;
}

void GraphPart::flush() {
  std::fflush(states_.get());
  std::fflush(edges_.get());
}

// By place, not by the file's own: another process may have written it.
void GraphPart::read(std::FILE* file, const Copy& copy) {
  std::vector<char> piece(1 << 16);
  off_t at = 0;
  for (;;) {
    const ssize_t got = ::pread(::fileno(file), piece.data(), piece.size(), at);
    if (got <= 0) return;
    copy({piece.data(), static_cast<std::size_t>(got)});
    at += got;
  }
}

Graph::Graph(GraphFormat format, std::size_t parts) : format_(format) {
  for (std::size_t i = 0; i < parts; ++i) parts_.emplace_back(format, i);
}

Status Graph::check() const {
  for (const GraphPart& part : parts_)
    if (!part.good()) return error("export: no room for temporary files");
  return {};
}

Status Graph::write(const std::string& path, const Value& about,
                    const std::vector<Value>& searches) const {
  std::FILE* const file = path == "-" ? stdout : std::fopen(path.c_str(), "w");
  if (!file) return error("cannot write {}: {}", path, std::strerror(errno));
  const GraphPart::Copy copy = [&](std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), file);
  };
  const bool json = format_ == GraphFormat::json;
  if (json) fmt::print(file, "{{\"about\":{},\n\"searches\":[", to_json(about));
  else fmt::print(file, "digraph states {{\n  // {}\n", to_json(about));
  for (std::size_t i = 0; i < searches.size(); ++i) {
    const std::string what = to_json(searches[i]);
    if (json) fmt::print(file, "{}{{\"search\":{},\n\"states\":[", i > 0 ? ",\n" : "\n", what);
    else
      fmt::print(file, "  subgraph cluster_{} {{\n    label=\"{}\";\n", i, draw::escape_dot(what));
    parts_[i].states(copy);
    if (json) fmt::print(file, "\n],\n\"edges\":[");
    parts_[i].edges(copy);
    fmt::print(file, "{}", json ? "\n]}" : "  }\n");
  }
  fmt::print(file, "{}", json ? "\n]}\n" : "}\n");
  const bool good = std::fflush(file) == 0 && std::ferror(file) == 0;
  if (file != stdout) std::fclose(file);
  return good ? Status{} : error("cannot write {}: {}", path, std::strerror(errno));
}

}  // namespace schism::check
