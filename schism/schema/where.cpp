#include "schism/schema/where.hpp"

#include <bit>
#include <cmath>
#include <cstring>

#include "schism/base/params.hpp"
#include "schism/schema/shape.hpp"

namespace schism {
namespace {

constexpr int kDepthMax = 64;  // of parentheses

bool in_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_whole(FieldKind kind) { return kind == FieldKind::integer || kind == FieldKind::node; }
bool is_numeric(FieldKind kind) { return is_whole(kind) || kind == FieldKind::number; }
bool is_single(FieldKind kind) { return kind < FieldKind::optional; }

// Whole numbers against fractions without rounding: 2^53 + 1 is not 2^53.
std::partial_ordering order(I128 whole, double number) {
  if (std::isnan(number)) return std::partial_ordering::unordered;
  constexpr double most = 0x1p100;  // beyond every field
  if (number >= most) return std::partial_ordering::less;
  if (number <= -most) return std::partial_ordering::greater;
  const double below = std::floor(number);
  const auto floor = static_cast<I128>(below);
  if (whole != floor)
    return whole < floor ? std::partial_ordering::less : std::partial_ordering::greater;
  return number > below ? std::partial_ordering::less : std::partial_ordering::equivalent;
}

std::partial_ordering order_numbers(const FieldType& a, const Value& x, const FieldType& b,
                                    const Value& y) {
  if (x.as_int() && y.as_int()) {
    const I128 l = whole_number(a, *x.as_int()), r = whole_number(b, *y.as_int());
    return l < r   ? std::partial_ordering::less
           : l > r ? std::partial_ordering::greater
                   : std::partial_ordering::equivalent;
  }
  if (!x.as_number() || !y.as_number()) return std::partial_ordering::unordered;
  if (x.as_int()) return order(whole_number(a, *x.as_int()), *y.as_number());
  if (y.as_int()) {
    const auto turned = order(whole_number(b, *y.as_int()), *x.as_number());
    return turned == std::partial_ordering::unordered ? turned : 0 <=> turned;
  }
  return *x.as_number() <=> *y.as_number();
}

}  // namespace

// ---- parsing -----------------------------------------------------------------------------------

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

// ---- judging -----------------------------------------------------------------------------------

namespace {

static_assert(std::endian::native == std::endian::little);
I128 load_bytes(const FieldType& type, const char* at) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, type.bytes);
  if (type.natural) return bits;
  const int unused = 64 - 8 * type.bytes;
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

}  // namespace

std::optional<I128> Where::load(const Path& path, const void* object) const {
  const std::int32_t offset = path.offset();
  if (offset < 0) return std::nullopt;
  return load_bytes(path.type(), static_cast<const char*>(object) + offset);
}

namespace {

template <class Order>
bool stands(Order order, std::partial_ordering found) {
  switch (order) {
    case Order::equal: return found == 0;
    case Order::unequal: return found != 0;
    case Order::less: return found < 0;
    case Order::at_most: return found <= 0;
    case Order::greater: return found > 0;
    case Order::at_least: return found >= 0;
  }
  return false;
}

const Value& read(const Value& constant, const void*) { return constant; }
const Value& read(const Value& constant, const Value&) { return constant; }
Value read(const Path& path, const void* object) { return path.read(object); }
Value read(const Path& path, const Value& value) { return path.read(value); }

std::partial_ordering order_values(const FieldType& a, const Value& x, const FieldType& b,
                                   const Value& y) {
  if (is_numeric(a.kind)) return order_numbers(a, x, b, y);
  if (x.as_text() && y.as_text()) return x.as_text()->compare(*y.as_text()) <=> 0;
  return x == y ? std::partial_ordering::equivalent : std::partial_ordering::unordered;
}

}  // namespace

template <class Source>
bool Where::compare(const Term& term, const Source& source) const {
  const Path& path = paths_[term.left];
  if (term.quick)
    if (const auto number = load(path, source))
      return stands(term.order, *number <=> term.constant);
  const Value left = path.read(source);
  return std::visit(
      [&](const auto& other) {
        constexpr bool constant = std::is_same_v<std::decay_t<decltype(other)>, Value>;
        const Value& right = read(other, source);
        if constexpr (constant)
          if (right.is_null()) return left.is_null() == (term.order == Order::equal);
        if (left.is_null() || right.is_null()) return false;
        const FieldType* type = &path.type();
        if constexpr (!constant) type = &other.type();
        static constexpr FieldType plain;  // a constant is what it says
        return stands(term.order, order_values(path.type(), left, constant ? plain : *type, right));
      },
      term.other);
}

template <class Source>
bool Where::has(const Term& term, const Source& source) const {
  const Path& path = paths_[term.left];
  const Value all = path.read(source);
  const Value::Array* items = all.as_array();
  if (!items) return false;
  const bool map = path.type().kind == FieldKind::map;
  const FieldType& type = map ? *path.type().key : *path.type().item;
  return std::visit(
      [&](const auto& other) {
        const Value& wanted = read(other, source);
        static constexpr FieldType plain;
        const FieldType* wanted_type = &plain;
        if constexpr (!std::is_same_v<std::decay_t<decltype(other)>, Value>)
          wanted_type = &other.type();
        for (const Value& item : *items) {
          const auto* pair = map ? item.as_array() : nullptr;
          if (map && (!pair || pair->empty())) continue;
          const Value& found = map ? (*pair)[0] : item;
          if (!found.is_null() && order_values(type, found, *wanted_type, wanted) == 0) return true;
        }
        return false;
      },
      term.other);
}

template <class Source>
bool Where::holds_at(std::uint32_t number, const Source& source) const {
  const Term& term = terms_[number];
  switch (term.test) {
    case Test::both: return holds_at(term.left, source) && holds_at(term.right, source);
    case Test::either: return holds_at(term.left, source) || holds_at(term.right, source);
    case Test::negation: return !holds_at(term.left, source);
    case Test::has: return has(term, source);
    case Test::compare: return compare(term, source);
  }
  return false;
}

template bool Where::holds_at(std::uint32_t, const Value&) const;
template bool Where::holds_at(std::uint32_t, const void* const&) const;

}  // namespace schism
