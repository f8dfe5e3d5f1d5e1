// What a step of the script does.
#include "schism/scenario/player.hpp"

namespace schism::scenario {

std::optional<std::size_t> Player::stands_at() const {
  if (cues_.over()) return std::nullopt;
  return cues_.line();
}

std::uint32_t Player::label(World& world, std::uint32_t& known, const std::string& text) {
  if (known == kNoContent) known = world.add_content(Value(text));
  return known;
}

// In a step of the script nodes choose as it says.
std::uint32_t Player::on_choice(World& world, std::uint32_t n) {
  if (choices_.empty()) return server_->on_choice(world, n);
  const auto answer = static_cast<std::uint32_t>(choices_.front());
  choices_.pop_front();
  return std::min(answer, n - 1);
}

// True: something was ordered. In a calm tail that filters do not outlive nothing is.
bool Player::follow_script(World& world) {
  choices_.clear();
  if (program_->script.empty()) return false;
  const auto asks = [&](const BoundCue& cue) {
    const Own& own = own_[static_cast<std::size_t>(cue.client)];
    const auto nth = static_cast<int>(Name(own.waiting.name).nth());
    return own.has && nth >= cue.first && nth < cue.first + cue.copies;
  };
  const auto found = cues_.next(world, state_, rng_, asks);
  if (!found) return false;
  ++tally_.cues[found->number];
  order(with_content(begin_macro(Macro::scenario),
                     label(world, cue_labels_[found->number], found->cue->text)));
  serve_cue(world, *found);
  order(end_macro(Macro::scenario));
  return true;
}

void Player::serve_cue(World& world, const Cues::Found& found) {
  const Cue& cue = *found.cue->cue;
  const Kept& what = found.what;
  choices_.assign(cue.choices.begin(), cue.choices.end());
  const auto content = [&] { return world.add_content(parse_json(cue.content).value_or(Value())); };
  const auto fate = [&](const Action& action) {
    script_.push_back({for_free(action), true, what.generation});
  };
  switch (cue.kind) {
    case Cue::deliver:
    case Cue::fire:
    case Cue::complete: serve(world, what); break;
    case Cue::fail:
      script_.push_back(
          {for_free(failing(make_action(Do::complete, Name(what.name), 0, what.slot))), true,
           what.generation});
      break;
    case Cue::drop: fate(make_action(Do::drop, Name(what.name), 0, what.slot)); break;
    case Cue::duplicate: fate(make_action(Do::duplicate, Name(what.name), 0, what.slot)); break;
    case Cue::change:
      fate(with_content(make_action(Do::mutate, Name(what.name), 0, what.slot), content()));
      break;
    case Cue::forge:
      order(for_free(with_content(
          make_action(Do::inject, Name(found.from, found.to, found.cue->type, 0)), content())));
      break;
    case Cue::submit: {
      Own& own = own_[static_cast<std::size_t>(found.cue->client)];
      own.target = found.to;
      ++own.wanted;
      submit(world, own);
      break;
    }
    case Cue::crash: {
      const auto outcomes = world.crash_outcomes(found.to);
      CrashOutcome best = outcomes.front();
      for (const CrashOutcome& o : outcomes)
        if (static_cast<int>(o.kept) <= cue.kept && o.torn <= cue.torn && o.arg() >= best.arg())
          best = o;
      order(for_free(node_action(Do::crash, found.to, best.arg())));
      break;
    }
    case Cue::restart: order(node_action(Do::restart, found.to)); break;
    case Cue::pause: order(for_free(node_action(Do::pause, found.to))); break;
    case Cue::resume: order(node_action(Do::resume, found.to)); break;
    case Cue::cut: order(for_free(link_action(Do::cut, found.from, found.to))); break;
    case Cue::heal: order(link_action(Do::heal, found.from, found.to)); break;
  }
}

}  // namespace schism::scenario
