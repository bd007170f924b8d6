// In the place of mmcif.cpp where gemmi is not there.
#include "host/files/import/molecules/import_pdb.hpp"

namespace sightline::io {

PdbFile read_mmcif(const std::string& file, std::string_view) {
  throw Error(ErrorKind::usage, file + ": this program was built without gemmi, which reads mmCIF");
}

}  // namespace sightline::io
