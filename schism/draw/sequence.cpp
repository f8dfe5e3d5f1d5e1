#include "schism/draw/sequence.hpp"

#include <fmt/format.h>

#include "schism/base/escape.hpp"
#include "schism/draw/fold.hpp"

namespace schism::draw {
namespace {

constexpr std::size_t kTextMax = 80;  // characters of one arrow or note

std::string node(NodeId id) { return fmt::format("n{}", id); }
std::string client(int id) { return fmt::format("c{}", id); }

class Sequence {
 public:
  Sequence(const Scene& scene, const SequenceLanguage& language)
      : scene_(scene), language_(language) {}

  std::string write() const {
    const Trace& trace = *scene_.trace;
    std::string title = trace.config.setup.system->name;
    if (trace.violation) title += ": " + verdict_line(trace);
    std::string out = language_.head(shorten(title));
    for (int id = 0; id < scene_.clients; ++id)
      out += language_.participant(client(id), fmt::format("client {}", id));
    for (NodeId id = 0; id < scene_.nodes; ++id)
      out += language_.participant(node(id), "node " + scene_.name(id));
    for (const Piece& piece : fold(likenesses(scene_))) {
      for (std::uint32_t i = piece.first; i < piece.first + piece.told(); ++i) {
        const std::string inner = step(i);
        out += scene_.steps[i].violating ? language_.alarm(inner) : inner;
      }
      if (piece.steps > 1)
        out += language_.note(node(0), node(scene_.nodes - 1), shorten(describe(piece, scene_)));
    }
    return out + language_.foot();
  }

 private:
  static std::string shorten(const std::string& text) { return clip(printable(text), kTextMax); }

  // A note where the step happens; over everybody for what happens at no node.
  std::string note(const SceneStep& s, const std::string& text) const {
    return s.node >= 0 ? language_.note(node(s.node), "", shorten(text))
                       : language_.note(node(0), node(scene_.nodes - 1), shorten(text));
  }

  std::string step(std::size_t i) const {
    const SceneStep& s = scene_.steps[i];
    const std::string text = shorten(fmt::format("{} {}", i, s.label));
    std::string out;
    if (s.kind == Do::deliver)
      out = language_.arrow(node(s.from), node(s.to), ArrowKind::delivered, text);
    else if (s.kind == Do::drop)
      out = language_.arrow(node(s.from), node(s.to), ArrowKind::lost, text);
    else if (s.client >= 0 && s.node >= 0)
      out = language_.arrow(client(s.client), node(s.node), ArrowKind::asked, text);
    else if (s.kind != Do::nothing) out = note(s, fmt::format("{} {}", i, s.label));
    for (const Effect& e : s.effects) out += effect(s, e);
    for (const std::string& role : s.roles)
      if (!s.violating) out += note(s, "evidence: " + role);
    if (s.violating) out += note(s, scene_.trace->violation->property + " is violated here");
    return out;
  }

  std::string effect(const SceneStep& s, const Effect& e) const {
    switch (e.kind) {
      case EffectKind::answers:
        if (e.client < 0 || s.node < 0) return "";
        return language_.arrow(node(s.node), client(e.client), ArrowKind::answered,
                               shorten(e.content));
      case EffectKind::announces:
      case EffectKind::fails:
        return e.node >= 0 ? language_.note(node(e.node), "", shorten(e.text)) : "";
      default: return "";  // sends show where they arrive
    }
  }

  const Scene& scene_;
  const SequenceLanguage& language_;
};

}  // namespace

std::string write_sequence(const Trace& trace, const SequenceLanguage& language) {
  const Scene scene = make_scene(trace, false);
  return Sequence(scene, language).write();
}

}  // namespace schism::draw
