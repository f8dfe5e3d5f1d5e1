#include "schism/finds/examine.hpp"

#include "schism/finds/repetitions.hpp"
#include "schism/guard/child.hpp"
#include "schism/run/make_world.hpp"

namespace schism {
namespace {

// A hang is believed after a longer time alone; while it is shrunk less must do.
Trace with_hang(Trace trace, Micros hang) {
  trace.config.setup.options.hang = hang;
  return trace;
}

Result<Specimen> look_closely(Trace trace, bool shrinking, const std::atomic<bool>& stop) {
  Specimen out;
  const Micros hang = trace.config.setup.options.hang;
  out.trace = std::move(trace);
  if (shrinking)
    if (auto shrunk = shrink(with_hang(out.trace, hang / 2), {}, stop)) {
      shrunk->trace.config.setup.options.hang = hang;
      if (shrunk->fifo) shrunk->fifo->config.setup.options.hang = hang;
      for (Trace& other : shrunk->others) other.config.setup.options.hang = hang;
      out.small = *std::move(shrunk);
    }
  auto look = look_of(out.smallest());
  if (!look) return tl::unexpected(look.error());
  out.look = *std::move(look);
  return out;
}

Result<Examined> examine_here(const RunConfig& config, const RunPlan& plan, std::uint64_t run,
                              const std::optional<Death>& died, bool shrinking,
                              const std::atomic<bool>& stop) {
  if (!has(config.setup, Need::exact_replay)) return examine_repeatedly(config, plan, run, stop);
  Examined out;
  RunConfig patient = config;
  patient.setup.options.hang *= 4;
  Repeated again = repeat(patient, plan, run);
  again.trace.config.setup.options.hang = config.setup.options.hang;
  if (died && !again.death)
    again.difference = Difference{died->step, died->sentence(), "it survives"};
  if (!died && again.death)
    again.difference = Difference{again.death->step, "it survives", again.death->sentence()};
  if (again.difference || !again.trace.violation) {
    out.difference = again.difference.value_or(
        Difference{0, "a violation", "no violation when the run was repeated"});
    return out;
  }
  auto own = look_closely(std::move(again.trace), shrinking, stop);
  if (!own) return tl::unexpected(own.error());
  std::vector<Trace> others;
  if (own->small) others.swap(own->small->others);
  out.specimens.push_back(*std::move(own));
  for (Trace& trace : others) {
    auto other = look_closely(std::move(trace), shrinking, stop);
    if (!other) return tl::unexpected(other.error());
    if (other->small) other->small->others.clear();
    out.specimens.push_back(*std::move(other));
  }
  return out;
}

// ---- between processes ---------------------------------------------------------------------

Value value_of(const OutlineSize& size) {
  Value out;
  out.set("nodes", size.nodes);
  out.set("faults", static_cast<std::int64_t>(size.faults));
  out.set("operations", static_cast<std::int64_t>(size.operations));
  out.set("actions", static_cast<std::int64_t>(size.actions));
  out.set("inversions", static_cast<std::int64_t>(size.inversions));
  out.set("values", static_cast<std::int64_t>(size.values));
  return out;
}

Value value_of(const Specimen& specimen) {
  Value out;
  out.set("trace", to_text(specimen.trace));
  out.set("evidence", specimen.look.evidence);
  out.set("shape", to_hex(specimen.look.shape));
  if (!specimen.small) return out;
  const Shrunk& s = *specimen.small;
  Value small;
  small.set("trace", to_text(s.trace));
  small.set("before", value_of(s.before));
  small.set("after", value_of(s.after));
  small.set("replays", static_cast<std::int64_t>(s.replays));
  small.set("minimal", s.certificate.minimal);
  small.set("complete", s.certificate.complete);
  small.set("checked", static_cast<std::int64_t>(s.certificate.replays));
  small.set("counterexample", s.certificate.counterexample);
  small.set("any_order", s.any_order);
  small.set("in_order", s.in_order);
  if (s.fifo) small.set("fifo", to_text(*s.fifo));
  out.set("small", std::move(small));
  return out;
}

// What a sister process wrote: a missing field is an accident, not input.
class Reading {
 public:
  explicit Reading(const Value& value) : value_(value) {}
  std::string text(std::string_view key) {
    const Value* v = value_.find(key);
    good_ = good_ && v && v->as_text();
    return good_ ? *v->as_text() : "";
  }
  std::uint64_t number(std::string_view key) {
    const Value* v = value_.find(key);
    good_ = good_ && v && v->as_int();
    return good_ ? static_cast<std::uint64_t>(*v->as_int()) : 0;
  }
  bool flag(std::string_view key) {
    const Value* v = value_.find(key);
    good_ = good_ && v && v->as_bool();
    return good_ && *v->as_bool();
  }
  Trace trace(std::string_view key) {
    auto read = parse_trace(text(key), "its trace");
    if (!read && problem_.empty()) problem_ = read.error();
    good_ = good_ && read;
    return good_ ? *std::move(read) : Trace{};
  }
  OutlineSize size(std::string_view key) {
    OutlineSize out;
    const Value* v = value_.find(key);
    good_ = good_ && v;
    if (!good_) return out;
    Reading inner(*v);
    out.nodes = static_cast<int>(inner.number("nodes"));
    out.faults = inner.number("faults");
    out.operations = inner.number("operations");
    out.actions = inner.number("actions");
    out.inversions = inner.number("inversions");
    out.values = inner.number("values");
    good_ = inner.good();
    return out;
  }
  bool good() const { return good_; }
  std::string problem() const { return problem_.empty() ? "a field is missing" : problem_; }

 private:
  const Value& value_;
  bool good_ = true;
  std::string problem_;
};

Result<Specimen> specimen_of(const Value& value) {
  Specimen out;
  Reading read(value);
  out.trace = read.trace("trace");
  out.look.evidence = read.text("evidence");
  if (!from_hex(read.text("shape"), out.look.shape)) return error("it has no shape");
  if (const Value* small = value.find("small")) {
    Shrunk s;
    Reading inner(*small);
    s.trace = inner.trace("trace");
    s.before = inner.size("before");
    s.after = inner.size("after");
    s.replays = inner.number("replays");
    s.certificate = {inner.flag("minimal"), inner.flag("complete"), inner.number("checked"),
                     inner.text("counterexample")};
    s.any_order = inner.flag("any_order");
    s.in_order = inner.flag("in_order");
    if (small->find("fifo")) s.fifo = inner.trace("fifo");
    if (!inner.good()) return tl::unexpected(inner.problem());
    out.small = std::move(s);
  }
  if (!read.good()) return tl::unexpected(read.problem());
  return out;
}

}  // namespace

std::string to_text(const Examined& examined) {
  Value out;
  if (const auto& d = examined.difference) {
    Value difference;
    difference.set("step", static_cast<std::int64_t>(d->step));
    difference.set("recorded", d->recorded);
    difference.set("now", d->now);
    out.set("difference", std::move(difference));
  }
  Value::Array specimens;
  for (const Specimen& specimen : examined.specimens) specimens.push_back(value_of(specimen));
  out.set("specimens", std::move(specimens));
  return to_json(out);
}

Result<Examined> parse_examined(std::string_view text) {
  Examined out;
  std::string problem;
  const auto value = parse_json(text, &problem);
  if (!value) return error("what a child found cannot be read: {}", problem);
  if (const Value* d = value->find("difference")) {
    Reading read(*d);
    out.difference = Difference{static_cast<std::uint32_t>(read.number("step")),
                                read.text("recorded"), read.text("now")};
  }
  const Value* specimens = value->find("specimens");
  if (specimens && specimens->as_array())
    for (const Value& item : *specimens->as_array()) {
      auto specimen = specimen_of(item);
      if (!specimen) return error("what a child found cannot be read: {}", specimen.error());
      out.specimens.push_back(*std::move(specimen));
    }
  return out;
}

Result<Examined> examine(const RunConfig& config, const RunPlan& plan, std::uint64_t run,
                         const std::optional<Death>& died, bool shrinking,
                         const std::atomic<bool>& stop) {
  if (!is_guarded(config.setup)) return examine_here(config, plan, run, died, shrinking, stop);
  const auto text = guard::in_child(
      [&]() -> std::string {
        const auto examined = examine_here(config, plan, run, died, shrinking, stop);
        return examined ? "+" + to_text(*examined) : "-" + examined.error();
      },
      stop);
  if (!text) return tl::unexpected(text.error());
  if (text->starts_with("+")) return parse_examined(text->substr(1));
  return tl::unexpected(text->substr(std::min<std::size_t>(1, text->size())));
}

Repeated repeat(const RunConfig& config, const RunPlan& plan, std::uint64_t run) {
  Runner runner(config.setup, config.limits);
  const auto scheduler = make_scheduler(config);
  runner.run(*scheduler, plan);
  World& world = runner.world();
  RunConfig as_it_was = config;
  as_it_was.setup.death = world.setup().death;
  Repeated again;
  again.death = world.setup().death;
  again.trace = make_trace(as_it_was, plan, run, record(world.decisions(), world.contents()));
  again.difference = replay(again.trace).difference;
  return again;
}

}  // namespace schism
