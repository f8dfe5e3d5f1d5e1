// Runs from a file of JSON lines.
#include "schism/base/lines.hpp"
#include "schism/isolate/reader.hpp"
#include "schism/isolate/supply.hpp"

namespace schism::isolate {
namespace {

class FileSupply final : public Supply {
 public:
  FileSupply(Source source, Schema schema, bool skip_bad)
      : source_(std::move(source)), schema_(std::move(schema)), skip_bad_(skip_bad) {}

  const std::string& name() const override { return source_.name(); }
  const Schema& schema() const override { return schema_; }

  Result<ReadReport> each(const std::function<void(const Run&)>& take) override {
    ReadReport out;
    Lines lines(source_);
    RunReader reader(schema_);
    Run run;
    std::string_view line;
    for (;;) {
      const auto more = lines.next(line);
      if (!more) return error("{}, after line {}: {}", name(), lines.number(), more.error());
      if (!*more) break;
      if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      if (const auto good = reader.read(line, run); !good) {
        std::string problem = fmt::format("{}, line {}: {}", name(), lines.number(), good.error());
        if (!skip_bad_) return tl::unexpected(std::move(problem));
        if (out.skipped++ == 0) out.first_problem = std::move(problem);
        continue;
      }
      run.info.place = lines.number();
      ++out.runs;
      take(run);
    }
    if (out.runs == 0 && out.skipped > 0)
      return error("{}: none of its {} lines is a run; {}", name(), out.skipped, out.first_problem);
    if (out.runs == 0) return error("{}: there are no runs in it", name());
    return out;
  }

  Result<Run> again(std::uint64_t place) override {
    Lines lines(source_);
    std::string_view line;
    while (lines.number() < place) {
      const auto more = lines.next(line);
      if (!more) return error("{}: {}", name(), more.error());
      if (!*more) return error("{} changed while it was read", name());
    }
    Run run;
    if (auto s = RunReader(schema_).read(line, run); !s) return tl::unexpected(s.error());
    run.info.place = place;
    return run;
  }

 private:
  Source source_;
  Schema schema_;
  bool skip_bad_;
};

}  // namespace

Result<std::unique_ptr<Supply>> supply_from_file(const std::string& path, Schema schema,
                                                 bool skip_bad) {
  auto source = Source::file(path);
  if (!source) return tl::unexpected(source.error());
  return std::make_unique<FileSupply>(*std::move(source), std::move(schema), skip_bad);
}

}  // namespace schism::isolate
