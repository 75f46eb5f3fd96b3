/// \file
/// What the program knows of MPI: the functions of a library that is loaded at run time, so that the program runs
/// without MPI. Texts that functions return are errors; a null pointer means that all went well.
#pragma once

#include <cstddef>

extern "C" {

struct GalernaMpiPlace {
  int rank, size, host_rank, host_size;
};

struct GalernaMpiMessage {
  int rank;
  const void* send;
  std::size_t send_size;
  void* receive;
  std::size_t receive_size;
};

struct GalernaMpi {
  int version;  ///< of this table
  const char* (*library)();
  const char* (*start)(GalernaMpiPlace* place);
  /// Ends MPI. Nothing may be under way.
  const char* (*finish)();
  // One of these at a time; it is done when test() says so. Sizes below 2³¹, but those of messages.
  const char* (*begin_barrier)();
  const char* (*begin_broadcast)(void* data, std::size_t size);
  const char* (*begin_all_gather)(const void* mine, std::size_t size, void* all);
  const char* (*begin_exchange)(const GalernaMpiMessage* messages, std::size_t count);
  const char* (*test)(bool* done);
  /// Gives up what was begun, so that nothing more is received by an exchange. Others may then never end theirs.
  void (*withdraw)();
  /// Sends a message to all others that they hear while they wait for something else. Once for each rank.
  const char* (*tell)(const void* data, std::size_t size);
  /// \param size of room; then of what another rank told, whose number goes to `rank`, or −1 if none did
  const char* (*hear)(int* rank, void* data, std::size_t* size);
};

constexpr int galerna_mpi_version = 1;

/// The one symbol of the library.
const GalernaMpi* galerna_mpi();
}
