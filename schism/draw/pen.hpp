// Writes the rows of a story: the lanes, a step with its effects, what changed, what is folded
// away. Where the rows go is up to the one who holds it.
#pragma once

#include <functional>
#include <string>

#include "schism/draw/lanes.hpp"
#include "schism/draw/story.hpp"

namespace schism::draw {

class Pen {
 public:
  using Sink = std::function<void(std::string row)>;

  Pen(const Trace& trace, const StoryOptions& options, Sink sink);

  std::string heading() const;
  // One that is not told changes who is up all the same, and nothing is written.
  void step(std::uint32_t number, const SceneStep& step, const std::vector<std::string>& changes,
            bool told);
  void folded(const std::string& text);
  std::string verdict() const;

 private:
  std::string paint(std::string_view color, const std::string& text) const;
  std::size_t used() const { return 8 + lanes_.columns() + 2; }
  void row(const std::string& number, const std::string& picture, const std::string& text,
           std::string_view color);

  const Trace& trace_;
  const StoryOptions& options_;
  Sink sink_;
  Lanes lanes_;
  bool dimmed_ = false;  // the step that is being told does not matter
};

}  // namespace schism::draw
