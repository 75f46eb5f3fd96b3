#include "files/csv.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "files/atomic_file.hpp"
#include "solutions.hpp"

namespace galerna::files {
namespace {

using tests::Folder;

TEST(Csv, RowsAreOnTheDiskAtOnceWithAllDigits) {
  const Folder folder;
  CsvMonitor monitor(folder / "m.csv", {"step", "time", "value"});
  EXPECT_EQ(read_file(folder / "m.csv"), "step,time,value\n");
  monitor.append({1, 0.1, 1.0 / 3});
  monitor.append({2, 0.2, std::nan("")});
  EXPECT_EQ(read_file(folder / "m.csv"), "step,time,value\n1,0.1,0.3333333333333333\n2,0.2,nan\n");
}

TEST(Csv, ContinuesAfterARestart) {
  const Folder folder;
  {
    CsvMonitor monitor(folder / "m.csv", {"time", "value"});
    for (double t : {0.0, 0.1, 0.2, 0.3}) monitor.append({t, 10 * t});
  }
  const std::string whole = read_file(folder / "m.csv");
  write_file(folder / "m.csv", whole + "0.15,7");  // cut off by a crash
  {
    CsvMonitor monitor(folder / "m.csv", {"time", "value"}, 0.1);
    EXPECT_EQ(read_file(folder / "m.csv"), "time,value\n0,0\n0.1,1\n");
    monitor.append({0.2, 2});
    monitor.append({0.3, 3});
  }
  EXPECT_EQ(read_file(folder / "m.csv"), whole);
}

TEST(Csv, ContinuesByAnotherColumn) {
  const Folder folder;
  {
    CsvMonitor monitor(folder / "m.csv", {"degree", "step"}, std::nullopt, "step");
    for (double step : {1, 2, 3}) monitor.append({9, step});
  }
  CsvMonitor(folder / "m.csv", {"degree", "step"}, 2, "step");
  EXPECT_EQ(read_file(folder / "m.csv"), "degree,step\n9,1\n9,2\n");
}

TEST(Csv, ANewRunReplacesTheFile) {
  const Folder folder;
  { CsvMonitor(folder / "m.csv", {"time", "value"}).append({1, 2}); }
  { CsvMonitor(folder / "m.csv", {"time", "other"}); }
  EXPECT_EQ(read_file(folder / "m.csv"), "time,other\n");
}

TEST(Csv, ContinuesAFileWithOtherColumns) {
  const Folder folder;
  { CsvMonitor(folder / "m.csv", {"time", "value"}).append({1, 2}); }
  { CsvMonitor(folder / "m.csv", {"time", "more", "value"}, 1.0).append({2, 3, 4}); }
  EXPECT_EQ(read_file(folder / "m.csv"), "time,more,value\n1,nan,2\n2,3,4\n");
  { CsvMonitor(folder / "m.csv", {"time", "value"}, 2.0).append({3, 5}); }
  EXPECT_EQ(read_file(folder / "m.csv"), "time,value,more\n1,2,nan\n2,4,3\n3,5,nan\n");
}

TEST(Csv, DoesNotContinueAnotherFile) {
  const Folder folder;
  { CsvMonitor(folder / "m.csv", {"step", "value"}, {}, "step").append({1, 2}); }
  EXPECT_THROW(CsvMonitor(folder / "m.csv", {"time", "value"}, 1.0), InputError);
  EXPECT_EQ(read_file(folder / "m.csv"), "step,value\n1,2\n");
  EXPECT_NO_THROW(CsvMonitor(folder / "new.csv", {"time"}, 1.0));
}

TEST(Csv, RefusesWrongUse) {
  const Folder folder;
  EXPECT_THROW(CsvMonitor(folder / "m.csv", {"t"}), std::invalid_argument);
  CsvMonitor monitor(folder / "m.csv", {"time"});
  EXPECT_THROW(monitor.append({1, 2}), std::invalid_argument);
  EXPECT_THROW(CsvMonitor(folder / "m.csv/x", {"time"}), SystemError);
}

TEST(Csv, SaysWhenTheDiskIsFull) {
  const Folder folder;
  CsvMonitor monitor(folder / "m.csv", {"time"});
  const tests::FullDisk full(100);
  EXPECT_THROW(for (int i = 0; i < 100; ++i) monitor.append({i + 0.123456789}), SystemError);
}

}  // namespace
}  // namespace galerna::files
