#include "systems/xrpl/test_case.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "schism/base/file.hpp"
#include "schism/base/params.hpp"
#include "schism/base/toml.hpp"

namespace schism::xrpl {
namespace {

constexpr std::size_t kPaymentsMax = 1000;  // a timer of their node each
constexpr std::size_t kAccountsMax = 1000;

// Reads with one habit: the first thing wrong is kept as a sentence with its line, and everything
// after it is harmless.
class CaseReader {
 public:
  explicit CaseReader(std::string where) : where_(std::move(where)) {}

  Result<TestCase> read(const std::string& text) {
    const auto parsed = parse_toml(text, where_);
    if (!parsed) return tl::unexpected(parsed.error());
    const toml::table& file = *parsed;
    known(file, {"accounts", "payment", "rule"});
    if (const toml::node* accounts = file.get("accounts")) read_accounts(*accounts);
    each(file, "payment", [&](const toml::table& t) { read_payment(t); });
    each(file, "rule", [&](const toml::table& t) { read_rule(t); });
    if (!problem_.empty()) return tl::unexpected(problem_);
    return std::move(case_);
  }

 private:
  void bad(const toml::node& node, const std::string& what) {
    if (problem_.empty())
      problem_ = fmt::format("{}, line {}: {}", where_, node.source().begin.line, what);
  }
  void known(const toml::table& t, const std::vector<std::string>& keys) {
    for (const auto& [key, node] : t)
      if (std::find(keys.begin(), keys.end(), key.str()) == keys.end())
        bad(node, unknown_word("key", key.str(), keys));
  }
  template <class F>
  void each(const toml::table& t, std::string_view key, F&& f) {
    const toml::node* node = t.get(key);
    if (!node) return;
    const toml::array* list = node->as_array();
    if (!list) return bad(*node, fmt::format("\"{0}\" is a list of tables: [[{0}]]", key));
    for (const toml::node& item : *list) {
      if (const auto* found = item.as_table()) f(*found);
      else bad(item, fmt::format("\"{0}\" is a list of tables: [[{0}]]", key));
    }
  }
  std::string text(const toml::table& t, std::string_view key) {
    const toml::node* node = t.get(key);
    if (node && node->as_string()) return node->as_string()->get();
    bad(node ? *node : t, fmt::format("\"{}\" is a text", key));
    return {};
  }
  Drops money(const toml::table& t, std::string_view key) {
    const toml::node* node = t.get(key);
    const auto xrp = node ? node->value<double>() : std::nullopt;
    if (xrp && std::isfinite(*xrp) && *xrp >= 0 && *xrp <= 1e11)
      return static_cast<Drops>(std::llround(*xrp * static_cast<double>(kXrp)));
    bad(node ? *node : t, fmt::format("\"{}\" is a number of XRP, 0 to 100000000000", key));
    return 0;
  }

  void read_accounts(const toml::node& node) {
    const toml::table* table = node.as_table();
    if (!table) return bad(node, "\"accounts\" is a table of NAME = { balance = XRP }");
    if (table->size() > kAccountsMax)
      return bad(node, fmt::format("there are at most {} accounts", kAccountsMax));
    for (const auto& [name, account] : *table) {
      const toml::table* t = account.as_table();
      if (!t) return bad(account, fmt::format("account \"{}\" is {{ balance = XRP }}", name.str()));
      known(*t, {"balance"});
      case_.account_names.emplace_back(name.str());
      case_.accounts.push_back({money(*t, "balance"), 1});
    }
  }

  std::int32_t account(const toml::table& t, std::string_view key) {
    const std::string name = text(t, key);
    const auto& names = case_.account_names;
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) bad(t, unknown_word("account", name, names));
    return static_cast<std::int32_t>(at - names.begin());
  }

  // A payment is called by a name in rules; its sequence is its account's next, or another's.
  void read_payment(const toml::table& t) {
    known(t, {"name", "node", "at", "ledger", "closing", "from", "to", "amount", "sequence-of"});
    if (case_.payments.size() >= kPaymentsMax)
      return bad(t, fmt::format("there are at most {} payments", kPaymentsMax));
    Payment p;
    p.name = text(t, "name");
    if (payment(p.name) < case_.payments.size())
      bad(t, fmt::format("there are two payments called \"{}\"", p.name));
    const auto node = t.get("node") ? t.get("node")->value<std::int64_t>() : std::nullopt;
    if (!node || *node < 0 || *node >= kValidatorsMax)
      bad(t, fmt::format("\"node\" is a whole number from 0 to {}", kValidatorsMax - 1));
    else p.node = static_cast<NodeId>(*node);
    read_when(t, p);
    p.tx.from = account(t, "from");
    p.tx.to = account(t, "to");
    if (p.tx.from == p.tx.to) bad(t, "an account pays another one, not itself");
    p.tx.amount = money(t, "amount");
    p.tx.payment = static_cast<std::int32_t>(case_.payments.size());
    p.tx.sequence = t.get("sequence-of") ? sequence_of(t, p) : ++sequences_[p.tx.from];
    p.tx = identified(p.tx);
    case_.payments.push_back(std::move(p));
  }
  void read_when(const toml::table& t, Payment& p) {
    p.at = Payment::kNever;
    const bool opens = t.get("ledger") != nullptr, closes = t.get("closing") != nullptr;
    if (int{opens} + int{closes} + int{t.get("at") != nullptr} > 1)
      return bad(t, "a payment has a time, \"at\", or a \"ledger\", or a ledger \"closing\"");
    if (opens) return read_ledger(t, "ledger", p.ledger);
    if (closes) return read_ledger(t, "closing", p.closing);
    const std::string when = text(t, "at");
    if (when == "never") return;
    const auto at = parse_duration(when);
    if (!at || *at < 0 || *at > 86'400_s)
      bad(t, "\"at\" is a time such as \"2000ms\", up to a day, or \"never\"");
    else p.at = *at;
  }
  void read_ledger(const toml::table& t, std::string_view key, Seq& out) {
    const auto seq = t.get(key)->value_exact<std::int64_t>();
    if (!seq || *seq < 2 || *seq > 1'000'000)
      bad(t, fmt::format("\"{}\" is a number from 2 on", key));
    else out = static_cast<Seq>(*seq);
  }
  std::uint32_t sequence_of(const toml::table& t, const Payment& p) {
    const std::string other = text(t, "sequence-of");
    const std::size_t at = payment(other);
    if (at == case_.payments.size()) bad(t, fmt::format("no payment \"{}\" before this", other));
    else if (case_.payments[at].tx.from != p.tx.from)
      bad(t, fmt::format("payment \"{}\" is of another account", other));
    else return case_.payments[at].tx.sequence;
    return 1;
  }
  std::size_t payment(const std::string& name) const {
    const auto& list = case_.payments;
    return static_cast<std::size_t>(
        std::find_if(list.begin(), list.end(), [&](const Payment& p) { return p.name == name; }) -
        list.begin());
  }

  void read_rule(const toml::table& t) {
    known(t, {"name", "of", "validated", "failed", "cancelled", "failed-or-cancelled"});
    Rule rule;
    rule.name = text(t, "name");
    rule.of = payments_of(t);
    rule.validated = bound(t, "validated");
    rule.failed = bound(t, "failed");
    rule.cancelled = bound(t, "cancelled");
    rule.failed_or_cancelled = bound(t, "failed-or-cancelled");
    case_.rules.push_back(std::move(rule));
  }
  std::vector<std::size_t> payments_of(const toml::table& t) {
    std::vector<std::size_t> of;
    const toml::node* node = t.get("of");
    const toml::array* list = node ? node->as_array() : nullptr;
    if (node && node->value<std::string>() == "all") {
      for (std::size_t i = 0; i < case_.payments.size(); ++i) of.push_back(i);
    } else if (list) {
      for (const toml::node& item : *list) {
        const std::size_t at = payment(item.value<std::string>().value_or(""));
        if (at == case_.payments.size()) bad(item, "\"of\" names a payment that there is not");
        else of.push_back(at);
      }
    } else {
      bad(node ? *node : t, "\"of\" is \"all\" or a list of payments' names");
    }
    return of;
  }
  // "0..1", or a number.
  Bound bound(const toml::table& t, std::string_view key) {
    const toml::node* node = t.get(key);
    if (!node) return {};
    if (const auto exact = node->value_exact<std::int64_t>(); exact && *exact >= 0 && *exact < 1000)
      return {static_cast<int>(*exact), static_cast<int>(*exact)};
    const std::string range = node->value_exact<std::string>().value_or("");
    const std::size_t dots = range.find("..");
    if (dots != std::string::npos) {
      const auto least = parse_integer(std::string_view(range).substr(0, dots), 0, 1000);
      const auto most = parse_integer(std::string_view(range).substr(dots + 2), 0, 1000);
      if (least && most && *least <= *most)
        return {static_cast<int>(*least), static_cast<int>(*most)};
    }
    bad(*node, fmt::format("\"{}\" is a number, or a range such as \"0..1\"", key));
    return {};
  }

  std::string where_, problem_;
  TestCase case_;
  std::map<std::int32_t, std::uint32_t> sequences_;  // of payments so far, by account
};

std::string checksum(const std::string& text) {
  return fmt::format("{:016x}", absorb_text(Hash128{}, text).lo);
}

}  // namespace

Result<TestCase> parse_test_case(const std::string& text, const std::string& where) {
  return CaseReader(where).read(text);
}

Result<TestCase> find_test_case(const std::string& name) {
  if (const char* shipped = shipped_case(name)) {
    auto found = parse_test_case(shipped, name);
    if (found) found->name = name;
    return found;
  }
  std::string path = name, expected;
  if (const std::size_t at = name.rfind('@'); at != std::string::npos && name.size() - at == 17) {
    path = name.substr(0, at);
    expected = name.substr(at + 1);
  }
  if (path.find_first_of("./") == std::string::npos)
    return tl::unexpected("knows " + unknown_word("test case", name, shipped_cases()) +
                          "; a file of your own has a dot or a slash in its path");
  const auto text = read_file(path);
  if (!text) return tl::unexpected("cannot be read: " + text.error());
  if (!expected.empty() && checksum(*text) != expected)
    return error("was recorded with another {}: the file has changed", path);
  auto found = parse_test_case(*text, path);
  if (!found) return tl::unexpected("file " + found.error());
  found->name = path + "@" + checksum(*text);
  return found;
}

}  // namespace schism::xrpl
