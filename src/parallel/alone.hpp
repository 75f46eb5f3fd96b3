/// \file
/// A run of one rank.
#pragma once

#include "parallel/team.hpp"

namespace galerna::parallel {

class Alone : public Team {
 public:
  Alone() : Team({0, 1, 0, 1, host_name()}) {}

 protected:
  void do_barrier() override {}
  void do_broadcast(std::span<std::byte>) override {}
  void do_all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override;
  std::vector<Bytes> do_gather(std::span<const std::byte> mine) override;
  void do_exchange(std::span<const Message>) override {}
  void do_check_others() override {}
};

}  // namespace galerna::parallel
