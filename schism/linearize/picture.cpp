#include "schism/linearize/picture.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "schism/base/text.hpp"

namespace schism::linearize {
namespace {

constexpr std::size_t kListed = 40;

std::string letter(std::size_t i) {
  std::string out(1, static_cast<char>('a' + i % 26));
  return i < 26 ? out : out + std::to_string(i / 26);
}

std::string shorten(const std::string& raw, std::size_t columns) {
  const std::string text = printable(raw);
  if (text.size() <= columns || columns < 4) return text;
  std::size_t end = columns - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
    --end;  // whole characters
  return text.substr(0, end) + "...";
}

// The lines, or nothing when they would be too wide.
std::string lines(const History& history, const Partition& part,
                  const std::vector<std::string>& labels, std::size_t columns) {
  struct At {
    std::uint32_t position;
    std::size_t op;
    bool answer;
  };
  std::vector<At> events;
  for (std::size_t i = 0; i < part.ops.size(); ++i) {
    events.push_back({part.ops[i].invoked, i, false});
    if (!part.ops[i].optional()) events.push_back({part.ops[i].returned, i, true});
  }
  std::sort(events.begin(), events.end(),
            [](const At& a, const At& b) { return a.position < b.position; });

  // Every event has a column of its own, and every label room within its bars.
  std::map<std::int64_t, std::size_t> used;  // the end of a client's line so far
  std::vector<std::size_t> from(part.ops.size()), to(part.ops.size());
  std::size_t column = 0, width = 0;
  for (const At& e : events) {
    std::size_t& end = used[history[part.ops[e.op].op].client];
    if (e.answer) {
      column = std::max(column, from[e.op] + labels[e.op].size() + 1);
      to[e.op] = column;
      end = column + 2;
    } else {
      column = std::max(column, end);
      from[e.op] = column;
      end = column + labels[e.op].size() + (part.ops[e.op].optional() ? 7 : 2);
    }
    width = std::max(width, end);
    column += e.answer ? 2 : 1;
  }
  std::map<std::int64_t, std::string> rows;
  std::size_t name_width = 0;
  for (const auto& [client, end] : used)
    name_width = std::max(name_width, fmt::format("client {}", client).size());
  if (name_width + 2 + width > columns) return {};
  for (std::size_t i = 0; i < part.ops.size(); ++i) {
    const RegisterOp& op = part.ops[i];
    std::string& row = rows[history[op.op].client];
    row.resize(std::max(row.size(), from[i]), ' ');
    row += "|" + labels[i];
    if (op.optional()) {
      row += " ...";
    } else {
      row.resize(std::max(row.size(), to[i]), '-');
      row += "|";
    }
  }
  std::string out;
  for (const auto& [client, row] : rows)
    out += fmt::format("{:<{}}  {}\n", fmt::format("client {}", client), name_width, row);
  return out;
}

}  // namespace

std::string draw(const History& history, const Partition& part, std::size_t columns) {
  std::vector<std::string> labels, letters;
  for (std::size_t i = 0; i < part.ops.size(); ++i) {
    labels.push_back(shorten(history.describe(part.ops[i].op), 24));
    letters.push_back(letter(i));
  }
  std::string out = lines(history, part, labels, columns);
  if (!out.empty()) return out;
  out = lines(history, part, letters, columns);
  for (std::size_t i = 0; i < part.ops.size(); ++i) {
    if (i == kListed) {
      out += fmt::format("     and {} more\n", part.ops.size() - kListed);
      break;
    }
    const RegisterOp& op = part.ops[i];
    out += shorten(fmt::format("{:>3}  client {}: {}{}", letters[i], history[op.op].client,
                               history.describe(op.op), op.optional() ? " ..." : ""),
                   columns) +
           "\n";
  }
  return out;
}

}  // namespace schism::linearize
