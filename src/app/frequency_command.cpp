#include <fmt/format.h>

#include <memory>
#include <optional>

#include "analysis/history.hpp"
#include "app/commands.hpp"
#include "base/error.hpp"
#include "base/file_kind.hpp"
#include "files/history_file.hpp"

namespace galerna::app {
namespace {

struct FrequencyWords {
  std::string file, column;
  int periods = 10;
  std::optional<double> length, velocity;
};

void print(const analysis::Oscillation& o, const FrequencyWords& words) {
  fmt::print("over the last {} periods of {}:\n", o.periods, words.column);
  fmt::print("  frequency        {:.8g}  (peak of the Fourier transform {:.8g})\n", o.frequency, o.peak_frequency);
  fmt::print("  mean             {:.8g}\n  amplitude        {:.8g}\n  rms about mean   {:.8g}\n", o.mean, o.amplitude,
             o.rms);
  fmt::print("  spread of period {:.2e}, drift of amplitude {:.2e}\n", o.period_spread, o.amplitude_drift);
  if (words.length && words.velocity)
    fmt::print("  Strouhal number  {:.6g}\n", analysis::strouhal(o.frequency, *words.length, *words.velocity));
}

}  // namespace

Action add_frequency(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("frequency", "Frequency and amplitude of a column of monitor.csv or of a probe");
  auto words = std::make_shared<FrequencyWords>();
  command->add_option("file", words->file, "CSV file with a column time")->required()->type_name("FILE.csv");
  command->add_option("column", words->column, "such as force_cylinder_y")->required()->type_name("COLUMN");
  command->add_option("--periods", words->periods, "how many periods at the end are looked at")->capture_default_str();
  auto* length = command->add_option("--length", words->length, "for the Strouhal number f L / U");
  auto* velocity = command->add_option("--velocity", words->velocity, "for the Strouhal number");
  length->needs(velocity);
  velocity->needs(length);
  return [words] {
    if (const std::string other = other_kind(words->file, FileKind::table); !other.empty())
      throw InputError({words->file}, "this is not a table (.csv), but " + other);
    const analysis::History history = files::read_history(words->file, words->column);
    print(analysis::analyse_oscillation(history, words->periods), *words);
    return 0;
  };
}

}  // namespace galerna::app
