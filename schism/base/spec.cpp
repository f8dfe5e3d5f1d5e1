#include "schism/base/spec.hpp"

#include <fmt/format.h>

namespace schism {
namespace {

constexpr std::size_t kPartsMax = 1000;        // parameters, or children, of one strategy or system
constexpr std::string_view kMarks = ",;()\"";  // what a value can hold only in quotes

// Reads one word from the left to the right; the first problem ends it.
class SpecReader {
 public:
  explicit SpecReader(std::string_view text) : text_(text) {}

  Result<Spec> read() {
    auto spec = read_one(0);
    if (!spec) return spec;
    if (at_ < text_.size())
      return error("\"{}\": the \"{}\" at character {} has no place there", text_, text_[at_],
                   at_ + 1);
    return spec;
  }

 private:
  Result<Spec> read_one(int depth) {
    Spec spec;
    spec.name = std::string(up_to(":;()"));
    if (spec.name.empty())
      return depth == 0 ? Result<Spec>(error("a name is missing"))
                        : error("\"{}\": a name is missing at character {}", text_, at_ + 1);
    if (take(':'))
      if (auto good = read_values(spec); !good) return tl::unexpected(good.error());
    if (at_ < text_.size() && text_[at_] == '(')
      if (auto good = read_children(spec, depth); !good) return tl::unexpected(good.error());
    return spec;
  }

  Status read_values(Spec& spec) {
    do {
      const std::size_t begin = at_;
      const std::string key(up_to("=,;()"));
      const bool named = !key.empty() && take('=');
      auto value = named ? read_value() : Result<std::string>(std::string());
      if (!value) return tl::unexpected(value.error());
      if (!named) {
        up_to(",;()");
        return error("\"{}\" in \"{}\" is not of the form parameter=value",
                     text_.substr(begin, at_ - begin), text_);
      }
      if (spec.values.size() == kPartsMax)
        return error("{} has more than {} parameters", spec.name, kPartsMax);
      for (const auto& [earlier, other] : spec.values)
        if (earlier == key) return error("\"{}\" stands twice in \"{}\"", key, text_);
      spec.values.emplace_back(key, *std::move(value));
    } while (take(','));
    return {};
  }

  Result<std::string> read_value() {
    const std::size_t begin = at_;
    if (!take('"')) return std::string(up_to(kMarks));
    std::string out;
    for (; at_ < text_.size(); ++at_) {
      if (take('"')) return out;
      if (text_[at_] == '\\' && ++at_ == text_.size()) break;
      out += text_[at_];
    }
    return error("\"{}\": the quote at character {} is not closed", text_, begin + 1);
  }

  Status read_children(Spec& spec, int depth) {
    const std::size_t begin = at_++;
    if (depth + 1 == kSpecDepthMax)
      return error("\"{}\": nested more than {} deep at character {}", text_, kSpecDepthMax,
                   begin + 1);
    do {
      if (spec.children.size() == kPartsMax)
        return error("{} has more than {} children", spec.name, kPartsMax);
      auto child = read_one(depth + 1);
      if (!child) return tl::unexpected(child.error());
      spec.children.push_back(*std::move(child));
    } while (take(';'));
    if (take(')')) return {};
    if (at_ == text_.size())
      return error("\"{}\": the ( at character {} is not closed", text_, begin + 1);
    return error("\"{}\": the \"{}\" at character {} has no place there", text_, text_[at_],
                 at_ + 1);
  }

  std::string_view up_to(std::string_view marks) {
    const std::string_view rest = text_.substr(at_);
    const std::string_view out = rest.substr(0, rest.find_first_of(marks));
    at_ += out.size();
    return out;
  }

  bool take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::string print_value(const std::string& value) {
  if (value.find_first_of(kMarks) == std::string::npos) return value;
  std::string out = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

}  // namespace

Result<Spec> parse_spec(std::string_view text) { return SpecReader(text).read(); }

std::string print_spec(const Spec& spec) {
  std::string out = spec.name;
  for (std::size_t i = 0; i < spec.values.size(); ++i)
    out += (i == 0 ? ":" : ",") + spec.values[i].first + "=" + print_value(spec.values[i].second);
  for (std::size_t i = 0; i < spec.children.size(); ++i)
    out += (i == 0 ? "(" : ";") + print_spec(spec.children[i]);
  return spec.children.empty() ? out : out + ")";
}

}  // namespace schism
