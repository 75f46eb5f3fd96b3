/// \file
/// Who started this process, and how many ranks a run shall have.
#pragma once

#include <functional>
#include <string>

namespace galerna::parallel {

/// The value of a variable, "" where it is not set. galerna::environment is one.
using Environment = std::function<std::string(const char*)>;

/// What the environment says about the start. It is a promise of the launcher: whether the ranks see one another is
/// another question (check_that_all_are_seen).
struct Launch {
  enum class By { itself, mpirun, srun };

  By by = By::itself;
  int rank = 0;
  int size = 1;
  int host_rank = 0;

  bool is_many() const { return size > 1; }
  /// "mpirun" or "srun"; "" without a launcher
  std::string launcher() const;
};

/// Recognizes mpirun of Open MPI, MPICH, Intel MPI and MVAPICH, and srun. A batch script or a shell of SLURM is no
/// launcher, although many of its variables are set there. \throws InputError for a number that is none
Launch find_launch(const Environment& environment);

/// The number of ranks that `--ranks TEXT` asks for. \param gpus that a run could use; `all` is one rank for each, or
/// one rank if there is none. \throws InputError if it is no number from 1 on
int parse_ranks(const std::string& text, int gpus);

/// How many ranks the run shall start itself; 1 where a launcher started several.
/// \param text of `--ranks`, "" if it was not given
/// \throws InputError for both `--ranks` and a launcher of several ranks
int ranks_to_start(const std::string& text, const Launch& launch, int gpus);

/// Refuses copies of one run that would all write the same files.
/// \param seen the number of ranks that found each other
/// \param mpi the MPI through which they looked, "Open MPI 4.1.4"; "" if there was none
/// \throws InputError if a launcher started more or fewer
void check_that_all_are_seen(const Launch& launch, int seen, const std::string& mpi);

}  // namespace galerna::parallel
