#include "schism/base/params.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace schism {
namespace {

constexpr std::size_t kWordMax = 100;  // longer words resemble nothing, and are shown cut

// Insertions, deletions, replacements, and neighbours that changed places.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t other = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + other});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

bool read_double(std::string_view text, double& d) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), d);
  return failure == std::errc() && end == text.data() + text.size();
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  if (word.size() > kWordMax) return best;  // nobody mistyped that
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 2);
  for (const std::string& candidate : candidates) {
    const bool begins = !word.empty() && candidate.starts_with(word);
    const std::size_t distance = begins ? 1 : edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string unknown_word(std::string_view what, std::string_view word,
                         const std::vector<std::string>& candidates) {
  const bool long_word = word.size() > kWordMax;
  std::string out =
      fmt::format("no {} \"{}{}\"", what, word.substr(0, kWordMax), long_word ? "…" : "");
  const std::string close = nearest(word, candidates);
  if (!close.empty()) return fmt::format("{}; did you mean \"{}\"?", out, close);
  if (candidates.empty()) return out + "; there is none";
  if (candidates.size() > 24) return out;  // a line is a line
  out += "; there is ";
  for (std::size_t i = 0; i < candidates.size(); ++i) out += (i == 0 ? "" : ", ") + candidates[i];
  return out;
}

std::string print_duration(Micros us) {
  if (us % 1'000'000 == 0) return fmt::format("{}s", us / 1'000'000);
  if (us % 1000 == 0) return fmt::format("{}ms", us / 1000);
  return fmt::format("{}us", us);
}

Result<Micros> parse_duration(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, double>, 5> units = {
      {{"us", 1}, {"ms", 1e3}, {"s", 1e6}, {"min", 6e7}, {"h", 3.6e9}}};
  const auto digits = text.find_first_not_of("0123456789.");
  double number = 0;
  const bool numeric = read_double(text.substr(0, digits), number);
  const std::string_view unit = digits == std::string_view::npos ? "" : text.substr(digits);
  for (const auto& [name, us] : units)
    if (numeric && unit == name && number * us < 9e18) return static_cast<Micros>(number * us);
  if (numeric && number == 0 && unit.empty()) return 0;
  return error("is a time such as 150ms, not \"{}\"", text);
}

Result<std::int64_t> parse_integer(std::string_view text, std::int64_t low, std::int64_t high) {
  std::int64_t i = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), i);
  if (failure != std::errc() || end != text.data() + text.size() || i < low || i > high)
    return error("is a whole number from {} to {}, not \"{}\"", low, high, text);
  return i;
}

Result<std::uint64_t> parse_seed(std::string_view text) {
  std::uint64_t seed = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (failure != std::errc() || end != text.data() + text.size())
    return error("is a whole number from 0 to {}, not \"{}\"", UINT64_MAX, text);
  return seed;
}

Result<double> parse_number(std::string_view text, double low, double high) {
  double d = 0;
  if (!read_double(text, d) || !(d >= low && d <= high))
    return error("is a number from {} to {}, not \"{}\"", detail::print_number(low),
                 detail::print_number(high), text);
  return d;
}

Result<bool> parse_flag(std::string_view text) {
  if (text == "true" || text == "on" || text == "1") return true;
  if (text == "false" || text == "off" || text == "0") return false;
  return error("is true or false, not \"{}\"", text);
}

std::vector<std::string> Params::names() const {
  std::vector<std::string> out;
  for (const Param& p : list_) out.push_back(p.name);
  return out;
}

const Param* Params::find(std::string_view name) const {
  for (const Param& p : list_) {
    if (p.name == name) return &p;
    if (p.name.ends_with("*") && name.size() >= p.name.size() &&
        name.starts_with(std::string_view(p.name).substr(0, p.name.size() - 1)))
      return &p;
  }
  return nullptr;
}

Status Params::set(void* object, std::string_view name, std::string_view text,
                   std::string_view owner) const {
  const Param* param = find(name);
  if (!param) return error("{} has {}", owner, unknown_word("parameter", name, names()));
  const Status status = param->set(object, name, text);
  if (status) return status;
  return error("{}: {} {}", owner, name, status.error());
}

std::vector<std::pair<std::string, std::string>> Params::all(const void* object) const {
  std::vector<std::pair<std::string, std::string>> out;
  for (const Param& p : list_)
    for (auto& pair : p.get(object)) out.push_back(std::move(pair));
  return out;
}

std::vector<std::pair<std::string, std::string>> Params::changed(const void* object) const {
  std::vector<std::pair<std::string, std::string>> out;
  for (const Param& p : list_)
    for (auto& pair : p.get(object))
      if (pair.second != p.fallback) out.push_back(std::move(pair));
  return out;
}

void Params::finish(Param param, std::string name, std::string meaning, const void* fresh) {
  if (param.print)
    param.get = [name, print = param.print](const void* object) {
      return std::vector{std::pair{name, print(object)}};
    };
  param.name = std::move(name);
  param.meaning = std::move(meaning);
  const auto defaults = param.get(fresh);
  if (defaults.size() == 1 && defaults[0].first == param.name) param.fallback = defaults[0].second;
  list_.push_back(std::move(param));
}

namespace detail {

Result<std::vector<std::int64_t>> parse_list(std::string_view text) {
  std::vector<std::int64_t> out;
  if (text.empty()) return out;
  for (const std::string_view part : split(text, '/')) {
    const auto i = parse_integer(part, -1'000'000'000, 1'000'000'000);
    if (!i) return error("is a list such as 0/250/0, not \"{}\"", text);
    out.push_back(*i);
  }
  return out;
}

std::string print_list(const std::vector<std::int64_t>& list) {
  std::string out;
  for (const std::int64_t i : list) out += (out.empty() ? "" : "/") + std::to_string(i);
  return out;
}

std::string print_number(double d) {  // shortest that reads back
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, d).ptr;
  return {text, end};
}

Param integer_param(Place place, Integer how, std::int64_t low, std::int64_t high) {
  Param p;
  p.range = fmt::format("{} to {}", low, high);
  p.values = {Values::integer, low, high};
  p.set = [=](void* object, std::string_view, std::string_view text) -> Status {
    const auto i = parse_integer(text, low, high);
    if (!i) return tl::unexpected(i.error());
    how.write(place.in(object), *i);
    return {};
  };
  p.print = [=](const void* object) { return std::to_string(how.read(place.of(object))); };
  return p;
}

Param double_param(Place place, double low, double high) {
  Param p;
  p.range = print_number(low) + " to " + print_number(high);
  p.values.kind = Values::number;
  p.set = [=](void* object, std::string_view, std::string_view text) -> Status {
    const auto d = parse_number(text, low, high);
    if (!d) return tl::unexpected(d.error());
    *static_cast<double*>(place.in(object)) = *d;
    return {};
  };
  p.print = [=](const void* object) {
    return print_number(*static_cast<const double*>(place.of(object)));
  };
  return p;
}

Param duration_param(Place place, Micros low, Micros high) {
  Param p;
  p.range = print_duration(low) + " to " + print_duration(high);
  p.values.kind = Values::duration;
  p.set = [=](void* object, std::string_view, std::string_view text) -> Status {
    const auto us = parse_duration(text);
    if (!us) return tl::unexpected(us.error());
    if (*us < low || *us > high)
      return error("is {} to {}, not \"{}\"", print_duration(low), print_duration(high), text);
    *static_cast<Micros*>(place.in(object)) = *us;
    return {};
  };
  p.print = [=](const void* object) {
    return print_duration(*static_cast<const Micros*>(place.of(object)));
  };
  return p;
}

Param flag_param(Place place) {
  Param p;
  p.range = "true or false";
  p.values.kind = Values::flag;
  p.set = [=](void* object, std::string_view, std::string_view text) -> Status {
    const auto b = parse_flag(text);
    if (!b) return tl::unexpected(b.error());
    *static_cast<bool*>(place.in(object)) = *b;
    return {};
  };
  p.print = [=](const void* object) {
    return std::string(*static_cast<const bool*>(place.of(object)) ? "true" : "false");
  };
  return p;
}

Param word_param(Place place, Integer how, std::vector<std::string> words) {
  Param p;
  for (std::size_t i = 0; i < words.size(); ++i)
    p.range += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  p.values = {Values::word, 0, 0, words};
  p.print = [=](const void* object) {
    return words[static_cast<std::size_t>(how.read(place.of(object)))];
  };
  p.set = [=](void* object, std::string_view, std::string_view text) -> Status {
    const auto found = std::find(words.begin(), words.end(), text);
    if (found == words.end()) return error("has {}", unknown_word("choice", text, words));
    how.write(place.in(object), found - words.begin());
    return {};
  };
  return p;
}

Param list_param(Place place) {
  Param p;
  using List = std::vector<std::int64_t>;
  p.range = "a list such as 0/250/0";
  p.set = [=](void* object, std::string_view, std::string_view text) -> Status {
    auto list = parse_list(text);
    if (!list) return tl::unexpected(list.error());
    *static_cast<List*>(place.in(object)) = *std::move(list);
    return {};
  };
  p.print = [=](const void* object) {
    return print_list(*static_cast<const List*>(place.of(object)));
  };
  return p;
}

Param weights_param(Place place, std::string_view name) {
  Param p;
  p.range = "0 to 1000000, for any name";
  const std::string family(name.substr(0, name.size() - 1));  // "timer." of "timer.*"
  p.set = [=](void* object, std::string_view full, std::string_view text) -> Status {
    const auto i = parse_integer(text, 0, 1'000'000);
    if (!i) return tl::unexpected(i.error());
    (*static_cast<Weights*>(place.in(object)))[std::string(full.substr(family.size()))] = *i;
    return {};
  };
  p.get = [=](const void* object) {
    std::vector<std::pair<std::string, std::string>> out;
    for (const auto& [key, weight] : *static_cast<const Weights*>(place.of(object)))
      out.emplace_back(family + key, std::to_string(weight));
    return out;
  };
  return p;
}

Param text_param(Place place) {
  Param p;
  p.range = "a text";
  p.set = [=](void* object, std::string_view, std::string_view text) -> Status {
    *static_cast<std::string*>(place.in(object)) = std::string(text);
    return {};
  };
  p.print = [=](const void* object) { return *static_cast<const std::string*>(place.of(object)); };
  return p;
}

}  // namespace detail
}  // namespace schism
