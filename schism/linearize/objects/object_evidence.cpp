#include "schism/linearize/objects/object_evidence.hpp"

#include <algorithm>

namespace schism::linearize {
namespace {

// What is left when only some elements count. `elements` are flags.
ObjectHistory project(const ObjectHistory& whole, const std::vector<char>& elements) {
  ObjectHistory out{whole.object, whole.key, whole.elements, whole.values, {}};
  for (const Act& before : whole.acts) {
    Act act = before;
    if (whole.object == Object::multi_register) {
      std::erase_if(act.touches, [&](const Touch& t) { return !elements[t.place]; });
      if (act.touches.empty()) continue;
    } else if (act.function == Function::read) {
      std::erase_if(act.elements, [&](std::uint32_t e) { return !elements[e]; });
    } else {
      const bool takes_any =
          act.function == Function::dequeue && (act.optional() || act.told == Told::no);
      if (!takes_any && !elements[act.element]) continue;
    }
    out.acts.push_back(std::move(act));
  }
  return out;
}

class Explanation {
 public:
  Explanation(const ObjectHistory& whole, const Limits& limits, std::uint64_t work)
      : whole_(whole), limits_(limits), left_(work) {}

  ObjectEvidence run() {
    locate();
    ObjectHistory part = cut(whole_, out_.event + 1);
    if (whole_.object == Object::mutex || whole_.object == Object::owned_mutex) {
      out_.part = since_it_was_free(std::move(part));
      out_.minimal = left_ != 0;
      return std::move(out_);
    }
    std::vector<char> elements(whole_.elements, 1);
    bool all = reduce(elements.size(), [&](std::size_t from, std::size_t to) {
      std::vector<char> fewer = elements;
      std::fill(fewer.begin() + static_cast<std::ptrdiff_t>(from),
                fewer.begin() + static_cast<std::ptrdiff_t>(to), 0);
      if (fewer == elements || !fails(project(part, fewer))) return false;
      elements = std::move(fewer);
      return true;
    });
    part = project(part, elements);
    std::vector<char> gone(part.acts.size());
    const auto without = [&](const std::vector<char>& dropped) {
      ObjectHistory rest{part.object, part.key, part.elements, part.values, {}};
      for (std::size_t i = 0; i < part.acts.size(); ++i)
        if (!dropped[i]) rest.acts.push_back(part.acts[i]);
      return rest;
    };
    all = reduce(gone.size(),
                 [&](std::size_t from, std::size_t to) {
                   std::vector<char> more = gone;
                   for (std::size_t i = from; i < to; ++i)
                     more[i] = more[i] || part.acts[i].only_looks();
                   if (more == gone || !fails(without(more))) return false;
                   gone = std::move(more);
                   return true;
                 }) &&
          all;
    out_.part = without(gone);
    out_.minimal = all;
    return std::move(out_);
  }

 private:
  bool fails(const ObjectHistory& part) {
    if (left_ == 0) return false;
    Limits limits = limits_;
    limits.configurations = std::min(limits.configurations, left_);
    const Finding finding = check(part, limits);
    left_ -= std::min(left_, finding.configurations + 1);
    if (finding.verdict == Verdict::unknown) beyond_ = true;
    return finding.verdict == Verdict::violation;
  }

  // The first answer after which no order was left.
  void locate() {
    std::vector<std::uint32_t> answers;
    for (const Act& act : whole_.acts)
      if (!act.optional()) answers.push_back(act.returned);
    std::sort(answers.begin(), answers.end());
    std::size_t low = 0, high = answers.size() - 1;  // the last one fails
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (fails(cut(whole_, answers[middle] + 1))) high = middle;
      else low = middle + 1;
    }
    out_.event = answers[high];
    out_.located = !beyond_ && left_ != 0;
  }

  // Tries to drop ranges, halves first, until none of length 1 can go; false: a limit came first.
  template <class Drop>
  bool reduce(std::size_t count, Drop drop) {
    for (std::size_t size = std::max<std::size_t>(1, count / 2); count != 0;) {
      bool any = false;
      for (std::size_t from = 0; from < count; from += size)
        any = drop(from, std::min(count, from + size)) || any;
      if (left_ == 0) return false;
      if (size == 1 && !any) break;
      if (size > 1) size /= 2;
    }
    return !beyond_;
  }

  // Nobody is waiting, as many have acquired as have released, and nothing is open for ever.
  ObjectHistory since_it_was_free(ObjectHistory part) {
    std::size_t from = 0;
    int held = 0;
    std::uint32_t open_until = 0;
    for (std::size_t i = 0; i < part.acts.size(); ++i) {
      const Act& act = part.acts[i];
      if (held == 0 && open_until < act.invoked) from = i;
      if (act.optional()) break;
      held += act.function == Function::acquire ? 1 : -1;
      open_until = std::max(open_until, act.returned);
    }
    ObjectHistory rest{part.object, part.key, part.elements, part.values, {}};
    rest.acts.assign(part.acts.begin() + static_cast<std::ptrdiff_t>(from), part.acts.end());
    return fails(rest) ? rest : part;
  }

  const ObjectHistory& whole_;
  const Limits& limits_;
  std::uint64_t left_;
  bool beyond_ = false;
  ObjectEvidence out_;
};

}  // namespace

ObjectEvidence explain(const ObjectHistory& whole, const Limits& limits, std::uint64_t work) {
  return Explanation(whole, limits, work).run();
}

}  // namespace schism::linearize
