#include "schism/coverage/book.hpp"

#include <algorithm>

namespace schism {
namespace {

constexpr std::size_t kNowhere = ~std::size_t{0};

struct SavedPage {
  std::string name, map;
  NewsShare share;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> curve;
  FIELDS(name, map, share, curve)
};
struct Saved {
  std::vector<SavedPage> pages;
  std::uint64_t runs = 0, next_point = 1;
  FIELDS(pages, runs, next_point)
};

}  // namespace

void NewsShare::add(bool news) {
  recent_.push_back(news);
  news_ += news ? 1 : 0;
  if (recent_.size() <= kWindow) return;
  news_ -= recent_.front() ? 1 : 0;
  recent_.pop_front();
}

double NewsShare::share() const {
  return recent_.empty() ? 0 : static_cast<double>(news_) / static_cast<double>(recent_.size());
}

Result<std::unique_ptr<Book>> Book::open(const std::vector<Spec>& coverages, const Setup& setup,
                                         int bits) {
  auto out = std::make_unique<Book>();
  out->by_tag_.assign(schism::coverages().sorted().size(), kNowhere);
  for (const Spec& spec : coverages) {
    const auto made = schism::coverages().make(spec, "coverage");
    if (!made) return tl::unexpected(made.error());
    if (auto good = (*made)->check(setup); !good) return tl::unexpected(good.error());
    const std::uint64_t tag = tag_of(spec.name);
    if (out->by_tag_[tag] != kNowhere) return error("coverage {} is asked for twice", spec.name);
    out->by_tag_[tag] = out->pages_.size();
    out->specs_.push_back(spec);
    out->pages_.push_back({spec.name, tag, std::make_unique<CoverageMap>(bits), {}, {}});
  }
  return out;
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): the result owns it

std::vector<std::unique_ptr<Coverage>> Book::make() const {
  std::vector<std::unique_ptr<Coverage>> out;
  for (const Spec& spec : specs_) {
    out.push_back(std::move(*schism::coverages().make(spec, "coverage")));
    out.back()->called(spec.name);
  }
  return out;
}

void Book::report(const std::vector<std::unique_ptr<Coverage>>& run, RunResult& result) const {
  result.fresh.clear();
  result.rare.clear();
  for (std::size_t i = 0; i < run.size(); ++i)
    for (const std::uint64_t key : run[i]->keys()) {
      const std::uint64_t before = pages_[i].map->count(key);
      if (before >= CoverageMap::kOften) continue;
      (before == 0 ? result.fresh : result.rare).push_back(key | pages_[i].tag);
    }
}

Book::Page* Book::page_of(std::uint64_t key) {
  const std::uint64_t tag = tag_of_key(key);
  return tag < by_tag_.size() && by_tag_[tag] != kNowhere ? &pages_[by_tag_[tag]] : nullptr;
}

bool Book::settle(RunResult& result) {
  ++runs_;
  std::vector<std::uint64_t> fresh, rare;
  std::vector<bool> news(pages_.size());
  const auto take = [&](std::uint64_t key) {
    Page* const page = page_of(key);
    if (!page) return;
    const std::uint64_t before = page->map->add(key);
    if (before >= CoverageMap::kOften) return;
    (before == 0 ? fresh : rare).push_back(key);
    if (before == 0) news[static_cast<std::size_t>(page - pages_.data())] = true;
  };
  for (const std::uint64_t key : result.fresh) take(key);
  for (const std::uint64_t key : result.rare) take(key);
  // Players may have seen different counts: in one order it is the same whoever played.
  std::sort(fresh.begin(), fresh.end());
  std::sort(rare.begin(), rare.end());
  result.fresh = std::move(fresh);
  result.rare = std::move(rare);
  const bool point = runs_ >= next_point_;
  if (point) next_point_ = runs_ + runs_ / 8 + 1;
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    pages_[i].share.add(news[i]);
    if (point) pages_[i].curve.emplace_back(runs_, pages_[i].map->keys());
  }
  return !result.fresh.empty();
}

std::vector<Covered> Book::covered() const {
  std::vector<Covered> out;
  for (const Page& page : pages_) {
    Covered& c = out.emplace_back();
    c.name = page.name;
    c.keys = page.map->keys();
    c.fill = page.map->fill();
    c.full = page.map->full();
    c.share = page.share.share();
    c.window = page.share.runs();
    c.curve = page.curve;
    if (c.curve.empty() || c.curve.back().first != runs_) c.curve.emplace_back(runs_, c.keys);
  }
  return out;
}

void Book::protect() {
  for (Page& page : pages_) page.map->protect();
}

std::string Book::save() const {
  Saved out;
  out.runs = runs_, out.next_point = next_point_;
  for (const Page& page : pages_)
    out.pages.push_back({page.name, page.map->save(), page.share, page.curve});
  return encode(out);
}

Status Book::load(std::string_view bytes) {
  auto saved = decode<Saved>(bytes);
  if (!saved) return tl::unexpected(saved.error());
  const auto same = [](const SavedPage& a, const Page& b) { return a.name == b.name; };
  if (!std::equal(saved->pages.begin(), saved->pages.end(), pages_.begin(), pages_.end(), same))
    return error("it counted another coverage");
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    if (auto s = pages_[i].map->load(saved->pages[i].map); !s) return s;
    pages_[i].share = std::move(saved->pages[i].share);
    pages_[i].curve = std::move(saved->pages[i].curve);
  }
  runs_ = saved->runs, next_point_ = saved->next_point;
  return {};
}

}  // namespace schism
