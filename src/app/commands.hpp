/// \file
/// The commands of the program. Each adds its options to the command line and returns what to do when it was chosen;
/// that returns the exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace galerna::app {

using Action = std::function<int()>;

Action add_run(CLI::App& app);
Action add_check(CLI::App& app);
Action add_info(CLI::App& app);
Action add_agglomerate(CLI::App& app);
Action add_curve(CLI::App& app);
Action add_bench(CLI::App& app);
Action add_devices(CLI::App& app);
Action add_plot(CLI::App& app);
Action add_cache(CLI::App& app);
Action add_frequency(CLI::App& app);
Action add_case_reference(CLI::App& app);
Action add_structures(CLI::App& app);
Action add_completion(CLI::App& app);
Action add_man(CLI::App& app);

}  // namespace galerna::app
