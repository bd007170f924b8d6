// What nvcc's objects call of the CUDA runtime to register and launch kernels, and what Thrust asks
// of it. A launch is put into a stream of the stand-in device and interpreted when its turn comes;
// memory, streams and errors are the stand-in's. Names, values and layouts are the runtime's.
#include "tests/ptx/fat_binary.hpp"
#include "tests/ptx/ptx.hpp"
#include "tests/standin/machine.hpp"

#include <cstdio>

using namespace sightline;
using namespace sightline::standin;

struct dim3 {
  unsigned x, y, z;
};
struct CUkern_st;
using cudaKernel_t = CUkern_st*;

namespace {

/// One object's fat binary, read when the first of its kernels is launched.
struct Binary {
  const void* wrapper = nullptr;
  ptx::Module* module = nullptr;
};
struct Kernel {
  Binary* binary = nullptr;
  std::string name;
};
struct Configuration {
  dim3 grid, block;
  std::size_t shared;
  cudaStream_t stream;
};

/// Registered before main, by constructors.
std::map<const void*, Kernel>& kernels() {
  static std::map<const void*, Kernel> all;
  return all;
}
std::mutex loading;
thread_local std::vector<Configuration> configurations;

ptx::Function& function_of(const void* stub) {
  const std::lock_guard lock(loading);
  const auto it = kernels().find(stub);
  if (it == kernels().end()) throw ptx::Error("a launch of what is no kernel");
  Kernel& kernel = it->second;
  if (kernel.binary->module == nullptr) {
    kernel.binary->module =
        &ptx::load("module of " + kernel.name.substr(0, 60), ptx::ptx_of(kernel.binary->wrapper));
  }
  ptx::Function* const function = ptx::find_entry(*kernel.binary->module, kernel.name);
  if (function == nullptr) throw ptx::Error("no entry of the name " + kernel.name);
  return *function;
}

/// All that is allocated now and not given back: nothing else may be touched.
std::vector<ptx::Range> reachable() {
  const std::lock_guard lock(machine().mutex);
  std::vector<ptx::Range> all;
  for (const auto& [begin, allocation] : machine().allocations) {
    if (allocation.released != nullptr) continue;
    const auto first = reinterpret_cast<std::uint64_t>(begin);
    all.push_back({first, first + allocation.bytes});
  }
  return all;
}

struct Queued {
  ptx::Function* function;
  ptx::Launch launch;
  std::vector<std::vector<char>> values;  ///< of the arguments, as they were at the launch
};

void run(Queued& queued) {
  std::vector<const void*> arguments;
  for (const auto& value : queued.values) arguments.push_back(value.data());
  queued.launch.arguments = arguments.data();
  try {
    ptx::launch(*queued.function, queued.launch);
    if (!ptx::take_races().empty()) throw ptx::Error("a launch with races");
  } catch (const ptx::Error& error) {
    std::fprintf(stderr, "ptx: %s\n", error.what());
    cudaError_t none = cudaSuccess;
    machine().lost.compare_exchange_strong(none, cudaErrorLaunchFailure);
  }
}

cudaError_t enqueue_kernel(const void* stub, const Configuration& c, void** arguments) {
  auto queued = std::make_shared<Queued>();
  try {
    queued->function = &function_of(stub);
  } catch (const ptx::Error& error) {
    std::fprintf(stderr, "ptx: %s\n", error.what());
    const Call call(true);
    return call.end(cudaErrorInvalidDeviceFunction);
  }
  queued->launch.grid = {c.grid.x, c.grid.y, c.grid.z};
  queued->launch.block = {c.block.x, c.block.y, c.block.z};
  queued->launch.dynamic_shared = c.shared;
  queued->launch.memory = reachable();
  for (const std::size_t bytes : ptx::parameter_sizes(*queued->function)) {
    const auto* const from = static_cast<const char*>(arguments[queued->values.size()]);
    queued->values.emplace_back(from, from + bytes);
  }
  return launch(c.stream, [queued] { run(*queued); });
}

/// The runtime's. CUB's one attribute lets a kernel begin before the one ahead of it has ended,
/// which a device need not do, and the stand-in never does.
struct LaunchConfiguration {
  Configuration at;
  const void* attributes;
  unsigned attribute_count;
};

/// The first members of the runtime's.
struct FunctionAttributes {
  std::size_t shared_bytes, constant_bytes, local_bytes;
  int most_threads, registers, ptx_version, binary_version;
};

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
void __cudaRegisterVar(void** handle, char* host, char* address, const char* name, int external,
                       std::size_t bytes, int constant, int global);
void __cudaRegisterFunction(void** handle, const char* stub, char* function, const char* name,
                            int limit, void* thread, void* block, void* block_dim, void* grid_dim,
                            int* warp);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared,
                                     cudaStream_t stream);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream);
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* stub);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared, cudaStream_t stream);
cudaError_t cudaLaunchKernel(const void* stub, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared, cudaStream_t stream);
cudaError_t cudaLaunchKernelExC(const LaunchConfiguration* how, const void* stub, void** arguments);
cudaError_t cudaFuncGetAttributes(FunctionAttributes* attributes, const void* stub);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* stub,
                                                                   int threads, std::size_t shared,
                                                                   unsigned flags);

void** __cudaRegisterFatBinary(void* wrapper) {
  auto* const binary = new Binary;  // lives as long as the program, as its kernels do
  binary->wrapper = wrapper;
  return reinterpret_cast<void**>(binary);
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
// Variables that the host never reads: nvcc registers the library's customisation points.
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}

void __cudaRegisterFunction(void** handle, const char* stub, char*, const char* name, int, void*,
                            void*, void*, void*, int*) {
  kernels()[stub] = {reinterpret_cast<Binary*>(handle), name};
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared,
                                     cudaStream_t stream) {
  configurations.push_back({grid, block, shared, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  if (configurations.empty()) return cudaErrorInvalidConfiguration;
  const Configuration c = configurations.back();
  configurations.pop_back();
  *grid = c.grid;
  *block = c.block;
  *shared = c.shared;
  *static_cast<cudaStream_t*>(stream) = c.stream;
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* stub) {
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(stub));
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared, cudaStream_t stream) {
  return enqueue_kernel(kernel, {grid, block, shared, stream}, arguments);
}

cudaError_t cudaLaunchKernel(const void* stub, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared, cudaStream_t stream) {
  return enqueue_kernel(stub, {grid, block, shared, stream}, arguments);
}

cudaError_t cudaLaunchKernelExC(const LaunchConfiguration* how, const void* stub,
                                void** arguments) {
  return enqueue_kernel(stub, how->at, arguments);
}

cudaError_t cudaFuncGetAttributes(FunctionAttributes* attributes, const void*) {
  const Call call;
  if (call.error() != cudaSuccess) return call.end(call.error());
  *attributes = {0, 0, 0, 1024, 32, SIGHTLINE_PTX_ARCHITECTURE, SIGHTLINE_PTX_ARCHITECTURE};
  return call.end(cudaSuccess);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*, int,
                                                                   std::size_t, unsigned) {
  const Call call;
  if (call.error() != cudaSuccess) return call.end(call.error());
  *blocks = 2;
  return call.end(cudaSuccess);
}

}  // extern "C"
