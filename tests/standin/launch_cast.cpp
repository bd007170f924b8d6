// The launchers of kernels/cast.cu on the stand-in device.
#include "tests/standin/emulate_cast.hpp"
#include "tests/standin/standin.hpp"

namespace sightline::kernels {

void closest_hit(Stream stream, const ClosestHitJob& job) {
  if (job.rays.count != 0) standin::launch(stream, [job] { standin::emulate(job); });
}

void any_hit(Stream stream, const AnyHitJob& job) {
  if (job.rays.count != 0) standin::launch(stream, [job] { standin::emulate(job); });
}

void cast_each(Stream stream, const CastEachJob& job) {
  if (job.rays.count != 0) standin::launch(stream, [job] { standin::emulate(job); });
}

}  // namespace sightline::kernels
