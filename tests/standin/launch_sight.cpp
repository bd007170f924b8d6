// The launchers of kernels/sight.cu on the stand-in device.
#include "tests/standin/emulate_sight.hpp"
#include "tests/standin/standin.hpp"

namespace sightline::kernels {

void sight(Stream stream, const SightJob& job) {
  if (job.viewpoints.count == 0 || job.row_words == 0) return;
  standin::launch(stream, [job] { standin::emulate(job); });
}

void self_sight(Stream stream, const SelfSightJob& job) {
  if (job.points.count != 0) standin::launch(stream, [job] { standin::emulate(job); });
}

void reorder_bits(Stream stream, const ReorderBitsJob& job) {
  if (job.rows == 0 || job.row_words == 0) return;
  standin::launch(stream, [job] { standin::emulate(job); });
}

void fields_of_view(Stream stream, const FieldsJob& job) {
  if (job.viewpoints.count == 0 || job.row_words == 0) return;
  standin::launch(stream, [job] { standin::emulate(job); });
}

void sight_pairs(Stream stream, const SightPairsJob& job) {
  if (job.from.count != 0) standin::launch(stream, [job] { standin::emulate(job); });
}

void count_points(Stream stream, const CountPointsJob& job) {
  if (job.points.count != 0) standin::launch(stream, [job] { standin::emulate(job); });
}

}  // namespace sightline::kernels
