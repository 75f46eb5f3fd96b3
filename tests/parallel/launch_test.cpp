#include "parallel/launch.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/environment.hpp"
#include "base/error.hpp"

namespace galerna::parallel::tests {
namespace {

using Variables = std::map<std::string, std::string>;

Launch launch(const Variables& variables) {
  return find_launch([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  });
}

void expect(const Variables& variables, Launch::By by, int rank, int size, int host_rank) {
  const Launch found = launch(variables);
  EXPECT_EQ(found.by, by);
  EXPECT_EQ(found.rank, rank);
  EXPECT_EQ(found.size, size);
  EXPECT_EQ(found.host_rank, host_rank);
}

/// What an action's InputError says.
std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was wrong";
}

TEST(Launch, IsByItselfWithoutALauncher) {
  expect({{"HOME", "/"}}, Launch::By::itself, 0, 1, 0);
  EXPECT_NO_THROW(find_launch(environment));
}

TEST(Launch, KnowsMpirun) {
  expect({{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_LOCAL_RANK", "1"}},
         Launch::By::mpirun, 3, 4, 1);
  expect({{"PMI_SIZE", "2"}, {"PMI_RANK", "1"}, {"MPI_LOCALRANKID", "0"}}, Launch::By::mpirun, 1, 2, 0);
  expect({{"PMI_SIZE", "2"}, {"PMI_RANK", "1"}}, Launch::By::mpirun, 1, 2, 1);
  expect({{"MV2_COMM_WORLD_SIZE", "5"}, {"MV2_COMM_WORLD_RANK", "2"}, {"MV2_COMM_WORLD_LOCAL_RANK", "2"}},
         Launch::By::mpirun, 2, 5, 2);
}

TEST(Launch, KnowsSrun) {
  Variables step{{"SLURM_STEP_ID", "0"}, {"SLURM_NTASKS", "16"}, {"SLURM_PROCID", "5"}, {"SLURM_LOCALID", "1"}};
  expect(step, Launch::By::srun, 5, 16, 1);
  // srun -n 8 in an allocation of 16 tasks.
  step["SLURM_STEP_NUM_TASKS"] = "8";
  expect(step, Launch::By::srun, 5, 8, 1);
  step["PMI_SIZE"] = "8";
  step["PMI_RANK"] = "5";
  expect(step, Launch::By::srun, 5, 8, 1);
}

TEST(Launch, TakesNoScriptOfSlurmForALauncher) {
  Variables script{{"SLURM_JOB_ID", "9"}, {"SLURM_NTASKS", "16"}, {"SLURM_PROCID", "0"}, {"SLURM_LOCALID", "0"}};
  expect(script, Launch::By::itself, 0, 1, 0);
  script["SLURM_STEP_ID"] = "4294967290";
  expect(script, Launch::By::itself, 0, 1, 0);
  script["SLURM_STEP_ID"] = "4294967291";
  expect(script, Launch::By::itself, 0, 1, 0);
}

TEST(Launch, PrefersMpirunWithinAJobOfSlurm) {
  // The helpers of mpirun are started by srun, one a host.
  const Variables helper{
      {"SLURM_STEP_ID", "0"}, {"SLURM_NTASKS", "2"}, {"SLURM_STEP_NUM_TASKS", "2"}, {"SLURM_PROCID", "1"}};
  Variables open_mpi = helper, hydra = helper;
  open_mpi.insert({{"OMPI_COMM_WORLD_SIZE", "8"}, {"OMPI_COMM_WORLD_RANK", "6"}, {"OMPI_COMM_WORLD_LOCAL_RANK", "2"}});
  expect(open_mpi, Launch::By::mpirun, 6, 8, 2);
  hydra.insert({{"PMI_SIZE", "8"}, {"PMI_RANK", "6"}});
  expect(hydra, Launch::By::mpirun, 6, 8, 6);
}

TEST(Launch, RefusesNumbersThatAreNone) {
  for (const char* bad : {"x", "0", "-1", "2x", "99999999999999999999"}) {
    const auto find = [&] { launch({{"OMPI_COMM_WORLD_SIZE", bad}, {"OMPI_COMM_WORLD_RANK", "0"}}); };
    EXPECT_NE(message_of(find).find(std::string("OMPI_COMM_WORLD_SIZE = ") + bad), std::string::npos);
  }
  const auto find = [&] { launch({{"PMI_SIZE", "2"}, {"PMI_RANK", "2"}}); };
  EXPECT_NE(message_of(find).find("PMI_RANK = 2, but PMI_SIZE = 2"), std::string::npos);
}

TEST(Launch, ReadsTheNumberOfRanks) {
  EXPECT_EQ(parse_ranks("1", 0), 1);
  EXPECT_EQ(parse_ranks("17", 2), 17);
  EXPECT_EQ(parse_ranks("all", 4), 4);
  EXPECT_EQ(parse_ranks("all", 0), 1);
  const auto refusal = [](const std::string& text) { return message_of([&] { parse_ranks(text, 2); }); };
  const std::string remedy = ": give 1, 2, … or all (one rank for each GPU)";
  for (const std::string text : {"0", "-1"})
    EXPECT_EQ(refusal(text), "--ranks: error: a run has at least one rank, not " + text + remedy);
  for (const std::string text : {"x", "", "2.5", "3 ", "ALL"})
    EXPECT_EQ(refusal(text), "--ranks: error: \"" + text + "\" is no number of ranks" + remedy);
  EXPECT_NE(refusal("100000").find("100000 is more than one host takes, "), std::string::npos);
}

TEST(Launch, StartsRanksOnlyIfNobodyElseDid) {
  const Launch alone, one{Launch::By::mpirun, 0, 1, 0}, two{Launch::By::mpirun, 1, 2, 1};
  EXPECT_EQ(ranks_to_start("", alone, 2), 1);
  EXPECT_EQ(ranks_to_start("all", alone, 2), 2);
  EXPECT_EQ(ranks_to_start("3", one, 2), 3);
  EXPECT_EQ(ranks_to_start("", two, 2), 1);
  EXPECT_NE(
      message_of([&] { ranks_to_start("2", two, 2); }).find("cannot be combined with mpirun, which started 2 ranks"),
      std::string::npos);
}

TEST(Launch, NoticesCopiesThatDoNotSeeOneAnother) {
  const Launch srun{Launch::By::srun, 0, 4, 0}, mpirun{Launch::By::mpirun, 0, 4, 0};
  EXPECT_NO_THROW(check_that_all_are_seen(srun, 4, "MPI"));
  EXPECT_NO_THROW(check_that_all_are_seen({}, 1, ""));
  const auto message = [](const Launch& launch, int seen, const std::string& mpi) {
    return message_of([&] { check_that_all_are_seen(launch, seen, mpi); });
  };
  EXPECT_TRUE(
      message(srun, 1, "Open MPI 4.1.4")
          .starts_with("error: the program was started 4 times by srun, but its processes do not see one another: "
                       "give srun the option --mpi=pmix"));
  EXPECT_NE(message(mpirun, 1, "Open MPI 4.1.4").find("by the mpirun of Open MPI 4.1.4"), std::string::npos);
  EXPECT_NE(message(mpirun, 1, "").find("install MPI (libopenmpi-dev)"), std::string::npos);
  EXPECT_NE(message(mpirun, 2, "MPICH 4").find("only 2 see one another"), std::string::npos);
}

}  // namespace
}  // namespace galerna::parallel::tests
