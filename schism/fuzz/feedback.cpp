#include "schism/fuzz/feedback.hpp"

#include <algorithm>

namespace schism::fuzz {

Result<std::vector<std::string>> parse_feedback(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t slash = std::min(text.find('/', at), text.size());
    const std::string word = text.substr(at, slash - at);
    at = slash + 1;
    if (auto may = may_teach(word); !may) return tl::unexpected(may.error());
    if (std::find(out.begin(), out.end(), word) != out.end())
      return error("coverage {} is named twice", word);
    out.push_back(word);
  }
  return out;
}

Feedback::Feedback(std::vector<std::string> coverages)
    : names_(std::move(coverages)), shares_(names_.size()) {
  for (const std::string& name : names_) tags_.push_back(tag_of(name));
}

std::vector<Spec> Feedback::specs() const {
  std::vector<Spec> out;
  for (const std::string& name : names_) out.push_back({name});
  return out;
}

void Feedback::add(const RunResult& result) {
  for (std::size_t i = 0; i < names_.size(); ++i)
    shares_[i].add(std::any_of(result.fresh.begin(), result.fresh.end(),
                               [&](std::uint64_t key) { return tag_of_key(key) == tags_[i]; }));
}

std::size_t Feedback::chosen() const {
  for (std::size_t i = 0; i + 1 < names_.size(); ++i)
    if (shares_[i].runs() >= kEnough && shares_[i].share() < kShareMax) return i;
  return names_.size() - 1;
}

std::vector<std::uint64_t> Feedback::of(std::span<const std::uint64_t> keys) const {
  std::vector<std::uint64_t> out;
  const std::uint64_t tag = tags_[chosen()];
  std::copy_if(keys.begin(), keys.end(), std::back_inserter(out),
               [&](std::uint64_t key) { return tag_of_key(key) == tag; });
  return out;
}

Status Feedback::load(std::string_view bytes) {
  auto saved = decode<std::vector<NewsShare>>(bytes);
  if (!saved) return tl::unexpected(saved.error());
  if (saved->size() != names_.size()) return error("another coverage was learnt from");
  shares_ = *std::move(saved);
  return {};
}

}  // namespace schism::fuzz
