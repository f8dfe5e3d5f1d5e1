// A test case (the spec's section 8): starting balances, payments, and rules over what may become
// of them. Data, not code: a TOML file of the user's, or one of those that are compiled in
// (cases.cpp, where the format is to be seen).
#pragma once

#include <string>
#include <vector>

#include "schism/base/result.hpp"
#include "systems/xrpl/messages.hpp"

namespace schism::xrpl {

struct Payment {
  static constexpr Micros kNever = -1;  // unless a liar does it
  std::string name;
  NodeId node = 0;  // to which it is submitted,
  Micros at = 0;    // then, or, where one of these is not 0,
  Seq ledger = 0;   // when that ledger opens there
  Seq closing = 0;  // when it first hears that somebody has closed that ledger
  Tx tx;
};

// How many of some payments may have which end. Upper bounds hold at any time, lower ones when all
// of them have ended.
struct Bound {
  int least = 0, most = 1 << 20;
};
struct Rule {
  std::string name;
  std::vector<std::size_t> of;  // payments
  Bound validated, failed, cancelled, failed_or_cancelled;
};

struct TestCase {
  std::string name;  // as it was asked for
  std::vector<std::string> account_names;
  std::vector<Account> accounts;
  std::vector<Payment> payments;
  std::vector<Rule> rules;
};

// The text of a file; `where` names it in errors.
Result<TestCase> parse_test_case(const std::string& text, const std::string& where);
// A name of a case that is compiled in, or a path of a file. A path may end in @ and a checksum, as
// traces write it: then the file must still be that one.
Result<TestCase> find_test_case(const std::string& name);

std::vector<std::string> shipped_cases();
// Null: there is none of that name.
const char* shipped_case(std::string_view name);

}  // namespace schism::xrpl
