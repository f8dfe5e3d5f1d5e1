// `Store` in a file of SQLite: write-ahead log, every result on disk before the next order.
#include <sqlite3.h>

#include "schism/base/file.hpp"
#include "schism/base/hash.hpp"
#include "schism/laboratory/store.hpp"

namespace schism {
namespace {

// Other programs may be at the same file, such as somebody who looks in.
constexpr int kBusyMs = 30'000;

constexpr const char* kTables = R"sql(
create table if not exists result(
  build text not null, trial text not null, digest text not null, body blob not null,
  primary key(build, trial)) without rowid;
create table if not exists conflict(
  build text not null, trial text not null, digest text not null, body blob not null,
  primary key(build, trial, digest)) without rowid;
)sql";

class Sqlite final : public Store {
 public:
  Sqlite(std::string path, std::string build) : path_(std::move(path)), build_(std::move(build)) {}
  Sqlite(const Sqlite&) = delete;
  Sqlite& operator=(const Sqlite&) = delete;
  ~Sqlite() override {
    for (sqlite3_stmt* statement : {put_, find_, conflict_}) sqlite3_finalize(statement);
    sqlite3_close(file_);
  }

  Status open() {
    const std::string where = path_.empty() ? ":memory:" : path_;
    if (sqlite3_open(where.c_str(), &file_) != SQLITE_OK) return tl::unexpected(problem());
    sqlite3_busy_timeout(file_, kBusyMs);
    for (const char* sql : {"pragma journal_mode=wal", "pragma synchronous=full", kTables})
      if (sqlite3_exec(file_, sql, nullptr, nullptr, nullptr) != SQLITE_OK)
        return tl::unexpected(problem());
    const auto prepare = [&](const char* sql, sqlite3_stmt** into) {
      return sqlite3_prepare_v2(file_, sql, -1, into, nullptr) == SQLITE_OK;
    };
    const bool ready =
        prepare("insert into result values(?,?,?,?) on conflict do nothing", &put_) &&
        prepare("select digest, body from result where build=? and trial=?", &find_) &&
        prepare("insert into conflict values(?,?,?,?) on conflict do nothing", &conflict_);
    if (!ready) return tl::unexpected(problem());
    return {};
  }

  Result<Put> put(std::string_view key, std::string_view digest, std::string_view body) override {
    if (auto done = insert(put_, key, digest, body); !done) return tl::unexpected(done.error());
    if (sqlite3_changes(file_) > 0) return Put::first;
    const auto known = row(key);
    if (!known) return tl::unexpected(known.error());
    if (*known && (digest.empty() || (*known)->digest == digest)) return Put::again;
    if (auto done = insert(conflict_, key, digest, body); !done)
      return tl::unexpected(done.error());
    return Put::differs;
  }

  Result<std::optional<std::string>> find(std::string_view key) override {
    auto known = row(key);
    if (!known) return tl::unexpected(known.error());
    if (!*known) return std::nullopt;
    return std::move((*known)->body);
  }

 private:
  struct Row {
    std::string digest, body;
  };

  std::string problem() const {
    return fmt::format("{}: {}", path_.empty() ? "results" : path_, sqlite3_errmsg(file_));
  }

  static void bind(sqlite3_stmt* statement, int at, std::string_view text) {
    sqlite3_bind_text(statement, at, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
  }

  Status insert(sqlite3_stmt* statement, std::string_view key, std::string_view digest,
                std::string_view body) {
    bind(statement, 1, build_);
    bind(statement, 2, key);
    bind(statement, 3, digest);
    sqlite3_bind_blob(statement, 4, body.data(), static_cast<int>(body.size()), SQLITE_STATIC);
    const int outcome = sqlite3_step(statement);
    const Status out = outcome == SQLITE_DONE ? Status() : tl::unexpected(problem());
    sqlite3_reset(statement);
    return out;
  }

  Result<std::optional<Row>> row(std::string_view key) {
    bind(find_, 1, build_);
    bind(find_, 2, key);
    const int outcome = sqlite3_step(find_);
    std::optional<Row> out;
    const auto column = [&](int at) {
      const auto* bytes = static_cast<const char*>(sqlite3_column_blob(find_, at));
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(find_, at));
      return bytes ? std::string(bytes, size) : std::string();
    };
    if (outcome == SQLITE_ROW) out = Row{column(0), column(1)};
    const bool good = outcome == SQLITE_ROW || outcome == SQLITE_DONE;
    const std::string why = good ? "" : problem();
    sqlite3_reset(find_);
    if (!good) return tl::unexpected(why);
    return out;
  }

  std::string path_, build_;
  sqlite3* file_ = nullptr;
  sqlite3_stmt* put_ = nullptr;
  sqlite3_stmt* find_ = nullptr;
  sqlite3_stmt* conflict_ = nullptr;
};

}  // namespace

Result<std::unique_ptr<Store>> open_sqlite(const std::string& path, const std::string& build) {
  auto out = std::make_unique<Sqlite>(path, build);
  if (auto opened = out->open(); !opened) return tl::unexpected(opened.error());
  return out;
}

Result<std::string> build_of_program() {
  const auto program = read_file("/proc/self/exe");
  if (!program) return tl::unexpected(program.error());
  return to_hex(absorb_text({}, *program));
}

}  // namespace schism
