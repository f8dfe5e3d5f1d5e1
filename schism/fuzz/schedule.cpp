#include "schism/fuzz/schedule.hpp"

#include <cstring>

namespace schism::fuzz {

Schedule schedule_of(std::span<const Action> decisions, std::span<const Value> contents) {
  Schedule out;
  for (const Action& action : decisions) {
    if (action.kind == Do::calm) break;
    if (action.kind == Do::nothing) continue;
    Action own = action;
    if (const std::uint32_t content = content_index(action); content < contents.size()) {
      own = with_content(action, static_cast<std::uint32_t>(out.contents.size()));
      out.contents.push_back(contents[content]);
    }
    out.moves.push_back(own);
  }
  return out;
}

Schedule schedule_of(const Trace& trace) {
  std::vector<Action> decisions;
  std::vector<Value> contents;
  for (const Recorded& step : trace.steps) {
    Action action = step.action;
    if (has_content(action)) {
      action = with_content(action, static_cast<std::uint32_t>(contents.size()));
      contents.push_back(step.content);
    }
    decisions.push_back(action);
    decisions.insert(decisions.end(), step.choices.begin(), step.choices.end());
  }
  return schedule_of(decisions, contents);
}

std::vector<Recorded> steps_of(const Schedule& schedule) {
  return record(schedule.moves, schedule.contents);
}

// The parent stands first, as eight bytes, so that it can be read without the schedule.
std::string pack(const Gene& gene) {
  std::string out(sizeof(gene.parent), '\0');
  std::memcpy(out.data(), &gene.parent, sizeof(gene.parent));
  return out + encode(gene.schedule);
}

Result<Gene> unpack(std::string_view bytes) {
  Gene out;
  if (bytes.size() < sizeof(out.parent)) return error("a gene that is too short");
  out.parent = parent_of(bytes);
  auto schedule = decode<Schedule>(bytes.substr(sizeof(out.parent)));
  if (!schedule) return tl::unexpected(schedule.error());
  out.schedule = *std::move(schedule);
  return out;
}

std::uint64_t parent_of(std::string_view gene) {
  std::uint64_t out = 0;
  if (gene.size() >= sizeof(out)) std::memcpy(&out, gene.data(), sizeof(out));
  return out;
}

bool is_fault_kind(Do kind) {
  switch (kind) {
    case Do::drop:
    case Do::duplicate:
    case Do::mutate:
    case Do::inject:
    case Do::crash:
    case Do::pause:
    case Do::cut: return true;
    default: return false;
  }
}

}  // namespace schism::fuzz
