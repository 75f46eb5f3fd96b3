#include "solver/outputs.hpp"

#include <fmt/format.h>

#include <limits>
#include <new>

#include "files/atomic_file.hpp"
#include "solver/check_outputs.hpp"
#include "solver/output_times.hpp"
#include "solver/series_outputs.hpp"

namespace galerna::solver {

Outputs::Outputs(const case_file::Settings& settings, const mesh::Mesh& mesh, Observer& observer,
                 std::optional<double> restart_time)
    : settings_(settings.output),
      observer_(observer),
      restart_time_(restart_time),
      outputs_(make_outputs(settings, mesh)) {
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

void Outputs::write_due(Moment& now, const MakeCheckpoint& checkpoint, bool last) {
  if (is_written(now, last)) return;
  for (const auto& output : outputs_)
    if (output->schedule() && is_due(*output->schedule(), now, last)) output->write(now, observer_, last);
  if (last)
    write_last(now, checkpoint);
  else if (checkpoint && now.step() > 0 && due(settings_.checkpoint_schedule, now))
    write_checkpoint(checkpoint(), fmt::format("{:08}", now.step()));
}

void Outputs::write_last(Moment& now, const MakeCheckpoint& checkpoint) {
  if (checkpoint) {
    observer_.working("writing the checkpoint");
    write_checkpoint(checkpoint(), "final");
  }
  for (const auto& output : outputs_) {
    if (output->schedule()) continue;
    try {
      output->write(now, observer_, true);
    } catch (const Error&) {
      if (!failed_) failed_ = std::current_exception();
    } catch (const std::bad_alloc&) {
      if (!failed_) failed_ = std::make_exception_ptr(SystemError("not enough memory for the last outputs"));
    }
  }
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
  solver::write_state(settings_, solution, name, elements);
}

void Outputs::write_checkpoint(const files::Checkpoint& checkpoint, const std::string& name) {
  files::write_checkpoint(checkpoint, settings_.directory / ("checkpoint_" + name + ".h5"));
}

}  // namespace galerna::solver
