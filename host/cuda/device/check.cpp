#include "host/cuda/device/check.hpp"

#include <string>
#include <string_view>

namespace sightline::cuda {

bool loses_context(cudaError_t error) {
  switch (error) {
#if defined(CUDART_VERSION) && CUDART_VERSION >= 13000  // older runtimes lack some
    case cudaErrorContained:
    case cudaErrorTensorMemoryLeak:
    case cudaErrorMpsClientTerminated:
    case cudaErrorExternalDevice:
#endif
    case cudaErrorECCUncorrectable:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
      return true;
    default:
      return false;
  }
}

void fail(cudaError_t error, const char* call, std::uint64_t bytes, Where where) {
  if (!loses_context(error)) static_cast<void>(cudaGetLastError());
  std::string_view file = where.file;
  file.remove_prefix(file.find_last_of('/') + 1);  // npos + 1 is 0
  std::string message = std::string("cuda: ") + call;
  if (bytes > 0) message += " of " + std::to_string(bytes) + " bytes";
  message += std::string(" failed: ") + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) +
             ", " + std::string(file) + ":" + std::to_string(where.line) + ")";
  if (loses_context(error)) {
    message += "; CUDA is lost to this process: start the process again to use it";
  }
  throw Error(error == cudaErrorMemoryAllocation ? ErrorKind::out_of_memory : ErrorKind::device,
              message);
}

}  // namespace sightline::cuda
