#include <fmt/format.h>

#include "schism/base/value.hpp"
#include "schism/tla/print.hpp"
#include "schism/tla/tell.hpp"

namespace schism::tla {
namespace {

using Json = schism::Value;

Json list(std::span<const Value> values, const Symbols& symbols);

Json encode(Value v, const Symbols& symbols) {
  if (v.is_boolean()) return Json(v.as_boolean());
  if (v.is_string()) return Json(symbols.text(v.symbol()));
  if (v.is_model()) return Json(symbols.text(v.symbol()));
  if (v.is_integer()) {
    Json out;
    out.set("#bigint", fmt::format("{}", v.as_integer()));
    return out;
  }
  const ValueNode& n = *v.node();
  Json out;
  if (n.kind == Kind::set) {
    out.set("#set", list(n.words(), symbols));
    return out;
  }
  if (n.kind == Kind::tuple) return list(n.words(), symbols);
  if (n.kind != Kind::function) {
    out.set("#unserializable", to_text(v, symbols));
    return out;
  }
  const ValueNode& keys = *n[0].node();
  bool record = true;
  for (const Value k : keys.words()) record = record && k.is_string();
  if (record) {
    for (std::uint32_t i = 0; i < keys.size; ++i)
      out.set(symbols.text(keys[i].symbol()), encode(n[i + 1], symbols));
    return out;
  }
  Json::Array pairs;
  for (std::uint32_t i = 0; i < keys.size; ++i)
    pairs.emplace_back(Json::Array{encode(keys[i], symbols), encode(n[i + 1], symbols)});
  out.set("#map", Json(std::move(pairs)));
  return out;
}

Json list(std::span<const Value> values, const Symbols& symbols) {
  Json::Array out;
  for (const Value v : values) out.push_back(encode(v, symbols));
  return Json(std::move(out));
}

}  // namespace

std::string to_itf(Spec& spec, const CheckReport& report) {
  const std::vector<TraceStep>& trace = report.trace;
  Json meta, out;
  meta.set("format", "ITF");
  meta.set("format-description", "https://apalache-mc.org/docs/adr/015adr-trace.html");
  Json::Array names, states;
  for (const Symbol v : spec.variables()) names.emplace_back(spec.symbols().text(v));
  for (std::size_t i = 0; i < trace.size(); ++i) {
    Json state, about;
    about.set("index", static_cast<std::int64_t>(i));
    about.set("action", trace[i].action);
    state.set("#meta", std::move(about));
    for (std::size_t k = 0; k < trace[i].state.size(); ++k)
      state.set(spec.symbols().text(spec.variables()[k]),
                encode(trace[i].state[k], spec.symbols()));
    states.push_back(std::move(state));
  }
  out.set("#meta", std::move(meta));
  out.set("vars", Json(std::move(names)));
  out.set("states", Json(std::move(states)));
  if (report.back_to) out.set("loop", static_cast<std::int64_t>(*report.back_to));
  return to_json(out) + "\n";
}

}  // namespace schism::tla
