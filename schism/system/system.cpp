#include "schism/system/system.hpp"

namespace schism {

const Bug* System::find_bug(std::string_view bug) const {
  for (const Bug& b : bugs)
    if (b.name == bug) return &b;
  return nullptr;
}

std::vector<std::string> System::bug_names() const {
  std::vector<std::string> out;
  for (const Bug& b : bugs) out.push_back(b.name);
  return out;
}

std::vector<std::string> System::timer_names() const {
  std::vector<std::string> out;
  for (const NodeClass* c : classes) {
    const std::size_t n = count_words(c->timer_words);
    for (std::size_t i = out.size(); i < n; ++i) out.emplace_back(nth_word(c->timer_words, i));
  }
  return out;
}

const NodeClass* System::request_class() const {
  for (const NodeClass* c : classes)
    if (c->request_count > 0) return c;
  return nullptr;
}

std::string System::timer_name(int timer) const {
  const auto names = timer_names();
  const auto i = static_cast<std::size_t>(timer);
  return i < names.size() ? names[i] : "timer " + std::to_string(timer);
}

}  // namespace schism
