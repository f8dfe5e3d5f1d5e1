// The test cases that come with the program: they are in it, so that it needs no files.
#include <array>
#include <utility>

#include "systems/xrpl/test_case.hpp"

namespace schism::xrpl {
namespace {

constexpr const char* kNone = R"toml(
# Nobody pays.
)toml";

constexpr const char* kDiscoTest = R"toml(
# DiscoTest's (its chapter 4): account 1 has 80 XRP and spends them four times at once, twice to
# account 2 and twice to account 3, by payments with the same sequence. (And the fees of four, so
# that one of them is funded. Payments are told apart by their names, as if by a memo.)
[accounts]
1 = { balance = 80.00004 }
2 = { balance = 80 }
3 = { balance = 80 }

[[payment]]
name = "tx1"
node = 1
at = "2000ms"
from = "1"
to = "2"
amount = 80

[[payment]]
name = "tx2"
node = 2
at = "2000ms"
from = "1"
to = "3"
amount = 80
sequence-of = "tx1"

[[payment]]
name = "tx3"
node = 3
at = "2000ms"
from = "1"
to = "3"
amount = 80
sequence-of = "tx1"

[[payment]]
name = "tx4"
node = 4
at = "2000ms"
from = "1"
to = "2"
amount = 80
sequence-of = "tx1"

[[rule]]
name = "at most one of the double spends is validated"
of = "all"
validated = "0..1"
failed = "0..0"
)toml";

constexpr const char* kConsecutive = R"toml(
# The same with consecutive sequences: all four are validated, all but one as failed.
[accounts]
1 = { balance = 80.00004 }
2 = { balance = 80 }
3 = { balance = 80 }

[[payment]]
name = "tx1"
node = 1
at = "2000ms"
from = "1"
to = "2"
amount = 80

[[payment]]
name = "tx2"
node = 2
at = "2000ms"
from = "1"
to = "3"
amount = 80

[[payment]]
name = "tx3"
node = 3
at = "2000ms"
from = "1"
to = "3"
amount = 80

[[payment]]
name = "tx4"
node = 4
at = "2000ms"
from = "1"
to = "2"
amount = 80

[[rule]]
name = "one is paid, the others are charged their fees"
of = "all"
validated = "1..1"
failed = "3..3"
cancelled = "0..0"
)toml";

constexpr const char* kGroot = R"toml(
# Groot's: three accounts with 80 XRP; two seconds after the start account 1 spends nearly all of it
# four times, at four nodes. The amounts differ a little, so that the four are not one transaction.
[accounts]
1 = { balance = 80.00004 }
2 = { balance = 80 }
3 = { balance = 80 }

[[payment]]
name = "tx1"
node = 0
at = "2000ms"
from = "1"
to = "2"
amount = 80

[[payment]]
name = "tx2"
node = 1
at = "2000ms"
from = "1"
to = "3"
amount = 79.99
sequence-of = "tx1"

[[payment]]
name = "tx3"
node = 2
at = "2000ms"
from = "1"
to = "2"
amount = 79.98
sequence-of = "tx1"

[[payment]]
name = "tx4"
node = 3
at = "2000ms"
from = "1"
to = "3"
amount = 79.97
sequence-of = "tx1"

[[rule]]
name = "at most one of the double spends is validated"
of = "all"
validated = "0..1"
failed = "0..0"
)toml";

constexpr const char* kByzzFuzz = R"toml(
# ByzzFuzz's: one payment, submitted through the node that lies when the first node has closed the
# first ledger with faults, so that one or a few propose without it; and another one with the same
# sequence, which nobody but the liar knows of.
[accounts]
1 = { balance = 80.00004 }
2 = { balance = 80 }
3 = { balance = 80 }

[[payment]]
name = "tx1"
node = 3
closing = 6
from = "1"
to = "2"
amount = 80

[[payment]]
name = "tx2"
node = 3
at = "never"
from = "1"
to = "3"
amount = 80
sequence-of = "tx1"

[[rule]]
name = "at most one of the two is validated"
of = "all"
validated = "0..1"
failed = "0..0"
)toml";

constexpr std::array<std::pair<std::string_view, const char*>, 5> kShipped = {{
    {"byzzfuzz", kByzzFuzz},
    {"discotest", kDiscoTest},
    {"discotest-consecutive", kConsecutive},
    {"groot", kGroot},
    {"none", kNone},
}};

}  // namespace

std::vector<std::string> shipped_cases() {
  std::vector<std::string> names;
  for (const auto& [name, text] : kShipped) names.emplace_back(name);
  return names;
}

const char* shipped_case(std::string_view name) {
  for (const auto& [known, text] : kShipped)
    if (known == name) return text;
  return nullptr;
}

}  // namespace schism::xrpl
