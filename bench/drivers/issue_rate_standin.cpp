// On the tests' device, where it is only launched: its times mean nothing.
#include "bench/drivers/issue_rate.hpp"
#include "tests/standin/standin.hpp"

namespace sightline::bench {

void issue(CUstream_st* stream, Pipe, unsigned, unsigned, std::uint32_t* sink) {
  standin::launch(stream, [sink] { *sink = 0; });
}

}  // namespace sightline::bench
