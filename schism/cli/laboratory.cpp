#include "schism/cli/laboratory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schism/base/file.hpp"
#include "schism/cli/command.hpp"
#include "schism/cli/print.hpp"
#include "schism/laboratory/tables.hpp"

namespace schism::cli {

void print_table(const Rows& rows, bool markdown) {
  std::vector<std::size_t> widths(rows[0].size(), 0);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line = markdown ? "|" : "";
    for (std::size_t i = 0; i < rows[r].size(); ++i) {
      const std::string& text = rows[r][i];
      if (markdown) line += " " + text + " |";
      else if (i == 0) line += fmt::format("{:<{}}", text, widths[i]);
      else line += fmt::format("  {:>{}}", text, widths[i]);
    }
    say("{}\n", line);
    if (markdown && r == 0) {
      std::string rule = "| --- |";
      for (std::size_t i = 1; i < rows[r].size(); ++i) rule += " ---: |";
      say("{}\n", rule);
    }
  }
}

Rows standings_rows(const Experiment& experiment, const Results& results) {
  const Unit unit = unit_of(experiment.budget);
  Rows rows = {{"strategy", "cases found", "trials found",
                fmt::format("PAR-2 ({})", unit_words(unit)),
                "to " + experiment.strategies.front().name + " (95%)"}};
  for (const Standing& row : standings_of(experiment, results))
    rows.push_back({row.strategy, fmt::format("{} of {}", row.cases_found, experiment.cases.size()),
                    fmt::format("{} of {}", row.found, row.trials),
                    row.trials > 0 ? effort_text(row.par2, unit) : "?", ratio_text(row)});
  return rows;
}

Rows case_rows(const Experiment& experiment, const Results& results) {
  Rows rows = {{"case"}};
  for (const Strategy& s : experiment.strategies) rows[0].push_back(s.name);
  for (std::size_t c = 0; c < experiment.cases.size(); ++c) {
    std::vector<std::string> row = {experiment.cases[c].name};
    for (std::size_t s = 0; s < experiment.strategies.size(); ++s)
      row.push_back(outcome_text(cell_of(experiment, results, c, s), unit_of(experiment.budget)));
    rows.push_back(std::move(row));
  }
  return rows;
}

Result<Results> Laboratory::run(const Experiment& experiment) const {
  if (!out.empty())
    if (auto made = make_directory(out); !made) return tl::unexpected(made.error());
  const auto build = build_of_program();
  if (!build) return tl::unexpected(build.error());
  const auto store = open_sqlite(out.empty() ? "" : out + "/results.sqlite", *build);
  if (!store) return tl::unexpected(store.error());
  catch_interrupts();
  return carry_out(experiment, **store, jobs, listener, interrupted());
}

Result<std::string> Laboratory::write(const Experiment& experiment, const Results& results) const {
  if (out.empty()) return std::string();
  const std::string stem = out + "/" + name;
  for (const Status& written :
       {write_file(stem + ".csv", trials_csv(experiment, results)),
        write_file(stem + ".json", to_json(experiment_json(experiment, results)) + "\n"),
        write_file(stem + ".html", experiment_page(experiment, results))})
    if (!written) return tl::unexpected(written.error());
  return fmt::format("{0}/results.sqlite, {1}.csv, {1}.json, {1}.html", out, name);
}

}  // namespace schism::cli
