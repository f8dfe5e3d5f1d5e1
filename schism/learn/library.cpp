#include "schism/learn/library.hpp"

#include <algorithm>
#include <optional>

#include "schism/base/params.hpp"
#include "schism/system/system.hpp"

namespace schism::learn {
namespace {

constexpr int kDepthMax = 32;
constexpr std::int64_t kNumberMax = 1'000'000;

struct Template {
  std::string name;
  std::vector<std::string> names;
  std::string text;
  std::vector<std::string> via;
};
struct Call {
  std::string name;
  std::vector<std::string> arguments;
};

bool in_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return std::string(text);
}

std::vector<std::string> parts_of(std::string_view text) {  // at commas outside of parentheses
  std::vector<std::string> out;
  int depth = 0;
  std::size_t from = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (text[i] != ',' || depth > 0) continue;
    out.push_back(trim(text.substr(from, i - from)));
    from = i + 1;
  }
  if (!trim(text).empty()) out.push_back(trim(text.substr(from)));
  return out;
}

// "name(a, b)" or "name", and nothing else.
std::optional<Call> call_of(std::string_view text) {
  const std::string all = trim(text);
  std::size_t end = 0;
  while (end < all.size() && in_word(all[end])) ++end;
  if (end == 0) return std::nullopt;
  Call out{all.substr(0, end), {}};
  if (end == all.size()) return out;
  if (all[end] != '(' || all.back() != ')') return std::nullopt;
  const std::string inside = all.substr(end + 1, all.size() - end - 2);
  int depth = 0;
  for (const char c : inside) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth < 0) return std::nullopt;
  }
  out.arguments = parts_of(inside);
  return out;
}

Template template_of(const std::string& line) {
  Template out;
  const std::size_t colon =
      line.find("): ") == std::string::npos ? line.find(": ") : line.find("): ") + 1;
  if (const auto call = call_of(line.substr(0, colon)))
    out.name = call->name, out.names = call->arguments;
  std::string rest = line.substr(std::min(line.size(), colon + 2));
  const std::size_t via = rest.find(" via ");
  if (via != std::string::npos) {
    out.via = parts_of(rest.substr(via + 5));
    rest = rest.substr(0, via);
  }
  out.text = trim(rest);
  return out;
}

// "3", "3-1", "2+1".
Result<std::int64_t> number_of(std::string_view text) {
  std::int64_t sum = 0, sign = 1;
  const std::string all = trim(text);
  std::size_t i = 0;
  while (i <= all.size()) {
    const std::size_t end = std::min(all.find_first_of("+-", i), all.size());
    const auto part = parse_integer(trim(all.substr(i, end - i)), 0, kNumberMax);
    if (!part) return error("\"{}\" is no whole number", all);
    sum += sign * *part;
    if (end == all.size()) return sum;
    sign = all[end] == '-' ? -1 : 1;
    i = end + 1;
  }
  return error("\"{}\" is no whole number", all);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "4-1" becomes "3": conditions do not reckon.
std::string reckoned(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const bool begins = is_digit(text[i]) && (i == 0 || !in_word(text[i - 1]));
    std::size_t end = i;
    while (begins && end < text.size() &&
           (is_digit(text[end]) || ((text[end] == '-' || text[end] == '+') &&
                                    end + 1 < text.size() && is_digit(text[end + 1]))))
      ++end;
    const auto number = begins ? number_of(text.substr(i, end - i)) : Result<std::int64_t>(0);
    if (begins && number) out += std::to_string(*number);
    else if (begins) out += text.substr(i, end - i);
    else out += text[end++];
    i = end;
  }
  return out;
}

// Names replaced by their numbers, as whole words.
std::string with_numbers(const std::string& text, const Template& of,
                         const std::vector<std::int64_t>& numbers) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && in_word(text[end])) ++end;
    const std::string word = text.substr(i, end - i);
    const auto name = std::find(of.names.begin(), of.names.end(), word);
    if (end > i && name != of.names.end())
      out += std::to_string(numbers[static_cast<std::size_t>(name - of.names.begin())]);
    else if (end > i) out += word;
    else out += text[end++];
    i = end;
  }
  return reckoned(out);
}

const std::vector<std::string> kFolds = {"any", "all", "count", "max",
                                         "min", "sum", "not",   "script"};

// A predicate is no name of the library.
bool is_name(const std::optional<Call>& call) {
  return call && std::find(kFolds.begin(), kFolds.end(), call->name) == kFolds.end();
}

class Expander {
 public:
  explicit Expander(const System& system) {
    for (const std::string& line : system.lessons.predicates) known_.push_back(template_of(line));
  }

  const Template* find(std::string_view name) const {
    for (const Template& t : known_)
      if (t.name == name) return &t;
    return nullptr;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const Template& t : known_) out.push_back(t.name);
    return out;
  }

  Status add(const Call& call, int depth) {
    const Template* own = find(call.name);
    if (!own) return tl::unexpected(unknown_word("predicate", call.name, names()));
    if (depth > kDepthMax) return error("{} leads back to itself", call.name);
    if (call.arguments.size() != own->names.size())
      return error("{} takes {} number{}, not {}", call.name, own->names.size(),
                   own->names.size() == 1 ? "" : "s", call.arguments.size());
    std::vector<std::int64_t> numbers;
    for (const std::string& argument : call.arguments) {
      const auto number = number_of(argument);
      if (!number) return error("{}: {}", call.name, number.error());
      numbers.push_back(*number);
    }
    for (const std::string& via : own->via)
      if (auto s = add_range(with_numbers(via, *own, numbers), depth + 1); !s) return s;
    const std::string text = with_numbers(own->text, *own, numbers);
    if (std::find(out.begin(), out.end(), text) == out.end()) out.push_back(text);
    return {};
  }

  std::vector<std::string> out;

 private:
  // "f(1..3)" is f(1), f(2), f(3).
  Status add_range(const std::string& text, int depth) {
    const auto call = call_of(text);
    if (!is_name(call)) {
      if (std::find(out.begin(), out.end(), text) == out.end()) out.push_back(text);
      return {};
    }
    for (std::size_t i = 0; i < call->arguments.size(); ++i) {
      const std::size_t dots = call->arguments[i].find("..");
      if (dots == std::string::npos) continue;
      const auto low = number_of(call->arguments[i].substr(0, dots));
      const auto high = number_of(call->arguments[i].substr(dots + 2));
      if (!low) return tl::unexpected(low.error());
      if (!high) return tl::unexpected(high.error());
      for (std::int64_t n = *low; n <= *high && n <= *low + 64; ++n) {
        Call one = *call;
        one.arguments[i] = std::to_string(n);
        if (auto s = add(one, depth); !s) return s;
      }
      return {};
    }
    return add(*call, depth);
  }

  std::vector<Template> known_;
};

}  // namespace

Result<std::vector<std::string>> expand(const System& system, std::string_view text) {
  const auto call = call_of(text);
  if (!is_name(call)) return std::vector<std::string>{trim(text)};
  Expander expander(system);
  if (auto s = expander.add(*call, 0); !s) return tl::unexpected(s.error());
  return expander.out;
}

std::vector<std::string> library_names(const System& system) {
  std::vector<std::string> out;
  for (const std::string& line : system.lessons.predicates) {
    const Template t = template_of(line);
    std::string name = t.name;
    for (std::size_t i = 0; i < t.names.size(); ++i) name += (i == 0 ? "(" : ", ") + t.names[i];
    out.push_back(t.names.empty() ? name : name + ")");
  }
  return out;
}

}  // namespace schism::learn
