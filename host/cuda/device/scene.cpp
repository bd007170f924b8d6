#include "host/cuda/device/scene.hpp"

#include "host/cuda/all_cores.hpp"
#include "host/tree/refit.hpp"

namespace sightline::cuda {
namespace {

// On an H200, 2^21 rays for the closest hit took by brute force and by the tree, in ms: a city of 1
// shape 0.109 and 0.119, of 2 0.142 and 0.126, of 4 0.229 and 0.153, of 8 0.398 and 0.206; a cloud
// of 1 0.109 and 0.099, of 4 0.470 and 1.051, of 8 1.075 and 0.960, of 16 3.44 and 1.27. Any hit is
// faster by the tree from 1 shape on.
constexpr std::uint32_t most_for_brute_force = 4;
constexpr std::uint64_t most_in_a_tree = std::uint64_t{1} << 31;

bool wants_tree(const ShapesView& shapes, Search search) {
  if (search == Search::brute_force) return false;
  return search == Search::tree || shapes.bounded() > most_for_brute_force;
}

void check_sizes(const ShapesView& shapes) {
  if (shapes.bounded() > most_in_a_tree) {
    throw Error(ErrorKind::usage, "a tree holds at most 2147483648 shapes with bounds, not " +
                                      std::to_string(shapes.bounded()));
  }
  const std::uint64_t units = kernels::record_units(shapes);
  if (units > kernels::most_record_units) {
    throw Error(ErrorKind::usage,
                "a tree holds at most 68719476720 bytes of its shapes' records, "
                "not " +
                    std::to_string(units * sizeof(kernels::RecordUnit)));
  }
}

}  // namespace

ResidentScene::ResidentScene(const ShapesView& shapes, const SceneOptions& options,
                             const MemoryPool& pool)
    : pool_(pool),
      host_(shapes),
      has_tree_(wants_tree(shapes, options.search)),
      build_(options.build),
      host_if_short_(options.host_if_short) {
  if (has_tree_) check_sizes(shapes);
  shapes_ = upload(stream_, shapes);
  if (has_tree_) {
    build();
    widen();
  }
  stream_.synchronize();
}

ResidentScene::ResidentScene(const ShapesView& shapes, const ResidentScene& before, Update how,
                             bool host_if_short)
    : pool_(before.pool_),
      host_(shapes),
      has_tree_(before.has_tree_),
      build_(before.build_),
      host_if_short_(host_if_short),
      why_on_host_(before.why_on_host_) {
  shapes_ = upload(stream_, shapes);
  if (has_tree_) {
    refit(before);
    if (how == Update::automatic && detail::outgrown(area(), *built_area_)) {
      built_area_.reset();
      build();
    }
    widen();
  }
  stream_.synchronize();
}

void ResidentScene::build() {
  careful_ = {};
  why_on_host_ = build_ == TreeBuild::careful ? "" : nullptr;
  if (why_on_host_ != nullptr || !build_on_device()) build_on_host();
}

bool ResidentScene::build_on_device() {
  node_count_ = kernels::tree_nodes(host_.bounded());
  nodes_.reserve(node_count_ * sizeof(BvhNode));
  if (node_count_ == 0) return true;
  try {
    StreamMemory memory = scratch();
    bool too_deep = false;
    const int error = kernels::build_tree(stream_.get(), shapes_.view, nodes(), &rounds_, &too_deep,
                                          memory.allocator());
    check(static_cast<cudaError_t>(error), "build_tree");
    if (too_deep) why_on_host_ = ": one that the device built would be too deep";
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::out_of_memory || !host_if_short_) throw;
    why_on_host_ = ": the device has too little memory to build one";
    stream_.synchronize();  // then the pool can give up what the build took
  }
  return why_on_host_ == nullptr;
}

void ResidentScene::build_on_host() {
  all_cores().run([&] { careful_ = detail::build_bvh(host_); });
  node_count_ = static_cast<std::uint32_t>(careful_.nodes.size());
  nodes_.reserve(node_count_ * sizeof(BvhNode));
  copy_nodes(careful_.nodes.data(), cudaMemcpyHostToDevice);
}

void ResidentScene::refit(const ResidentScene& before) {
  node_count_ = before.node_count_;
  nodes_ = DeviceMemory(node_count_ * sizeof(BvhNode));
  built_area_ = before.area_when_built();
  if (why_on_host_ != nullptr) {
    careful_ = before.careful_;
    all_cores().run([&] { detail::refit_bvh(careful_, host_); });
    copy_nodes(careful_.nodes.data(), cudaMemcpyHostToDevice);
    return;
  }
  rounds_ = before.rounds_;
  copy_nodes(before.nodes_.data(), cudaMemcpyDeviceToDevice);
  kernels::refit_tree(stream_.get(), shapes_.view, nodes(), rounds_);
  check_launch("refit_tree");
}

void ResidentScene::widen() {
  if (node_count_ == 0) return;
  const std::uint64_t units = kernels::record_units(host_);
  kernels::WidenJob job = {shapes_.view, {nodes(), node_count_}};
  const auto take_arrays = [&](BumpLayout& memory) {
    job.nodes = memory.take<QuantisedNode>(kernels::most_wide_nodes(host_.bounded()));
    job.records = memory.take<kernels::RecordUnit>(units);
    job.ids = memory.take<std::uint32_t>(units);
  };
  // The build's memory, which the pool keeps, is given up where there is no other.
  with_room(pool_, [&] { lay_out_in(wide_memory_, take_arrays); });
  wide_ = {job.nodes, job.records, job.ids};
  StreamMemory memory = scratch();
  std::uint32_t count = 0;
  const int error = kernels::widen_tree(stream_.get(), job, &count, memory.allocator());
  check(static_cast<cudaError_t>(error), "widen_tree");
  if (why_on_host_ != nullptr) nodes_ = {};  // the host's copy is refitted
}

double ResidentScene::area() const {
  if (why_on_host_ != nullptr) return detail::bvh_area(careful_);
  double sum = 0;
  if (node_count_ == 0) return sum;
  StreamMemory memory = scratch();
  const int error =
      kernels::tree_area(stream_.get(), nodes(), node_count_, &sum, memory.allocator());
  check(static_cast<cudaError_t>(error), "tree_area");
  return sum;
}

void ResidentScene::copy_nodes(const void* from, cudaMemcpyKind kind) {
  if (node_count_ == 0) return;
  check(cudaMemcpyAsync(nodes_.data(), from, node_count_ * sizeof(BvhNode), kind, stream_.get()),
        "cudaMemcpyAsync");
}

kernels::DeviceScene ResidentScene::view() const { return {shapes_.view, has_tree_, wide_}; }

std::string ResidentScene::description() const {
  if (!has_tree_) return "brute force";
  if (why_on_host_ == nullptr) return "tree built on the device";
  return std::string("tree built on the host") + why_on_host_;
}

}  // namespace sightline::cuda
