// Calls of the system that fail on purpose: whatever is linked with failing_calls.cpp, or preloads
// it, has its memory, threads and files from here.
#pragma once

namespace sightline::testing {

enum class Call {
  none,
  memory,    ///< malloc() and its like, which operator new calls
  thread,    ///< pthread_create()
  status,    ///< fstat()
  inode,     ///< fstat() too: it tells another file each time
  transfer,  ///< pread(), pwrite(), fallocate(): of those preloaded alone
};

/// Which of the calls of a kind fail, from the plan's making on.
struct FailurePlan {
  Call call = Call::none;
  long at = 0;      ///< the first that fails; 0: none does, they are only counted
  bool on = false;  ///< all later ones fail, too
  int error = 0;    ///< the errno
};
void set_failure_plan(const FailurePlan& plan);
/// Calls of the planned kind so far.
long planned_calls();

/// Counts a call; true where it is to fail, with errno set.
bool fails(Call call);

}  // namespace sightline::testing
