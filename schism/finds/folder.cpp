#include "schism/finds/folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "schism/base/file.hpp"
#include "schism/trace/claim.hpp"

namespace schism {
namespace {

std::string short_hex(const Hash128& hash) { return to_hex(hash).substr(0, 8); }
std::string short_hex(const std::string& text) { return short_hex(scatter(hash_text(text))); }

Value kinds_value(FaultKinds kinds) {
  Value::Array out;
  for (const std::string& name : kinds.names()) out.emplace_back(name);
  return out;
}

// A file beside the others, named by its content.
std::string aside(const std::string& folder, const std::string& stem, const std::string& text) {
  return fmt::format("{}/{}-{}.trace", folder, stem, short_hex(text));
}

std::string toml_text(const std::string& text) { return to_json(Value(text)); }

std::string toml_pairs(const char* key, const Pairs& pairs) {
  if (pairs.empty()) return "";
  std::string out = fmt::format("\n[{}]\n", key);
  for (const auto& [name, value] : pairs)
    if (!value.empty()) out += fmt::format("{} = {}\n", name, toml_text(value));
  return out;
}

// Fewer nodes, then fewer steps; what cannot be read is not worth keeping in the first place.
bool smaller(const Trace& a, const Trace& b) {
  return std::pair(a.config.setup.nodes, a.steps.size()) <
         std::pair(b.config.setup.nodes, b.steps.size());
}

}  // namespace

std::string folder_name(const Trace& trace, const std::string& evidence) {
  const std::string& property = trace.violation->property;
  std::string slug;
  for (const char c : property) slug += std::isalnum(static_cast<unsigned char>(c)) ? c : '-';
  std::vector<std::string> bugs = trace.config.bugs;
  std::sort(bugs.begin(), bugs.end());
  std::string key = property + "\n" + evidence;
  for (const std::string& bug : bugs) key += "\n" + bug;
  return fmt::format("{}-{}-{}", trace.config.setup.system->name, slug,
                     short_hex(key).substr(0, 6));
}

std::string Shelf::folder(const Find& find) const {
  return out_ + "/" + folder_name(find.trace, find.evidence);
}

Status Shelf::prepare(const std::string& folder) {
  if (auto made = make_directory(out_); !made) return made;
  return make_directory(folder);
}

Status Shelf::keep(const Original& original) {
  if (!original.trace.violation) return {};
  const std::string at = out_ + "/" + folder_name(original.trace, original.evidence);
  if (auto made = prepare(at); !made) return made;
  // That of an earlier hunt stays.
  const std::string first = at + "/original.trace";
  const auto known = std::filesystem::exists(first) ? read_trace(first) : Result<Trace>(Trace{});
  const bool same = known && known->run_class == original.trace.run_class;
  const std::string text = to_text(original.trace);
  kept_ = !std::filesystem::exists(first) || same || !known ? first : aside(at, "original", text);
  return write_file(kept_, text);
}

void Shelf::take_back(const Original&) {
  if (kept_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove(kept_, ignored);
  // Only where nothing else is in them.
  std::filesystem::remove(std::filesystem::path(kept_).parent_path(), ignored);
  std::filesystem::remove(out_, ignored);
  kept_.clear();
}

Status Shelf::write_aside(const Trace& trace, const std::string& folder, const std::string& stem) {
  const std::string text = to_text(trace);
  return write_file(aside(folder, stem, text), text);
}

Status Shelf::write(const Find& find) {
  const std::string at = folder(find);
  if (auto made = prepare(at); !made) return made;
  const std::string path = at + "/bug.trace";
  if (!own_.contains(at) && std::filesystem::exists(path))
    if (const auto before = read_trace(path); before && before->violation) {
      if (!smaller(find.smallest(), *before)) {
        if (to_text(*before) == to_text(find.smallest())) return write_bug(find, at);
        return write_aside(find.smallest(), at, "shape");
      }
      if (auto aside = write_aside(*before, at, "shape"); !aside) return aside;
    }
  own_.insert(at);
  return write_bug(find, at);
}

Status Shelf::write_bug(const Find& find, const std::string& at) {
  if (auto w = write_trace(find.smallest(), at + "/bug.trace"); !w) return w;
  if (find.small && !std::filesystem::exists(at + "/original.trace"))
    if (auto w = write_trace(find.trace, at + "/original.trace"); !w) return w;
  if (find.small && find.small->fifo)
    if (auto w = write_trace(*find.small->fifo, at + "/fifo.trace"); !w) return w;
  for (std::size_t i = 1; i < find.shapes.size(); ++i) {
    const auto& shape = find.shapes[i];
    const auto path = fmt::format("{}/shape-{}.trace", at, short_hex(shape.shape));
    if (auto w = write_trace(shape.smallest, path); !w) return w;
  }
  if (!find.page.empty())
    if (auto w = write_file(at + "/bug.html", find.page); !w) return w;
  if (auto w = write_file(at + "/hunt.toml", hunt_of(find.trace)); !w) return w;
  return write_file(at + "/bug.json", to_json(describe(find)) + "\n");
}

// From the beginning to the run that found it; where a run is its seed's alone, that one.
std::string Shelf::hunt_of(const Trace& trace) const {
  const RunText text = to_text(trace.config);
  const bool alone = trace.config.explorer.name == "seeds";
  const std::uint64_t seed = alone ? trace.plan.seed : seed_;
  const std::uint64_t runs = alone ? 1 : trace.run + 1;
  std::string out = "# The hunt that found it, up to this run; `hunt --again` plays it.\n";
  out += "system = " + toml_text(print_spec(text.system)) + "\n";
  if (!text.bugs.empty()) {
    out += "bug = [";
    for (std::size_t i = 0; i < text.bugs.size(); ++i)
      out += (i == 0 ? "" : ", ") + toml_text(text.bugs[i]);
    out += "]\n";
  }
  if (!text.mute.empty()) {
    out += "mute = [";
    for (std::size_t i = 0; i < text.mute.size(); ++i)
      out += (i == 0 ? "" : ", ") + toml_text(text.mute[i]);
    out += "]\n";
  }
  out += "nodes = " + text.nodes + "\n";
  out += "explorer = " + toml_text(print_spec(text.explorer)) + "\n";
  out += "max-steps = " + text.steps + "\n";
  out += "tail = " + toml_text(text.tail) + "\n";
  out += fmt::format("seed = {}\nruns = {}\n", toml_text(std::to_string(seed)), runs);
  Setup asked = trace.config.setup;
  out += toml_pairs("world", world_params().all(&asked.options));
  out += toml_pairs("faults", fault_params().all(&asked.options.faults));
  return out;
}

Value Shelf::describe(const Find& find) const {
  const Trace& small = find.smallest();
  const Violation& v = *small.violation;
  Value item;
  item.set("property", v.property);
  item.set("message", v.message);
  item.set("beyond_claim", kinds_value(beyond_claim(small.config.setup, faults_in(small))));
  item.set("evidence", find.evidence);
  item.set("step", static_cast<std::int64_t>(v.step));
  item.set("run", static_cast<std::int64_t>(find.trace.run));
  item.set("seed", std::to_string(find.trace.plan.seed));
  item.set("count", static_cast<std::int64_t>(find.count));
  if (find.trace.config.explorer.name == "seeds")  // whoever drew its configuration
    item.set("command", fmt::format("schism hunt {} --seed {} --runs 1",
                                    to_flags(find.trace.config), find.trace.plan.seed));
  if (const auto& repeats = small.repeats) {
    item.set("repeated", static_cast<std::int64_t>(repeats->times));
    item.set("repetitions", static_cast<std::int64_t>(repeats->of));
  }
  item.set("trace", folder(find) + "/bug.trace");
  item.set("actions", static_cast<std::int64_t>(small.steps.size() - 1));
  item.set("actions_before", static_cast<std::int64_t>(find.trace.steps.size() - 1));
  if (find.small) {
    item.set("minimal", find.small->certificate.minimal);
    if (find.small->any_order) item.set("fifo_suffices", find.small->in_order);
  }
  Value::Array shapes;
  for (const ShapeGroup& group : find.shapes) {
    Value shape;
    shape.set("shape", to_hex(group.shape));
    shape.set("count", static_cast<std::int64_t>(group.count));
    shape.set("actions", static_cast<std::int64_t>(group.smallest.steps.size() - 1));
    Value::Array seeds;
    for (const std::uint64_t seed : group.seeds) seeds.emplace_back(std::to_string(seed));
    shape.set("seeds", std::move(seeds));
    shapes.push_back(std::move(shape));
  }
  item.set("shapes", std::move(shapes));
  return item;
}

}  // namespace schism
