// Conditions as people write them. Everything that can be wrong is found here, in one line.
#include "schism/schema/shape.hpp"
#include "schism/schema/where.hpp"

namespace schism {
namespace {

constexpr int kDepthMax = 64;            // of parentheses
constexpr std::size_t kTermsMax = 1000;  // comparisons and what joins them

bool in_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_whole(FieldKind kind) { return kind == FieldKind::integer || kind == FieldKind::node; }
bool is_single(FieldKind kind) { return kind < FieldKind::optional; }

}  // namespace

class WhereParser {
 public:
  WhereParser(const TypeInfo& type, std::string_view text) : type_(type), text_(text) {}

  Result<Where> run() {
    auto root = either(0);
    if (!root) return tl::unexpected(root.error());
    skip();
    if (!text_.empty()) return error("\"{}\" is too much", text_);
    out_.root_ = *root;
    return std::move(out_);
  }

 private:
  using Place = Result<std::uint32_t>;
  using Test = Where::Test;
  using Order = Where::Order;

  void skip() {
    while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\t')) text_.remove_prefix(1);
  }
  bool word(std::string_view word) {
    skip();
    if (!text_.starts_with(word)) return false;
    if (in_word(word.back()) && text_.size() > word.size() && in_word(text_[word.size()]))
      return false;
    text_.remove_prefix(word.size());
    return true;
  }
  std::uint32_t add(Where::Term term) {
    out_.terms_.push_back(std::move(term));
    return static_cast<std::uint32_t>(out_.terms_.size() - 1);
  }
  std::uint32_t add(Test test, std::uint32_t left, std::uint32_t right = 0) {
    Where::Term term;
    term.test = test, term.left = left, term.right = right;
    return add(std::move(term));
  }

  Place either(int depth) {
    Place left = both(depth);
    while (left && word("or")) {
      const Place right = both(depth);
      left = right ? Place(add(Test::either, *left, *right)) : right;
    }
    return left;
  }
  Place both(int depth) {
    Place left = one(depth);
    while (left && word("and")) {
      const Place right = one(depth);
      left = right ? Place(add(Test::both, *left, *right)) : right;
    }
    return left;
  }
  Place one(int depth) {
    if (depth > kDepthMax) return error("it is nested too deeply");
    if (word("not")) {
      const Place inner = one(depth + 1);
      return inner ? Place(add(Test::negation, *inner)) : inner;
    }
    if (!word("(")) return comparison();
    const Place inner = either(depth + 1);
    if (inner && !word(")")) return error("a ( is not closed");
    return inner;
  }

  Place comparison() {
    skip();
    if (out_.terms_.size() > kTermsMax) return error("it has more than {} parts", kTermsMax);
    const std::string_view from = text_;
    auto path = Path::take(type_, text_);
    if (!path) return tl::unexpected(path.error());
    const std::string name(from.substr(0, from.size() - text_.size()));
    Where::Term term;
    term.left = static_cast<std::uint32_t>(out_.paths_.size());
    out_.paths_.push_back(*std::move(path));
    if (word("has")) return has(std::move(term), name);
    const auto sign = comparator();
    if (!sign) {
      if (type_of(term).kind == FieldKind::boolean) return add(quick(std::move(term), true, 1));
      return error("what is asked of {}? It is {}; compare it: =, !=, <, <=, >, >=, has", name,
                   a_kind(type_of(term).kind));
    }
    term.order = *sign;
    if (auto good = operand(term, type_of(term), name); !good) return tl::unexpected(good.error());
    const bool ordering = term.order > Order::unequal;
    const bool numbers = is_numeric(type_of(term).kind);
    if (ordering && !numbers && type_of(term).kind != FieldKind::text)
      return error("{} is {}: only = and != compare it", name, a_kind(type_of(term).kind));
    if (ordering && std::holds_alternative<Value>(term.other) &&
        std::get<Value>(term.other).is_null())
      return error("nothing is neither more nor less than {}", name);
    return add(std::move(term));
  }
  Place has(Where::Term term, const std::string& name) {
    const FieldType& type = type_of(term);
    const FieldType* item = type.kind == FieldKind::map ? type.key : type.item;
    if (!item || !is_single(item->kind))
      return error("{} has no items that could be compared", name);
    term.test = Test::has;
    if (auto good = operand(term, *item, name + " has"); !good) return tl::unexpected(good.error());
    return add(std::move(term));
  }
  const FieldType& type_of(const Where::Term& term) const { return out_.paths_[term.left].type(); }

  std::optional<Order> comparator() {
    if (word("==") || word("=")) return Order::equal;
    if (word("!=")) return Order::unequal;
    if (word("<=")) return Order::at_most;
    if (word(">=")) return Order::at_least;
    if (word("<")) return Order::less;
    if (word(">")) return Order::greater;
    return std::nullopt;
  }

  // What stands at the right: a constant that such a field can have, or another field.
  Status operand(Where::Term& term, const FieldType& type, const std::string& name) {
    skip();
    if (word("nothing")) return term.other = Value(), Status();
    if (is_numeric(type.kind))
      if (auto number = number_here()) return constant(term, type, std::move(*number));
    if (type.kind == FieldKind::boolean) {
      if (word("true")) return term = quick(std::move(term), true, 1), Status();
      if (word("false")) return term = quick(std::move(term), false, 0), Status();
    }
    if (type.kind == FieldKind::word)
      for (std::size_t i = 0; !nth_word(type.words, i).empty(); ++i)
        if (word(nth_word(type.words, i)))
          return term = quick(std::move(term), nth_word(type.words, i), i), Status();
    if (type.kind == FieldKind::text || type.kind == FieldKind::word)
      if (auto text = quoted()) return constant(term, type, std::move(*text));
    return field_here(term, type, name);
  }
  Status constant(Where::Term& term, const FieldType& type, Value value) {
    if (type.kind == FieldKind::word && !fits(type, value))
      return error("{} is none of {}", to_json(value), type.words);
    if (is_whole(type.kind) && value.as_int()) {
      const I128 number = *value.as_int();
      term = quick(std::move(term), std::move(value), number);
    } else {
      term.other = std::move(value);
    }
    return {};
  }
  // A constant that is a number in the object's memory.
  Where::Term quick(Where::Term term, Value value, I128 number) {
    term.other = std::move(value), term.constant = number;
    term.quick = term.test == Test::compare && type_of(term).bytes > 0;
    return term;
  }
  Status field_here(Where::Term& term, const FieldType& type, const std::string& name) {
    std::string_view rest = text_;
    auto path = Path::take(type_, rest);
    if (!path) {
      const std::string found(text_.substr(0, text_.find_first_of(" )")));
      if (type.kind == FieldKind::word)
        return error("{} is none of {}", found.empty() ? "nothing at all" : found, type.words);
      return error("{} is {}, and \"{}\" is neither one nor a field{}", name, a_kind(type.kind),
                   found, type.kind == FieldKind::text ? " (texts stand in quotes)" : "");
    }
    const FieldType& other = path->type();
    const bool alike = type.kind == other.kind || (is_numeric(type.kind) && is_numeric(other.kind));
    if (!alike || type.words != other.words)
      return error("{} is {} and cannot be compared with {}", name, a_kind(type.kind),
                   a_kind(other.kind));
    text_ = rest;
    term.other = *std::move(path);
    return {};
  }

  std::optional<Value> number_here() {
    std::size_t end = 0;
    while (end < text_.size() && (in_word(text_[end]) || text_[end] == '.' || text_[end] == '-' ||
                                  (text_[end] == '+' && end > 0)))
      ++end;
    const std::string_view found = text_.substr(0, end);
    if (found.empty() || !(found[0] == '-' || (found[0] >= '0' && found[0] <= '9')))
      return std::nullopt;
    auto value = parse_json(found);
    if (!value || !value->as_number()) return std::nullopt;
    text_.remove_prefix(end);
    return value;
  }
  std::optional<Value> quoted() {  // 'as it is', or "as in JSON"
    if (text_.empty() || (text_[0] != '"' && text_[0] != '\'')) return std::nullopt;
    const char mark = text_[0];
    std::size_t end = 1;
    while (end < text_.size() && text_[end] != mark)
      end += mark == '"' && text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size()) return std::nullopt;
    auto value = mark == '"' ? parse_json(text_.substr(0, end + 1))
                             : std::optional<Value>(text_.substr(1, end - 1));
    if (value) text_.remove_prefix(end + 1);
    return value;
  }

  const TypeInfo& type_;
  std::string_view text_;
  Where out_;
};

Result<Where> Where::parse(const TypeInfo& type, std::string_view text) {
  auto out = WhereParser(type, text).run();
  if (!out) return error("{}: {}", text, out.error());
  return out;
}

}  // namespace schism
