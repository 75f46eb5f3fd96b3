#include "solver/outputs/output_queue.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

namespace galerna::solver {
namespace {

/// A gate that jobs wait at.
class Gate {
 public:
  void open() {
    open_ = true;
    open_.notify_all();
  }
  void pass() const { open_.wait(false); }

 private:
  std::atomic<bool> open_ = false;
};

TEST(QuickOutputQueue, DoesJobsInTheirOrderBesideWhoAddsThem) {
  OutputQueue queue(100);
  Gate gate;
  std::vector<int> done;
  queue.add([&] { gate.pass(); });
  for (int i = 0; i < 50; ++i) queue.add([&done, i] { done.push_back(i); });
  gate.open();
  queue.finish();
  ASSERT_EQ(done.size(), 50u);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(done[static_cast<std::size_t>(i)], i);
}

TEST(QuickOutputQueue, HoldsNoMoreThanItsBound) {
  for (const int most : {1, 2, 5}) {
    OutputQueue queue(most);
    std::atomic<int> held = 0, largest = 0;
    for (int i = 0; i < 30; ++i) {
      queue.make_room();
      largest = std::max(largest.load(), ++held);
      queue.add([&] {
        std::this_thread::yield();
        --held;
      });
    }
    queue.finish();
    EXPECT_EQ(held, 0);
    EXPECT_LE(largest, most);
    EXPECT_GE(largest, 1);
  }
}

TEST(QuickOutputQueue, WithoutRoomWhoeverAddsDoesTheWork) {
  OutputQueue queue(0);
  std::thread::id by;
  queue.make_room();
  queue.add([&] { by = std::this_thread::get_id(); });
  EXPECT_EQ(by, std::this_thread::get_id());
  EXPECT_THROW(queue.add([] { throw std::runtime_error("full"); }), std::runtime_error);
}

TEST(QuickOutputQueue, AFailureDropsWhatIsBehindAndIsHeardOnce) {
  OutputQueue queue(10);
  Gate gate;
  std::atomic<int> done = 0;
  queue.add([&] { ++done; });
  queue.add([&] {
    gate.pass();
    throw std::runtime_error("full");
  });
  queue.add([&] { ++done; });
  EXPECT_FALSE(queue.failed());
  gate.open();
  EXPECT_THROW(queue.finish(), std::runtime_error);
  EXPECT_EQ(done, 1);
  EXPECT_FALSE(queue.failed());
  EXPECT_NO_THROW(queue.finish());
  queue.add([&] { ++done; });
  queue.finish();
  EXPECT_EQ(done, 2);
}

TEST(QuickOutputQueue, DoesWhatIsThereBeforeItEnds) {
  std::atomic<int> done = 0;
  {
    OutputQueue queue(10);
    for (int i = 0; i < 5; ++i) queue.add([&] { ++done; });
  }
  EXPECT_EQ(done, 5);
}

TEST(QuickOutputQueue, LetsGoOfWhatAJobHoldsWhenItIsDone) {
  OutputQueue queue(2);
  auto data = std::make_shared<int>(1);
  const std::weak_ptr<int> seen = data;
  queue.add([data = std::move(data)] {});
  queue.finish();
  EXPECT_TRUE(seen.expired());
}

}  // namespace
}  // namespace galerna::solver
