#include "schism/system/system.hpp"

#include <algorithm>
#include <map>

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

int System::request_number(const TypeInfo& type) const {
  const NodeClass* taker = request_class();
  for (int i = 0; taker && i < taker->request_count; ++i)
    if (taker->requests[i] == &type) return i;
  return -1;
}

namespace {

// A class as it is in one system: with the requests of all classes, and handlers for its own.
struct Taker {
  NodeClass adapted;
  std::vector<NodeClass::Invoke> handlers;
};
struct Takers {
  std::vector<const TypeInfo*> requests;
  std::map<const NodeClass*, Taker> of;
};

void adapt(Takers& all, const NodeClass& c) {
  Taker& taker = all.of[&c];
  taker.adapted = c;
  if (c.request_count == 0) return;
  taker.handlers.assign(all.requests.size(), nullptr);
  for (int i = 0; i < c.request_count; ++i)
    for (std::size_t number = 0; number < all.requests.size(); ++number)
      if (all.requests[number] == c.requests[i]) taker.handlers[number] = c.on_request[i];
  taker.adapted.requests = all.requests.data();
  taker.adapted.on_request = taker.handlers.data();
  taker.adapted.request_count = static_cast<int>(all.requests.size());
}

}  // namespace

void share_requests(System& system) {
  const auto takes = [](const NodeClass* c) { return c->request_count > 0; };
  if (std::count_if(system.classes.begin(), system.classes.end(), takes) < 2) return;
  const auto all = std::make_shared<Takers>();
  for (const NodeClass* c : system.classes)
    for (int i = 0; i < c->request_count; ++i)
      if (std::count(all->requests.begin(), all->requests.end(), c->requests[i]) == 0)
        all->requests.push_back(c->requests[i]);
  for (const NodeClass*& c : system.classes) {
    if (!all->of.contains(c)) adapt(*all, *c);
    c = &all->of[c].adapted;
  }
  system.class_of = [all, before = system.class_of](NodeId id,
                                                    const Setup& setup) -> const NodeClass& {
    return all->of.at(&before(id, setup)).adapted;
  };
}

std::string System::timer_name(int timer) const {
  const auto names = timer_names();
  const auto i = static_cast<std::size_t>(timer);
  return i < names.size() ? names[i] : "timer " + std::to_string(timer);
}

}  // namespace schism
