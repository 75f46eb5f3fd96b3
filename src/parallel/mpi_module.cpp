// The library libgalerna_mpi.so: the only source that is compiled against MPI.
#include "parallel/mpi_module.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace {

MPI_Comm talk = MPI_COMM_NULL;    // what ranks do together
MPI_Comm alarms = MPI_COMM_NULL;  // what they tell meanwhile

std::vector<MPI_Request> requests;
std::vector<int> expected;  // bytes of each request that receives, −1 for others
std::vector<char> told;
std::vector<MPI_Request> tellings;

const char* text_of(int code) {
  if (code == MPI_SUCCESS) return nullptr;
  static std::array<char, MPI_MAX_ERROR_STRING + 1> text;
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  return text.data();
}

const char* library() {
  static std::string name;
  if (!name.empty()) return name.c_str();
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING + 1> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  name = text.data();
  // "Open MPI v4.1.4, package: …" and pages more
  name = name.substr(0, name.find_first_of(",\n"));
  return name.c_str();
}

const char* start(GalernaMpiPlace* place) {
  int provided = 0;
  int code = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  if (code != MPI_SUCCESS) return text_of(code);
  if (provided < MPI_THREAD_SERIALIZED) return "this MPI may not be used by different threads";
  MPI_Comm host = MPI_COMM_NULL;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);  // its duplicates take it over
  if (code == MPI_SUCCESS) code = MPI_Comm_dup(MPI_COMM_WORLD, &talk);
  if (code == MPI_SUCCESS) code = MPI_Comm_dup(MPI_COMM_WORLD, &alarms);
  if (code == MPI_SUCCESS) code = MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  if (code != MPI_SUCCESS) return text_of(code);
  MPI_Comm_rank(talk, &place->rank);
  MPI_Comm_size(talk, &place->size);
  MPI_Comm_rank(host, &place->host_rank);
  MPI_Comm_size(host, &place->host_size);
  return text_of(MPI_Comm_free(&host));
}

const char* finish() {
  int code = MPI_Waitall(static_cast<int>(tellings.size()), tellings.data(), MPI_STATUSES_IGNORE);
  if (code == MPI_SUCCESS) code = MPI_Finalize();
  return text_of(code);
}

MPI_Request* new_request(int bytes_expected) {
  expected.push_back(bytes_expected);
  requests.push_back(MPI_REQUEST_NULL);
  return &requests.back();
}

const char* begin_barrier() {
  return text_of(MPI_Ibarrier(talk, new_request(-1)));
}

const char* begin_broadcast(void* data, std::size_t size) {
  return text_of(MPI_Ibcast(data, static_cast<int>(size), MPI_BYTE, 0, talk, new_request(-1)));
}

const char* begin_all_gather(const void* mine, std::size_t size, void* all) {
  const int count = static_cast<int>(size);
  return text_of(MPI_Iallgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, talk, new_request(-1)));
}

// MPI counts in int: messages go in pieces, which arrive in order.
constexpr std::size_t largest = std::size_t{1} << 30;

int begin_receive(const GalernaMpiMessage& message) {
  int code = MPI_SUCCESS;
  for (std::size_t at = 0; at < message.receive_size && code == MPI_SUCCESS; at += largest) {
    const int count = static_cast<int>(std::min(largest, message.receive_size - at));
    code =
        MPI_Irecv(static_cast<char*>(message.receive) + at, count, MPI_BYTE, message.rank, 0, talk, new_request(count));
  }
  return code;
}

int begin_send(const GalernaMpiMessage& message) {
  int code = MPI_SUCCESS;
  for (std::size_t at = 0; at < message.send_size && code == MPI_SUCCESS; at += largest) {
    const int count = static_cast<int>(std::min(largest, message.send_size - at));
    code =
        MPI_Isend(static_cast<const char*>(message.send) + at, count, MPI_BYTE, message.rank, 0, talk, new_request(-1));
  }
  return code;
}

const char* begin_exchange(const GalernaMpiMessage* messages, std::size_t count) {
  int code = MPI_SUCCESS;
  for (std::size_t i = 0; i < count && code == MPI_SUCCESS; ++i) code = begin_receive(messages[i]);
  for (std::size_t i = 0; i < count && code == MPI_SUCCESS; ++i) code = begin_send(messages[i]);
  return text_of(code);
}

const char* test(bool* done) {
  std::vector<MPI_Status> statuses(requests.size());
  int all_done = 0;
  const int code = MPI_Testall(static_cast<int>(requests.size()), requests.data(), &all_done, statuses.data());
  *done = all_done != 0;
  if (code != MPI_SUCCESS || !*done) return text_of(code);
  bool as_expected = true;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    int received = 0;
    if (expected[i] >= 0) MPI_Get_count(&statuses[i], MPI_BYTE, &received);
    if (expected[i] >= 0 && received != expected[i]) as_expected = false;
  }
  requests.clear();
  expected.clear();
  return as_expected ? nullptr : "a message has another size than its receiver expects";
}

void withdraw() {
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (expected[i] < 0 || requests[i] == MPI_REQUEST_NULL) continue;
    MPI_Cancel(&requests[i]);
    MPI_Request_free(&requests[i]);
  }
  requests.clear();
  expected.clear();
}

const char* tell(const void* data, std::size_t size) {
  told.assign(static_cast<const char*>(data), static_cast<const char*>(data) + size);
  int own = 0, ranks = 0;
  MPI_Comm_rank(alarms, &own);
  MPI_Comm_size(alarms, &ranks);
  tellings.assign(static_cast<std::size_t>(ranks), MPI_REQUEST_NULL);
  int code = MPI_SUCCESS;
  for (int rank = 0; rank < ranks && code == MPI_SUCCESS; ++rank)
    if (rank != own)
      code = MPI_Isend(told.data(), static_cast<int>(size), MPI_BYTE, rank, 0, alarms,
                       &tellings[static_cast<std::size_t>(rank)]);
  return text_of(code);
}

const char* hear(int* rank, void* data, std::size_t* size) {
  *rank = -1;
  int is_there = 0, count = 0;
  MPI_Status status;
  int code = MPI_Iprobe(MPI_ANY_SOURCE, 0, alarms, &is_there, &status);
  if (code != MPI_SUCCESS || !is_there) return text_of(code);
  MPI_Get_count(&status, MPI_BYTE, &count);
  if (static_cast<std::size_t>(count) > *size) return "a rank told more than there is room for";
  code = MPI_Recv(data, count, MPI_BYTE, status.MPI_SOURCE, 0, alarms, MPI_STATUS_IGNORE);
  *rank = status.MPI_SOURCE;
  *size = static_cast<std::size_t>(count);
  return text_of(code);
}

}  // namespace

const GalernaMpi* galerna_mpi() {
  static const GalernaMpi functions{
      galerna_mpi_version, library,        start, finish,   begin_barrier, begin_broadcast,
      begin_all_gather,    begin_exchange, test,  withdraw, tell,          hear};
  return &functions;
}
