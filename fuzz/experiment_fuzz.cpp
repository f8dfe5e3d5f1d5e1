// Experiments of `schism compare`: reading and checking one never crashes, and an error is one
// sentence that names the file or the case.
#include "memory_path.hpp"
#include "schism/cli/experiment_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string& path = memory_path(text);
  schism::Pairs budget;
  const auto experiment = schism::cli::read_experiment(path, budget);
  if (!experiment) {
    require(experiment.error().starts_with(path) && !experiment.error().ends_with('.'));
    return 0;
  }
  require(!experiment->strategies.empty() && !experiment->cases.empty());
  if (const auto good = schism::check(*experiment); !good) require(!good.error().empty());
  return 0;
}
