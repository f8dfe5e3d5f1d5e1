// What a verdict costs. Items are operations. docs/linearizability.md quotes these.
#include <benchmark/benchmark.h>

#include "schism/linearize/generate.hpp"
#include "schism/linearize/judge.hpp"
#include "schism/linearize/testing/leaky_store.hpp"
#include "schism/linearize/testing/object_brute_force.hpp"
#include "schism/linearize/text.hpp"

namespace {
using namespace schism::linearize;

// A few seeds, because one history says little.
void judge(benchmark::State& state, const Workload& workload, bool end_badly) {
  std::vector<History> histories;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    histories.push_back(generate(workload, seed));
    if (!end_badly) continue;
    // After everything, two reads that disagree: the worst case, all that came before is explored.
    for (const int value : {1, 2}) {
      const OpId op = histories.back().invoke(1'000'000, read(0));
      histories.back().saw(op, value);
    }
  }
  Options options;
  options.explain = false;
  std::size_t at = 0;
  double configurations = 0, unknown = 0, violations = 0;
  std::int64_t operations = 0;
  for (auto _ : state) {
    const Report report = judge_history(histories[at++ % histories.size()], options);
    configurations += static_cast<double>(report.configurations);
    unknown += report.verdict == Verdict::unknown;
    violations += report.verdict == Verdict::violation;
    operations += static_cast<std::int64_t>(report.operations);
  }
  state.SetItemsProcessed(operations);
  using benchmark::Counter;
  state.counters["configurations"] = Counter(configurations, Counter::kAvgIterations);
  state.counters["violations"] = Counter(violations, Counter::kAvgIterations);
  state.counters["unknown"] = Counter(unknown, Counter::kAvgIterations);
}

// 2,000 operations by 20 clients on one register. Arguments: values (0: every write another),
// percent of operations without an answer.
void linearize_register(benchmark::State& state) {
  judge(state,
        {.clients = 20,
         .operations = 2000,
         .values = static_cast<int>(state.range(0)),
         .cas = 0,
         .info = static_cast<double>(state.range(1)) / 100},
        false);
}
BENCHMARK(linearize_register)->ArgsProduct({{0, 5}, {0, 2}})->Unit(benchmark::kMillisecond);

void linearize_cas(benchmark::State& state) {
  judge(state,
        {.clients = 20,
         .operations = 2000,
         .values = static_cast<int>(state.range(0)),
         .info = static_cast<double>(state.range(1)) / 100},
        false);
}
BENCHMARK(linearize_cas)->ArgsProduct({{0, 5}, {0, 2}})->Unit(benchmark::kMillisecond);

// A typical Jepsen test: ten clients, many keys, an operation in a hundred without an answer.
void linearize_jepsen(benchmark::State& state) {
  judge(state,
        {.clients = 10,
         .operations = static_cast<int>(state.range(0)),
         .keys = static_cast<int>(state.range(0)) / 200,
         .values = 5,
         .info = 0.01},
        false);
}
BENCHMARK(linearize_jepsen)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

// A violation at the very end of a history with so many in flight on average.
void linearize_bad_end(benchmark::State& state) {
  judge(state,
        {.clients = 20,
         .operations = 2000,
         .values = 5,
         .busy = static_cast<double>(state.range(0)) / 20},
        true);
}
BENCHMARK(linearize_bad_end)->Arg(5)->Arg(10)->Arg(20)->Unit(benchmark::kMillisecond);

// And said in the fewest operations.
void linearize_explain(benchmark::State& state) {
  const History history =
      generate({.clients = 20, .operations = 2000, .values = 0, .stale = 0.01}, 1);
  for (auto _ : state) benchmark::DoNotOptimize(judge_history(history, {}));
}
BENCHMARK(linearize_explain)->Unit(benchmark::kMillisecond);

// 100,000 operations on registers, or as many transactions on lists.
void linearize_read(benchmark::State& state) {
  const bool transactions = state.range(1) != 0;
  const History history =
      transactions ? LeakyStore({.transactions = 100'000, .keys = 5000, .open = 10}, 1).run()
                   : generate({.clients = 20, .operations = 100'000, .keys = 100}, 1);
  const std::string text = state.range(0) == 0 ? to_json_lines(history) : to_edn(history);
  for (auto _ : state) benchmark::DoNotOptimize(read_history(text));
  state.SetItemsProcessed(state.iterations() * 100'000);
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
  state.SetLabel(std::string(state.range(0) == 0 ? "json" : "edn") +
                 (transactions ? ", transactions" : ""));
}
BENCHMARK(linearize_read)->ArgsProduct({{0, 1}, {0, 1}})->Unit(benchmark::kMillisecond);

// 2,000 operations, eight in flight, on two objects of each kind.
void linearize_objects(benchmark::State& state) {
  const auto object = static_cast<Object>(state.range(0));
  const History history = generate_objects(
      {.object = object, .operations = 2000, .open = 8, .keys = 2, .elements = 0, .spoilt = 0}, 1);
  Report report;
  for (auto _ : state) report = judge_history(history, {});
  state.SetItemsProcessed(state.iterations() * 2000);
  state.counters["configurations"] = static_cast<double>(report.configurations);
  state.SetLabel(std::string(schism::enum_name(object)) + ", " +
                 std::string(schism::enum_name(report.verdict)));
}
BENCHMARK(linearize_objects)
    ->DenseRange(static_cast<int>(Object::queue), static_cast<int>(Object::multi_register))
    ->Unit(benchmark::kMillisecond);

// Transactions of a serial store.
void linearize_transactions(benchmark::State& state) {
  const auto object = state.range(0) == 0 ? Object::list_append : Object::rw_register;
  const auto count = static_cast<int>(state.range(1));
  const History history =
      LeakyStore({.object = object, .transactions = count, .keys = count / 20, .open = 10}, 1)
          .run();
  Report report;
  Options options;
  options.strict = true;
  for (auto _ : state) report = judge_history(history, options);
  state.SetItemsProcessed(state.iterations() * count);
  state.SetLabel(std::string(schism::enum_name(object)) + ", " +
                 std::string(schism::enum_name(report.verdict)));
}
BENCHMARK(linearize_transactions)
    ->ArgsProduct({{0, 1}, {2000, 100'000}})
    ->Unit(benchmark::kMillisecond);

// What an oracle pays for an operation as it happens: two events.
void linearize_feed(benchmark::State& state) {
  History history;
  for (auto _ : state) {
    const OpId op = history.invoke(1, write(3, 5));
    history.done(op);
    if (history.operations().size() == 10'000) history.clear();
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(linearize_feed);

}  // namespace
