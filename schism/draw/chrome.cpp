// `chrome`: the Trace Event Format that Perfetto and chrome://tracing read. A process is a node or
// a client, a slice is a step, flow arrows are messages, instants are faults and the violation. A
// step is a millisecond long: runs without a clock have no other time, and with one many steps
// share a moment; the clock is among a slice's arguments.
#include "schism/base/escape.hpp"
#include "schism/draw/format.hpp"
#include "schism/draw/scene.hpp"

namespace schism::draw {
namespace {

constexpr std::int64_t kStep = 1000;  // microseconds
// Process numbers; 0 means the idle process to some readers.
constexpr int kNetwork = 1, kFirstNode = 2, kFirstClient = kFirstNode + kNodesMax;

std::int64_t start_of(std::size_t step) { return static_cast<std::int64_t>(step) * kStep; }

class Writer {
 public:
  explicit Writer(const Scene& scene) : scene_(scene) {}

  std::string write() {
    name(kNetwork, "network");
    for (NodeId id = 0; id < scene_.nodes; ++id) name(kFirstNode + id, "node " + scene_.name(id));
    for (int id = 0; id < scene_.clients; ++id)
      name(kFirstClient + id, "client " + std::to_string(id));
    for (std::size_t i = 0; i < scene_.steps.size(); ++i) step(i);
    Value other;
    other.set("system", scene_.trace->config.setup.system->name);
    other.set("command", headline(*scene_.trace));
    if (scene_.trace->violation) other.set("violation", verdict_line(*scene_.trace));
    return "{\"displayTimeUnit\":\"ms\",\"otherData\":" + to_json(other) + ",\"traceEvents\":[" +
           events_ + "\n]}\n";
  }

 private:
  void put(const Value& event) { events_ += (events_.empty() ? "\n" : ",\n") + to_json(event); }

  static Value event(std::string_view phase, const std::string& title, std::int64_t at,
                     int process) {
    Value out;
    out.set("name", printable(title));
    out.set("ph", phase);
    out.set("ts", at);
    out.set("pid", process);
    out.set("tid", 1);
    return out;
  }

  void name(int process, const std::string& title) {
    Value meta = event("M", "process_name", 0, process);
    meta.set("args", Value::Object{{"name", title}});
    put(meta);
    Value sort = event("M", "process_sort_index", 0, process);
    sort.set("args", Value::Object{{"sort_index", process}});
    put(sort);
  }

  void slice(const std::string& title, std::size_t i, int process) {
    const SceneStep& s = scene_.steps[i];
    Value out = event("X", title, start_of(i), process);
    out.set("dur", kStep);
    out.set("cat", s.relevant ? "step" : "irrelevant");
    Value args;
    args.set("step", static_cast<std::int64_t>(i));
    args.set("what", s.title);
    if (s.at >= 0) args.set("clock_us", s.at);
    Value::Array effects;
    for (const Effect& e : s.effects) effects.emplace_back(e.text);
    if (!effects.empty()) args.set("effects", std::move(effects));
    out.set("args", std::move(args));
    put(out);
  }

  // Both ends must lie inside slices; a reader binds them to those.
  void flow(const std::string& title, std::size_t from_step, int from, std::size_t to_step,
            int to) {
    Value begin = event("s", title, start_of(from_step) + kStep / 2, from);
    begin.set("cat", "message");
    begin.set("id", ++flows_);
    put(begin);
    Value end = event("f", title, start_of(to_step) + kStep / 2, to);
    end.set("cat", "message");
    end.set("id", flows_);
    end.set("bp", "e");
    put(end);
  }

  void instant(const std::string& title, std::size_t i, int process, std::string_view scope) {
    Value out = event("i", title, start_of(i) + kStep / 2, process);
    out.set("cat", scope == "g" ? "violation" : "fault");
    out.set("s", scope);
    put(out);
  }

  void step(std::size_t i) {
    const SceneStep& s = scene_.steps[i];
    const int process = s.node >= 0 ? kFirstNode + s.node : kNetwork;
    if (s.kind == Do::nothing)
      for (NodeId id = 0; id < scene_.nodes; ++id) slice("start", i, kFirstNode + id);
    else slice(s.label, i, process);
    if (s.is_message() && s.sent_in >= 0) {
      // What a step other than its sender's launched (a copy, a changed message) is the network's.
      const auto sent = static_cast<std::size_t>(s.sent_in);
      const SceneStep& sender = scene_.steps[sent];
      const bool by_node = sender.kind == Do::nothing || sender.node == s.from;
      flow(s.label, sent, by_node ? kFirstNode + s.from : kNetwork, i, process);
    }
    if (s.client >= 0) {
      slice("asks " + s.label, i, kFirstClient + s.client);
      flow(s.label, i, kFirstClient + s.client, i, process);
    }
    for (const Effect& e : s.effects)
      if (e.kind == EffectKind::answers && e.client >= 0 && e.client != s.client) {
        slice("is answered " + e.content, i, kFirstClient + e.client);
        flow(e.content, i, process, i, kFirstClient + e.client);
      }
    if (s.kind == Do::crash || s.kind == Do::restart || s.kind == Do::pause ||
        s.kind == Do::resume || s.kind == Do::drop || s.kind == Do::cut || s.kind == Do::heal)
      instant(s.title, i, process, "p");
    for (const std::string& role : s.roles) instant("evidence: " + role, i, process, "p");
    if (s.violating) instant(verdict_line(*scene_.trace), i, process, "g");
  }

  const Scene& scene_;
  std::string events_;
  std::int64_t flows_ = 0;
};

std::string draw_chrome(const Trace& trace, const DrawOptions&) {
  const Scene scene = make_scene(trace);
  return Writer(scene).write();
}

const Registration registered =
    add_format({40, "chrome", "trace events for Perfetto or chrome://tracing", draw_chrome});

}  // namespace
}  // namespace schism::draw
