// Conditions and paths as people write them. The first line is the condition; what follows is JSON:
// the record that it is asked of, whatever it is. An object and its value must get one answer.
#include <map>
#include <unordered_map>

#include "memory_path.hpp"
#include "schism/node/ids.hpp"
#include "schism/schema/schema.hpp"

namespace {
using namespace schism;

SCHISM_ENUM(Role, follower, candidate, leader);

struct Entry {
  std::uint64_t term = 0;
  std::string command;
  FIELDS(term, command)
};
struct Server {
  std::uint32_t term = 0;
  Role role{};
  std::optional<NodeRef> vote;
  NodeSet votes;
  std::vector<Entry> log;
  std::map<int, double> clocks;
  std::unordered_map<std::string, bool> flags;
  std::pair<bool, std::int8_t> pair;
  bool calm = false;
  FIELDS(term, role, vote, votes, log, clocks, flags, pair, calm, log.size())
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string_view line = text.substr(0, text.find('\n'));
  const TypeInfo& type = type_info<Server>();
  const auto path = Path::parse(type, line);
  if (!path) require(!path.error().empty());
  const auto where = Where::parse(type, line);
  if (!where) require(!where.error().empty());
  const auto value = parse_json(text.substr(std::min(text.size(), line.size() + 1)));
  if (!value) return 0;
  Server server;
  const bool reads = from_value(*value, server);
  require(reads == fits(*type.schema, *value));
  if (path) path->read(*value);  // of any shape
  if (where) where->holds(*value);
  if (!reads) return 0;
  const Value shown = to_value(server);
  for (int again = 0; again < 2; ++again) {
    if (path) require(path->read(&server) == path->read(shown));
    if (where) require(where->holds(&server) == where->holds(shown));
  }
  return 0;
}
