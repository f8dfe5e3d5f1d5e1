// Predicates as people write them. Everything that can be wrong is found here, in one line.
#include "schism/base/file.hpp"
#include "schism/learn/library.hpp"
#include "schism/learn/predicate.hpp"
#include "schism/scenario/progress.hpp"
#include "schism/system/system.hpp"

namespace schism::learn {
namespace {

constexpr int kDepthMax = 64;
constexpr std::size_t kTermsMax = 200;

bool in_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

// Where `word` stands outside of brackets and quotes; npos: nowhere.
std::size_t find_outside(std::string_view text, std::string_view word) {
  int depth = 0;
  for (std::size_t i = 0; i + word.size() <= text.size(); ++i) {
    if (depth == 0 && text.substr(i, word.size()) == word) return i;
    if (text[i] == '"' || text[i] == '\'') {
      const std::size_t end = text.find(text[i], i + 1);
      if (end == std::string_view::npos) return end;
      i = end;
    } else if (text[i] == '(' || text[i] == '[') {
      ++depth;
    } else if (text[i] == ')' || text[i] == ']') {
      --depth;
    }
  }
  return std::string_view::npos;
}

}  // namespace

class PredicateParser {
 public:
  PredicateParser(const System& system, std::string_view text, Scripts* scripts)
      : system_(system), text_(text), scripts_(scripts) {
    out_.text_ = std::string(trimmed(text));
  }

  Result<Predicate> run() {
    auto root = either(0);
    if (!root) return tl::unexpected(root.error());
    skip();
    if (!text_.empty()) return error("\"{}\" is too much", text_);
    out_.root_ = *root;
    return std::move(out_);
  }

 private:
  using Place = Result<std::uint32_t>;
  using Test = Predicate::Test;
  using Fold = Predicate::Fold;
  using Order = Predicate::Order;
  using Number = Predicate::Number;
  using View = Predicate::View;

  void skip() { text_.remove_prefix(text_.size() - from_here().size()); }
  std::string_view from_here() const {
    const std::size_t at = text_.find_first_not_of(" \t");
    return at == std::string_view::npos ? std::string_view() : text_.substr(at);
  }
  bool word(std::string_view word) {
    skip();
    if (!text_.starts_with(word)) return false;
    if (in_word(word.back()) && text_.size() > word.size() && in_word(text_[word.size()]))
      return false;
    text_.remove_prefix(word.size());
    return true;
  }
  std::uint32_t add(Predicate::Term term) {
    out_.terms_.push_back(std::move(term));
    return static_cast<std::uint32_t>(out_.terms_.size() - 1);
  }
  std::uint32_t join(Test test, std::uint32_t left, std::uint32_t right = 0) {
    Predicate::Term term;
    term.test = test, term.left = left, term.right = right;
    return add(std::move(term));
  }

  Place either(int depth) {
    Place left = both(depth);
    while (left && word("or")) {
      const Place right = both(depth);
      left = right ? Place(join(Test::either, *left, *right)) : right;
    }
    return left;
  }
  Place both(int depth) {
    Place left = one(depth);
    while (left && word("and")) {
      const Place right = one(depth);
      left = right ? Place(join(Test::both, *left, *right)) : right;
    }
    return left;
  }
  Place one(int depth) {
    if (depth > kDepthMax) return error("it is nested too deeply");
    if (out_.terms_.size() > kTermsMax) return error("it has more than {} parts", kTermsMax);
    if (word("not")) {
      const Place inner = one(depth + 1);
      return inner ? Place(join(Test::negation, *inner)) : inner;
    }
    if (word("(")) {
      const Place inner = either(depth + 1);
      if (inner && !word(")")) return error("a ( is not closed");
      return inner;
    }
    for (const Test test : {Test::any, Test::all}) {
      if (!word(test == Test::any ? "any" : "all")) continue;
      auto inside = parentheses();
      if (!inside) return tl::unexpected(inside.error());
      Predicate::Term term;
      term.test = test;
      if (auto views = conditions(*inside); views) term.views = *std::move(views);
      else return tl::unexpected(views.error());
      return add(std::move(term));
    }
    return comparison();
  }

  Place comparison() {
    Predicate::Term term;
    if (auto left = numbers(term, 1); !left) return tl::unexpected(left.error());
    if (word("==") || word("=")) term.order = Order::equal;
    else if (word("!=")) term.order = Order::unequal;
    else if (word("<=")) term.order = Order::at_most;
    else if (word(">=")) term.order = Order::at_least;
    else if (word("<")) term.order = Order::less;
    else if (word(">")) term.order = Order::greater;
    else return error("a number is compared: =, !=, <, <=, >, >=");
    if (auto right = numbers(term, -1); !right) return tl::unexpected(right.error());
    return add(std::move(term));
  }
  Status numbers(Predicate::Term& term, std::int64_t sign) {
    std::int64_t own = sign;
    for (;;) {
      if (term.numbers.size() > kTermsMax) return error("it has more than {} parts", kTermsMax);
      auto next = number(own);
      if (!next) return tl::unexpected(next.error());
      term.numbers.push_back(*std::move(next));
      if (word("+")) own = sign;
      else if (word("-")) own = -sign;
      else return {};
    }
  }
  Result<Number> number(std::int64_t sign) {
    Number out;
    out.sign = sign;
    skip();
    std::size_t digits = 0;
    while (digits < text_.size() && text_[digits] >= '0' && text_[digits] <= '9') ++digits;
    if (digits > 0) {
      const auto value = parse_integer(text_.substr(0, digits), 0, 1'000'000'000'000);
      if (!value) return tl::unexpected(value.error());
      out.constant = *value;
      text_.remove_prefix(digits);
      return out;
    }
    static constexpr std::pair<std::string_view, Fold> folds[] = {
        {"count", Fold::count}, {"max", Fold::max}, {"min", Fold::min}, {"sum", Fold::sum}};
    for (const auto& [name, fold] : folds) {
      if (!word(name)) continue;
      auto inside = parentheses();
      if (!inside) return tl::unexpected(inside.error());
      auto views = fold == Fold::count ? conditions(*inside) : amounts(*inside);
      if (!views) return tl::unexpected(views.error());
      out.fold = fold;
      out.views = *std::move(views);
      return out;
    }
    if (word("script")) {
      const auto path = parentheses();
      if (!path) return tl::unexpected(path.error());
      if (!scripts_) return error("a script can be asked for in waypoints and targets only");
      auto script = scripts_->open(system_, std::string(*path));
      if (!script) return tl::unexpected(script.error());
      out.script = *std::move(script);
      return out;
    }
    std::size_t end = 0;
    while (end < text_.size() && in_word(text_[end])) ++end;
    const std::string found(text_.substr(0, end));
    if (found.empty())
      return error("a predicate begins with any, all, count, max, min, sum or script");
    return tl::unexpected(
        unknown_word("such thing as", found,
                     {"any", "all", "count", "max", "min", "sum", "script", "not", "and", "or"}));
  }

  Result<std::string_view> parentheses() {
    if (!word("(")) return error("a ( is missing before \"{}\"", text_);
    const std::size_t end = find_outside(text_, ")");
    if (end == std::string_view::npos) return error("a ( is not closed");
    const std::string_view inside = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return trimmed(inside);
  }

  // f(type, view) for each class of nodes; those of which it is no sentence are left out, unless
  // it is one of none.
  template <class F>
  Result<std::vector<View>> each_class(F&& read) {
    std::vector<View> out;
    std::string first;
    for (const NodeClass* own : system_.classes) {
      View view;
      view.type = own->state;
      if (Status good = read(*own->state, view); good) out.push_back(std::move(view));
      else if (first.empty()) first = good.error();
    }
    if (out.empty()) return tl::unexpected(first);
    return out;
  }
  // "LIST: ..." is about its items.
  static Result<const TypeInfo*> subject(const TypeInfo& type, std::string_view& text, View& view,
                                         TypeInfo& item) {
    const std::size_t colon = find_outside(text, ":");
    if (colon == std::string_view::npos) return &type;
    const std::string_view name = trimmed(text.substr(0, colon));
    auto list = Path::parse(type, name);
    if (!list) return tl::unexpected(list.error());
    const FieldType& kind = list->type();
    if (!kind.item || kind.item->kind != FieldKind::record)
      return error("{} is no list of records", name);
    item = type;
    item.name = name;
    item.schema = kind.item;
    item.fields = kind.item->fields;
    text = trimmed(text.substr(colon + 1));
    view.list = *std::move(list);
    return &item;
  }
  Result<std::vector<View>> conditions(std::string_view text) {
    return each_class([&](const TypeInfo& type, View& view) -> Status {
      std::string_view rest = text;
      TypeInfo item = type;
      const auto about = subject(type, rest, view, item);
      if (!about) return tl::unexpected(about.error());
      auto where = Where::parse(**about, rest);
      if (!where) return tl::unexpected(where.error());
      view.where = *std::move(where);
      return {};
    });
  }
  Result<std::vector<View>> amounts(std::string_view text) {
    return each_class([&](const TypeInfo& type, View& view) -> Status {
      std::string_view rest = text;
      TypeInfo item = type;
      const auto about = subject(type, rest, view, item);
      if (!about) return tl::unexpected(about.error());
      const std::size_t where = find_outside(rest, " where ");
      if (where != std::string_view::npos) {
        auto condition = Where::parse(**about, trimmed(rest.substr(where + 7)));
        if (!condition) return tl::unexpected(condition.error());
        view.where = *std::move(condition);
        rest = rest.substr(0, where);
      }
      for (;;) {
        const std::size_t plus = find_outside(rest, "+");
        const std::string_view name = trimmed(rest.substr(0, plus));
        auto path = Path::parse(**about, name);
        if (!path) return tl::unexpected(path.error());
        if (path->type().kind != FieldKind::integer)
          return error("{} is no whole number: it has neither most nor least", name);
        view.sum.push_back(*std::move(path));
        if (plus == std::string_view::npos) return {};
        rest = rest.substr(plus + 1);
      }
    });
  }

  const System& system_;
  std::string_view text_;
  Scripts* scripts_;
  Predicate out_;
};

Result<Predicate> Predicate::parse(const System& system, std::string_view text, Scripts* scripts) {
  auto out = PredicateParser(system, text, scripts).run();
  if (!out) return error("{}: {}", trimmed(text), out.error());
  return out;
}

namespace {

constexpr std::size_t kPredicatesMax = 63;

Status add_line(const System& system, std::string_view line, Sequence& out) {
  const auto texts = expand(system, line);
  if (!texts) return tl::unexpected(texts.error());
  for (const std::string& text : *texts) {
    auto predicate = Predicate::parse(system, text, &out.scripts);
    if (!predicate) return tl::unexpected(predicate.error());
    if (out.predicates.size() >= kPredicatesMax)
      return error("more than {} waypoints", kPredicatesMax);
    out.predicates.push_back(*std::move(predicate));
  }
  return {};
}

// A file of scenarios, not of predicates: its first word says so.
bool is_scenario(std::string_view text) {
  for (;;) {
    const std::size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    if (!line.empty() && !line.starts_with('#')) return line.starts_with("scenario ");
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + 1);
  }
}

// Its steps, all of them or as many as there can be, evenly.
Result<Sequence> along_script(const System& system, const std::string& path) {
  Sequence out;
  const auto script = out.scripts.open(system, path);
  if (!script) return tl::unexpected(script.error());
  const std::size_t steps = (*script)->steps(), count = std::min(steps, kPredicatesMax);
  for (std::size_t i = 1; i <= count; ++i)
    if (auto added =
            add_line(system, fmt::format("script({}) >= {}", path, i * steps / count), out);
        !added)
      return tl::unexpected(added.error());
  return out;
}

}  // namespace

bool names_files(std::string_view text) {
  return trimmed(text).starts_with('@') || text.find("script(") != std::string_view::npos;
}

Result<Sequence> read_sequence(const System& system, std::string_view text) {
  Sequence out;
  std::string file;
  const bool is_file = trimmed(text).starts_with('@');
  if (is_file) {
    const std::string path(trimmed(text).substr(1));
    auto read = read_file(path);
    if (!read) return tl::unexpected(read.error());
    file = *std::move(read);
    if (is_scenario(file)) return along_script(system, path);
    text = file;
  }
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = is_file ? text.find('\n') : find_outside(text, ";");
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    if (auto added = add_line(system, line, out); !added)
      return is_file ? error("line {}: {}", number, added.error()) : tl::unexpected(added.error());
  }
  return out;
}

}  // namespace schism::learn
