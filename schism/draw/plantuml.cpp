// `plantuml`: a sequence diagram for PlantUML.
#include <fmt/format.h>

#include "schism/base/escape.hpp"
#include "schism/draw/format.hpp"
#include "schism/draw/sequence.hpp"

namespace schism::draw {
namespace {

class PlantUml final : public SequenceLanguage {
 public:
  std::string head(const std::string& title) const override {
    return "@startuml\nhide footbox\ntitle " + escape_plantuml(title) + "\n";
  }
  std::string participant(const std::string& id, const std::string& name) const override {
    return fmt::format("participant \"{}\" as {}\n", name, id);
  }
  std::string arrow(const std::string& from, const std::string& to, ArrowKind kind,
                    const std::string& text) const override {
    const std::string_view sign = kind == ArrowKind::lost       ? "->x"
                                  : kind == ArrowKind::answered ? "-->"
                                                                : "->";
    return fmt::format("{} {} {} : {}\n", from, sign, to, escape_plantuml(text));
  }
  std::string note(const std::string& first, const std::string& last,
                   const std::string& text) const override {
    const bool one = last.empty() || last == first;
    return fmt::format("rnote over {} : {}\n", one ? first : first + ", " + last,
                       escape_plantuml(text));
  }
  std::string alarm(const std::string& inner) const override {
    return "group #FFDDDD violated\n" + inner + "end\n";
  }
  std::string foot() const override { return "@enduml\n"; }
};

std::string draw_plantuml(const Trace& trace, const DrawOptions&) {
  return write_sequence(trace, PlantUml());
}

const Registration registered =
    add_format({60, "plantuml", "a sequence diagram for PlantUML", draw_plantuml});

}  // namespace
}  // namespace schism::draw
