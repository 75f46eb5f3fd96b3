#include "solver/run/wall_clock.hpp"

#include "device/program.hpp"

namespace galerna::solver {

WallClock::WallClock(Clock::time_point began) : began_(began), since_(began), compiled_(device::compile_seconds()) {}

void WallClock::enter(Part part) {
  const Clock::time_point now = Clock::now();
  const double elapsed = std::chrono::duration<double>(now - since_).count();
  const double compiled = device::compile_seconds() - compiled_;
  seconds_[static_cast<std::size_t>(part_)] += elapsed - compiled;
  seconds_[static_cast<std::size_t>(Part::compile)] += compiled;
  since_ = now;
  compiled_ += compiled;
  part_ = part;
}

void WallClock::report(files::Report::Time& time) {
  enter(part_);
  time.wall_total = std::chrono::duration<double>(since_ - began_).count();
  time.wall_start = seconds(Part::start);
  time.wall_read = seconds(Part::read);
  time.wall_refine = seconds(Part::refine);
  time.wall_prepare = seconds(Part::prepare);
  time.wall_upload = seconds(Part::upload);
  time.wall_compile = seconds(Part::compile);
  time.wall_tuning = seconds(Part::tuning);
  time.wall_loop = seconds(Part::loop);
  time.wall_watch = seconds(Part::watch);
  time.wall_wait = seconds(Part::wait);
  time.wall_output = seconds(Part::output);
  time.wall_finish = seconds(Part::finish);
}

}  // namespace galerna::solver
