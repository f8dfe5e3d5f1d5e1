#include "schism/isolate/diagram.hpp"

#include "schism/base/text.hpp"

namespace schism::isolate {
namespace {

constexpr std::string_view kNumberHead = "  message  ";

// At most so many characters, counted as a terminal does for the text that occurs here.
std::string cut(const std::string& text, std::size_t columns) {
  std::size_t seen = 0, at = 0;
  for (; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) continue;
    if (seen++ == columns) break;
  }
  return text.substr(0, at);
}

class Picture {
 public:
  Picture(const Predicates& predicates, const Run& run, const PredicateId& id, int width)
      : schema_(predicates.schema()), run_(run), width_(static_cast<std::size_t>(width)) {
    const VerbPair& pair = predicates.pair_of(id.set);
    const std::uint64_t mask = predicates.assertions(id.set).mask;
    for (const Comparable& c : pair.comparables)
      for (std::size_t i = 0; i < c.operators.size(); ++i)
        if (mask >> (c.first_bit + static_cast<int>(i)) & 1) {
          add(left_, c.left);
          add(right_, c.right);
        }
    // Narrow lanes where there are many processes, none where they do not fit.
    lane_ = schema_.processes <= 10 ? 4 : 2;
    lanes_ =
        kNumberHead.size() + lane_ * static_cast<std::size_t>(schema_.processes) + 2 + 30 <= width_;
  }

  std::string draw(const std::vector<Witness>& witnesses, std::size_t processes) {
    if (lanes_) head();
    for (std::size_t i = 0; i < witnesses.size() && i < processes; ++i) {
      const Witness& w = witnesses[i];
      for (const std::uint32_t at : w.left) row(w.process, at, "l", left_);
      row(w.process, w.right, "r", right_);
      if (i + 1 < std::min(witnesses.size(), processes)) line(kNumberHead.size(), "", -1, -1, "");
    }
    if (witnesses.size() > processes) {
      std::string more = "  and likewise at";
      for (std::size_t i = processes; i < witnesses.size(); ++i)
        more += fmt::format("{} {}", i > processes ? "," : "", witnesses[i].process);
      out_ += cut(more, width_) + "\n";
    }
    return std::move(out_);
  }

 private:
  static void add(std::vector<int>& fields, int field) {
    for (const int f : fields)
      if (f == field) return;
    fields.push_back(field);
  }
  void head() {
    std::string text(kNumberHead);
    for (int p = 0; p < schema_.processes; ++p) {
      std::string number = std::to_string(p);
      number.resize(lane_, ' ');
      text += number;
    }
    while (text.ends_with(' ')) text.pop_back();
    out_ += cut(text, width_) + "\n";
  }
  void row(int process, std::uint32_t at, const char* side, const std::vector<int>& fields) {
    const Message& m = run_.inbox(static_cast<std::size_t>(process))[at];
    std::string text = fmt::format("{} {}", side, schema_.verbs[m.verb].name);
    if (!lanes_) text += fmt::format(" {} -> {}", m.sender, process);
    for (const int f : fields)
      text += fmt::format(" {}={}", schema_.verbs[m.verb].fields[static_cast<std::size_t>(f)].name,
                          print_field(schema_, run_, m, static_cast<std::size_t>(f)));
    line(kNumberHead.size(), std::to_string(at), m.sender, process, text);
  }
  void line(std::size_t indent, const std::string& number, int from, int to,
            const std::string& text) {
    std::string row(indent - 2 - std::min(indent - 2, number.size()), ' ');
    row += number + "  ";
    for (int p = 0; lanes_ && p < schema_.processes; ++p) {
      const bool inside = from >= 0 && p > std::min(from, to) && p < std::max(from, to);
      row += p == to && to >= 0       ? "●"
             : p == from && from >= 0 ? (from < to ? "├" : "┤")
             : inside                 ? "─"
                                      : "│";
      // Between this lane and the next.
      const bool crossed = from >= 0 && p >= std::min(from, to) && p < std::max(from, to);
      for (std::size_t i = 1; i < lane_; ++i) {
        if (!crossed) row += " ";
        else if (from < to && p + 1 == to && i + 1 == lane_) row += "▶";
        else if (from > to && p == to && i == 1) row += "◀";
        else row += "─";
      }
    }
    row += " " + printable(text);
    while (row.ends_with(' ')) row.pop_back();
    out_ += cut(row, width_) + "\n";
  }

  const Schema& schema_;
  const Run& run_;
  std::size_t width_, lane_ = 4;
  bool lanes_ = true;
  std::vector<int> left_, right_;
  std::string out_;
};

}  // namespace

std::string print_field(const Schema& schema, const Run& run, const Message& m, std::size_t field) {
  const std::int64_t value = run.fields(m)[field];
  const Field& f = schema.verbs[m.verb].fields[field];
  switch (schema.kinds[static_cast<std::size_t>(f.kind)].type) {
    case FieldType::integer: return std::to_string(value);
    case FieldType::number: return fmt::format("{}", unordered(value));
    case FieldType::boolean: return value != 0 ? "true" : "false";
    case FieldType::text: return run.text(value);
  }
  return {};
}

std::string draw(const Predicates& predicates, const Run& run, const PredicateId& id,
                 const std::vector<Witness>& witnesses, const DiagramOptions& options) {
  return Picture(predicates, run, id, options.width).draw(witnesses, options.processes);
}

}  // namespace schism::isolate
