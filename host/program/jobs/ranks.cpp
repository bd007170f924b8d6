#include "host/program/jobs/ranks.hpp"

#include "host/files/core/file.hpp"

#ifdef SIGHTLINE_MPI

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <system_error>
#include <thread>

namespace sightline::cli {
namespace {

constexpr int asks = 1, gets = 2;
constexpr std::uint64_t no_more = ~std::uint64_t{0};

}  // namespace

/// Rank 0's: gives the others their numbers from a thread that looks for questions now and then,
/// because waiting in MPI would take a core from the work.
struct Ranks::Coordinator {
  std::atomic<std::uint64_t> taken{0};
  std::jthread thread;

  std::uint64_t next(std::uint64_t count) {
    const std::uint64_t number = taken++;
    return number < count ? number : no_more;
  }
  void answer(int others, std::uint64_t count, const std::stop_token& stop) {
    while (others > 0 && !stop.stop_requested()) {
      int is_there = 0;
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, asks, MPI_COMM_WORLD, &is_there, &status);
      if (is_there == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        continue;
      }
      MPI_Recv(nullptr, 0, MPI_BYTE, status.MPI_SOURCE, asks, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      const std::uint64_t number = next(count);
      MPI_Send(&number, 1, MPI_UINT64_T, status.MPI_SOURCE, gets, MPI_COMM_WORLD);
      if (number == no_more) --others;
    }
  }
};

Ranks::Ranks(std::uint64_t count) : exceptions_(std::uncaught_exceptions()), count_(count) {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  if (provided < MPI_THREAD_SERIALIZED) {
    throw Error(ErrorKind::usage, "this MPI cannot be called from two threads");
  }
}

Ranks::~Ranks() {
  coordinator_.reset();
  // A rank that ends without this is one for which mpirun ends the others, and its code is
  // mpirun's. What they have done is kept, as after any kill.
  if (std::uncaught_exceptions() == exceptions_) MPI_Finalize();
}

void Ranks::require_same(const std::string& text) {
  std::uint64_t length = text.size();
  MPI_Bcast(&length, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  std::string first = text;
  first.resize(length);
  MPI_Bcast(first.data(), static_cast<int>(length), MPI_BYTE, 0, MPI_COMM_WORLD);
  if (first != text) {
    io::fail(ErrorKind::bad_input, "rank {} has other inputs or parameters than rank 0", rank_);
  }
}

std::optional<std::uint64_t> Ranks::next() {
  std::uint64_t number = no_more;
  if (rank_ != 0) {
    MPI_Send(nullptr, 0, MPI_BYTE, 0, asks, MPI_COMM_WORLD);
    MPI_Recv(&number, 1, MPI_UINT64_T, 0, gets, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    if (!coordinator_) {
      coordinator_ = std::make_unique<Coordinator>();
      try {
        coordinator_->thread = std::jthread(
            [this](const std::stop_token& stop) { coordinator_->answer(size_ - 1, count_, stop); });
      } catch (const std::system_error& error) {
        io::fail(ErrorKind::out_of_memory,
                 "the system refuses rank 0 the thread that answers the others: raise its limit of "
                 "processes, or run shards without --mpi: {}",
                 error.what());
      }
    }
    number = coordinator_->next(count_);
    if (number == no_more) coordinator_->thread.join();
  }
  return number == no_more ? std::nullopt : std::optional(number);
}

}  // namespace sightline::cli

#else

namespace sightline::cli {

struct Ranks::Coordinator {};

Ranks::Ranks(std::uint64_t) {
  throw Error(ErrorKind::usage, "--mpi: this build has no MPI; --shard needs none");
}
Ranks::~Ranks() = default;
void Ranks::require_same(const std::string&) {}
std::optional<std::uint64_t> Ranks::next() { return std::nullopt; }

}  // namespace sightline::cli

#endif
