// `mermaid`: a sequence diagram for Markdown pages and mermaid.live.
#include <fmt/format.h>

#include "schism/base/escape.hpp"
#include "schism/draw/format.hpp"
#include "schism/draw/sequence.hpp"

namespace schism::draw {
namespace {

class Mermaid final : public SequenceLanguage {
 public:
  std::string head(const std::string& title) const override {
    return "sequenceDiagram\n  accTitle: " + escape_mermaid(title) + "\n";
  }
  std::string participant(const std::string& id, const std::string& name) const override {
    return fmt::format("  participant {} as {}\n", id, name);
  }
  std::string arrow(const std::string& from, const std::string& to, ArrowKind kind,
                    const std::string& text) const override {
    const std::string_view sign = kind == ArrowKind::lost       ? "-x"
                                  : kind == ArrowKind::answered ? "-->>"
                                                                : "->>";
    return fmt::format("  {}{}{}: {}\n", from, sign, to, escape_mermaid(text));
  }
  std::string note(const std::string& first, const std::string& last,
                   const std::string& text) const override {
    const bool one = last.empty() || last == first;
    return fmt::format("  Note over {}: {}\n", one ? first : first + "," + last,
                       escape_mermaid(text));
  }
  std::string alarm(const std::string& inner) const override {
    return "  rect rgba(220, 60, 60, 0.2)\n" + inner + "  end\n";
  }
  std::string foot() const override { return ""; }
};

std::string draw_mermaid(const Trace& trace, const DrawOptions&) {
  return write_sequence(trace, Mermaid());
}

const Registration registered =
    add_format({50, "mermaid", "a sequence diagram for Markdown pages", draw_mermaid});

}  // namespace
}  // namespace schism::draw
