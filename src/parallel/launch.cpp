#include "parallel/launch.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <thread>

#include "base/error.hpp"

namespace galerna::parallel {
namespace {

std::optional<long long> number_in(const std::string& text) {
  long long value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stopped != end) return {};
  return value;
}

/// The names of the variables in which a launcher says which rank this is.
struct Variables {
  Launch::By by;
  const char* size;
  const char* rank;
  const char* host_rank;
};

int number_of(const Environment& environment, const char* variable, int least) {
  const std::string text = environment(variable);
  const auto value = number_in(text);
  if (!value || *value < least || *value > 1'000'000)
    throw InputError({}, std::string("the environment has ") + variable + " = " + text +
                             ", which is no number of ranks: start the program anew, or unset the variable");
  return static_cast<int>(*value);
}

std::optional<Launch> launch_by(const Environment& environment, const Variables& variables) {
  if (environment(variables.size).empty() || environment(variables.rank).empty()) return {};
  Launch launch;
  launch.by = variables.by;
  launch.size = number_of(environment, variables.size, 1);
  launch.rank = number_of(environment, variables.rank, 0);
  if (launch.rank >= launch.size)
    throw InputError({}, std::string("the environment has ") + variables.rank + " = " + environment(variables.rank) +
                             ", but " + variables.size + " = " + environment(variables.size) +
                             ": unset both, or start the program anew");
  launch.host_rank =
      environment(variables.host_rank).empty() ? launch.rank : number_of(environment, variables.host_rank, 0);
  return launch;
}

/// Whether the process is a task of srun. The steps of batch scripts and interactive shells have numbers at the end of
/// 32 bits.
bool is_step(const Environment& environment) {
  constexpr long long first_special = 0xfffffff0;
  const auto step = number_in(environment("SLURM_STEP_ID"));
  return step && *step < first_special;
}

}  // namespace

std::string Launch::launcher() const {
  return by == By::mpirun ? "mpirun" : by == By::srun ? "srun" : "";
}

Launch find_launch(const Environment& environment) {
  using By = Launch::By;
  // mpirun in a job of SLURM starts its own helpers by srun, so that srun's variables count last. But srun also sets
  // PMI_SIZE.
  constexpr Variables open_mpi{By::mpirun, "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK",
                               "OMPI_COMM_WORLD_LOCAL_RANK"};
  constexpr Variables mvapich{By::mpirun, "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_LOCAL_RANK"};
  constexpr Variables hydra{By::mpirun, "PMI_SIZE", "PMI_RANK", "MPI_LOCALRANKID"};
  constexpr Variables step{By::srun, "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "SLURM_LOCALID"};
  constexpr Variables old_step{By::srun, "SLURM_NTASKS", "SLURM_PROCID", "SLURM_LOCALID"};
  for (const Variables& variables : {open_mpi, mvapich})
    if (const auto launch = launch_by(environment, variables)) return *launch;
  std::optional<Launch> by_srun;
  if (is_step(environment)) by_srun = launch_by(environment, step);
  if (is_step(environment) && !by_srun) by_srun = launch_by(environment, old_step);
  const auto by_hydra = launch_by(environment, hydra);
  if (by_hydra && !(by_srun && by_srun->size == by_hydra->size && by_srun->rank == by_hydra->rank)) return *by_hydra;
  return by_srun.value_or(Launch{});
}

int parse_ranks(const std::string& text, int gpus) {
  if (text == "all") return gpus > 0 ? gpus : 1;
  const auto value = number_in(text);
  // Processes of one host. Thousands on a few cores would be at their first step after hours.
  const int most = std::max(256, 2 * static_cast<int>(std::thread::hardware_concurrency()));
  const std::string remedy = ": give 1, 2, … or all (one rank for each GPU)";
  if (!value) throw InputError({"--ranks"}, "\"" + text + "\" is no number of ranks" + remedy);
  if (*value < 1) throw InputError({"--ranks"}, "a run has at least one rank, not " + text + remedy);
  if (*value > most)
    throw InputError({"--ranks"}, text + " is more than one host takes, " + std::to_string(most) + remedy);
  return static_cast<int>(*value);
}

int ranks_to_start(const std::string& text, const Launch& launch, int gpus) {
  if (text.empty()) return 1;
  const int ranks = parse_ranks(text, gpus);
  const std::string launcher = launch.launcher();
  if (launch.is_many())
    throw InputError({"--ranks"}, "cannot be combined with " + launcher + ", which started " +
                                      std::to_string(launch.size) + " ranks: leave it out, or start without " +
                                      launcher);
  return ranks;
}

void check_that_all_are_seen(const Launch& launch, int seen, const std::string& mpi) {
  if (launch.size == seen) return;
  std::string text =
      "the program was started " + std::to_string(launch.size) + " times by " + launch.launcher() + ", but ";
  text += seen == 1 ? "its processes do not see one another" : "only " + std::to_string(seen) + " see one another";
  if (mpi.empty())
    text += ": install MPI (libopenmpi-dev) and build the program again, or use --ranks " +
            std::to_string(launch.size) + " on one host";
  else if (launch.by == Launch::By::srun)
    text += ": give srun the option --mpi=pmix or --mpi=pmi2 (srun --mpi=list shows which there are), whichever fits " +
            mpi;
  else
    text += ": start it by the mpirun of " + mpi + ", with which it was built";
  throw InputError({}, text);
}

}  // namespace galerna::parallel
