#include "solver/outputs/outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "base/phases.hpp"
#include "files/atomic_file.hpp"
#include "solver/outputs/check_outputs.hpp"
#include "solver/outputs/output_times.hpp"
#include "solver/outputs/series_outputs.hpp"

namespace galerna::solver {

Outputs::Outputs(const case_file::Settings& settings, const mesh::Mesh& mesh, Observer& observer, WallClock& clock,
                 int pending, bool keeps, std::optional<double> restart_time)
    : settings_(settings.output),
      observer_(observer),
      clock_(clock),
      keeps_(keeps),
      restart_time_(restart_time),
      outputs_(make_outputs(settings, mesh)),
      queue_(pending) {
  files::create_directory(settings_.directory);
  for (const auto& output : outputs_) output->open(restart_time);
}

double Outputs::next_time(double time) const {
  double next = std::numeric_limits<double>::infinity();
  for (const case_file::Schedule* schedule : schedules())
    if (schedule->interval) next = std::min(next, multiple_after(*schedule->interval, time));
  return next;
}

long Outputs::next_step(long step) const {
  long next = std::numeric_limits<long>::max();
  for (const case_file::Schedule* schedule : schedules())
    if (schedule->steps) next = std::min(next, (step / *schedule->steps + 1) * *schedule->steps);
  return next;
}

std::vector<const case_file::Schedule*> Outputs::schedules() const {
  std::vector<const case_file::Schedule*> all = {&settings_.checkpoint_schedule};
  for (const auto& output : outputs_)
    if (output->schedule()) all.push_back(output->schedule());
  return all;
}

bool Outputs::due(const case_file::Schedule& schedule, const Moment& now) {
  return (schedule.interval && on_multiple(*schedule.interval, now.time())) ||
         (schedule.steps && now.step() % *schedule.steps == 0);
}

void Outputs::write_due(Moment& now, const std::function<MakeCheckpoint()>& checkpoint, bool last) {
  if (is_written(now, last)) {
    for (const auto& output : outputs_) output->skip(now);
    return;
  }
  if (last)
    write_last(now, checkpoint);
  else
    write_beside(now, checkpoint);
}

void Outputs::write_beside(Moment& now, const std::function<MakeCheckpoint()>& checkpoint) {
  const auto due_now = [&](const Output& output) {
    return output.schedule() && is_due(*output.schedule(), now, false);
  };
  const bool with_checkpoint = checkpoint && now.step() > 0 && due(settings_.checkpoint_schedule, now);
  if (with_checkpoint || std::any_of(outputs_.begin(), outputs_.end(), [&](const auto& output) {
        return output->is_written_beside() && due_now(*output);
      })) {
    const WallClock::Scope waiting(clock_, WallClock::Part::wait);
    const Phase phase("waiting for files", 2);
    queue_.make_room();
  }
  std::vector<OutputQueue::Job> jobs;
  for (const auto& output : outputs_)
    if (due_now(*output))
      if (OutputQueue::Job job = output->write(now, observer_, false)) jobs.push_back(std::move(job));
  if (with_checkpoint)
    jobs.push_back(
        [this, make = checkpoint(), name = fmt::format("{:08}", now.step())] { write_checkpoint(make(), name); });
  if (jobs.empty() || !keeps_) return;
  std::optional<Phase> waits;  // for what is done at once
  if (!queue_.is_beside()) waits.emplace("writing files", 2);
  queue_.add([jobs = std::move(jobs)] {
    for (const OutputQueue::Job& job : jobs) job();
  });
}

void Outputs::finish() {
  const WallClock::Scope waiting(clock_, WallClock::Part::wait);
  const Phase phase("waiting for files", 2);
  queue_.finish();
}

void Outputs::attempt(const std::function<void()>& write) {
  try {
    write();
  } catch (const Error&) {
    if (!failed_) failed_ = std::current_exception();
  } catch (const std::bad_alloc&) {
    if (!failed_)
      failed_ = std::make_exception_ptr(
          SystemError(fmt::format("out of host memory while {}; take a machine with more memory", failed_phase())));
  }
}

void Outputs::write_last(Moment& now, const std::function<MakeCheckpoint()>& checkpoint) {
  attempt([&] { finish(); });
  const auto write_all = [&](bool with_schedule) {
    for (const auto& output : outputs_)
      if ((output->schedule() != nullptr) == with_schedule)
        attempt([&] {
          if (const OutputQueue::Job job = output->write(now, observer_, true); job && keeps_) job();
        });
  };
  write_all(true);
  if (checkpoint)
    attempt([&] {
      observer_.working("writing the checkpoint");
      const Phase phase("writing the checkpoint");
      const MakeCheckpoint make = checkpoint();
      if (keeps_) write_checkpoint(make(), "final");
    });
  write_all(false);
}

std::vector<OutputFiles> Outputs::files() const {
  std::vector<OutputFiles> all;
  for (const auto& output : outputs_)
    for (OutputFiles& named : output->files()) {
      std::erase_if(named.files, [&](const std::string& file) { return !std::filesystem::exists(directory() / file); });
      if (!named.files.empty()) all.push_back(std::move(named));
    }
  return all;
}

void Outputs::require_written() const {
  if (failed_) std::rethrow_exception(failed_);
}

void Outputs::write_state(const analysis::Solution& solution, const std::string& name,
                          const std::vector<mesh::Index>& elements) {
  if (keeps_) solver::write_state(settings_, solution, name, elements);
}

void Outputs::write_checkpoint(const files::Checkpoint& checkpoint, const std::string& name) {
  if (keeps_) files::write_checkpoint(checkpoint, settings_.directory / ("checkpoint_" + name + ".h5"));
}

}  // namespace galerna::solver
