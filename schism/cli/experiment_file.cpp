#include "schism/cli/experiment_file.hpp"

#include <algorithm>

#include "schism/cli/run_keys.hpp"

namespace schism::cli {
namespace {

// More would run for years.
constexpr std::size_t kCasesMax = 1000, kStrategiesMax = 1000;

Result<Spec> spec_of(const toml::node& node, std::string_view key) {
  auto text = scalar_text(node, key);
  if (!text) return tl::unexpected(text.error());
  return parse_spec(*text);
}

// The file as an experiment. Keys of a run at the top level hold for every case.
class Reader {
 public:
  explicit Reader(std::string path) : path_(std::move(path)) {}

  Result<Experiment> read(Pairs& budget) {
    auto file = read_toml(path_);
    if (!file) return tl::unexpected(file.error());
    for (const auto& [name, node] : *file) {
      if (name.str() == "case") continue;
      if (auto s = top(std::string(name.str()), node, budget); !s)
        return tl::unexpected(at_line(path_, node, s.error()));
    }
    if (out_.strategies.empty()) return error("{}: no strategies", path_);
    if (auto s = put_first(); !s) return error("{}: {}", path_, s.error());
    const auto* cases = file->get_as<toml::array>("case");
    if ((!cases || cases->empty()) && out_.cases.empty()) return error("{}: no [[case]]", path_);
    if (cases && cases->size() > kCasesMax)
      return error("{}: more than {} cases", path_, kCasesMax);
    for (const auto& item : cases ? *cases : toml::array{})
      if (auto s = one_case(item); !s) return tl::unexpected(at_line(path_, item, s.error()));
    return std::move(out_);
  }

 private:
  Status top(const std::string& key, const toml::node& node, Pairs& budget) {
    static const std::vector<std::string> own = {
        "title", "trials",   "runs",       "steps", "deliveries", "simulated",  "cpu",   "time",
        "seed",  "coverage", "keep-going", "zoo",   "baseline",   "strategies", "places"};
    if (key == "strategies") {
      const auto* t = node.as_table();
      if (!t) return error("\"strategies\" is a table of name = \"explorer\"");
      if (t->size() > kStrategiesMax) return error("more than {} strategies", kStrategiesMax);
      for (const auto& [name, value] : *t) {
        auto spec = spec_of(value, name.str());
        if (!spec) return tl::unexpected(spec.error());
        out_.strategies.push_back({std::string(name.str()), *std::move(spec)});
      }
      return {};
    }
    if (key == "zoo") return exhibits(node);
    if (key == "baseline") {
      auto text = scalar_text(node, key);
      if (!text) return tl::unexpected(text.error());
      baseline_ = *std::move(text);
      return {};
    }
    const auto taken = take_run_key(common_, key, node);
    if (!taken) return tl::unexpected(taken.error());
    if (*taken) return {};
    if (std::find(own.begin(), own.end(), key) == own.end()) {
      std::vector<std::string> known = run_keys();
      known.insert(known.end(), own.begin(), own.end());
      return tl::unexpected(unknown_word("key", key, known));
    }
    auto text = scalar_text(node, key);
    if (!text) return tl::unexpected(text.error());
    budget.emplace_back(key, *std::move(text));
    return {};
  }

  // A TOML table has no order of its own: who the others are measured against is said.
  Status put_first() {
    if (baseline_.empty()) return {};
    std::vector<std::string> names;
    for (const Strategy& strategy : out_.strategies) names.push_back(strategy.name);
    const auto at = std::find(names.begin(), names.end(), baseline_);
    if (at == names.end()) return tl::unexpected(unknown_word("strategy", baseline_, names));
    const auto first = out_.strategies.begin();
    std::rotate(first, first + (at - names.begin()), first + (at - names.begin()) + 1);
    return {};
  }

  // zoo = ["raft", "paxos/own-value"]: a case each, configured by its system's declaration alone.
  Status exhibits(const toml::node& node) {
    const auto* words = node.as_array();
    if (!words) return error("\"zoo\" is a list of systems and bugs");
    for (const auto& item : *words) {
      auto word = scalar_text(item, "zoo");
      if (!word) return tl::unexpected(word.error());
      if (out_.cases.size() > kCasesMax) return error("more than {} cases", kCasesMax);
      if (!systems().find(*word)) {
        const auto exhibit = find_exhibit(*word);
        if (!exhibit) return tl::unexpected(exhibit.error());
        add(*exhibit);
        continue;
      }
      for (const Exhibit& exhibit : zoo())
        if (exhibit.system->name == *word) add(exhibit);
    }
    return {};
  }

  void add(const Exhibit& exhibit) {
    Case& c = out_.cases.emplace_back();
    c.name = exhibit.name();
    c.exhibit = exhibit;
  }

  Status one_case(const toml::node& node) {
    const auto* t = node.as_table();
    if (!t) return error("a case is a table");
    Case c;
    c.text = common_;
    for (const auto& [name, value] : *t) {
      const std::string key(name.str());
      if (auto s = case_key(c, key, value); !s) return s;
    }
    if (c.name.empty()) return error("a case needs a name");
    if (c.text.system.name.empty()) return error("case {} needs a system", c.name);
    out_.cases.push_back(std::move(c));
    return {};
  }

  Status case_key(Case& c, const std::string& key, const toml::node& node) {
    if (key == "explorers") {
      const auto* t = node.as_table();
      if (!t) return error("\"explorers\" is a table of strategy = \"explorer\"");
      for (const auto& [name, value] : *t) {
        std::vector<std::string> names;
        for (const Strategy& strategy : out_.strategies) names.push_back(strategy.name);
        if (std::find(names.begin(), names.end(), name.str()) == names.end())
          return tl::unexpected(unknown_word("strategy", name.str(), names));
        auto spec = spec_of(value, name.str());
        if (!spec) return tl::unexpected(spec.error());
        c.explorers[std::string(name.str())] = *std::move(spec);
      }
      return {};
    }
    if (key == "bug") c.text.bugs.clear();  // a case's own replace the common ones
    const auto taken = take_run_key(c.text, key, node);
    if (!taken) return tl::unexpected(taken.error());
    if (*taken) return {};
    auto text = scalar_text(node, key);
    if (!text) return tl::unexpected(text.error());
    if (key == "name") {
      c.name = *std::move(text);
      return {};
    }
    if (key == "expect") {
      if (*text != "nothing" && *text != "violation")
        return error("\"expect\" is \"nothing\" or \"violation\"");
      c.expected = *text == "violation";
      return {};
    }
    std::vector<std::string> known = run_keys();
    for (const char* own : {"name", "expect", "explorers"}) known.emplace_back(own);
    return tl::unexpected(unknown_word("key", key, known));
  }

  std::string path_, baseline_;
  RunText common_;
  Experiment out_;
};

}  // namespace

Result<Experiment> read_experiment(const std::string& path, Pairs& budget) {
  return Reader(path).read(budget);
}

}  // namespace schism::cli
