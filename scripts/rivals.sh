#!/bin/sh
# Fetches what the benchmarks are held against and Debian 12 has not to build/rivals: from PyPI
# Embree 4.4.1 (its library, of a wheel) and VAMP's collision checks (headers, of a source
# package), from their repositories NVIDIA's cuBQL (headers, for sightline_bench) and tinybvh (a header).
# What is there stays. The build finds VAMP, cuBQL and tinybvh when it is configured after this.
#   scripts/rivals.sh [FOLDER]
# Needs python3 with venv; ends with 77, and says why, where a package cannot be had. cuBQL and
# tinybvh, which git fetches, are left out, and it says so, where a repository cannot be reached.
set -eu
folder=${1:-$(dirname "$0")/../build/rivals}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

no() {
  echo "rivals: $1" >&2
  exit 77
}
# The tools of packages that are built are needed even to fetch their sources.
pip() {
  [ -x "$work/env/bin/pip" ] || python3 -m venv "$work/env" >&2 || no "python3 has no venv"
  "$work/env/bin/pip" "$@" -q --disable-pip-version-check >&2
}

# No package has these. First, since what follows may end the script.
#   clone NAME HEADER OWNER/NAME COMMIT PROGRAM   the header, or all of its folder, at a commit
clone() {
  [ -s "$folder/$1/$2" ] && return
  if GIT_TERMINAL_PROMPT=0 \
    git clone -q --no-checkout --filter=blob:none "https://github.com/$3" "$work/$1" &&
    git -C "$work/$1" checkout -q "$4" -- "${2%%/*}"; then
    rm -rf "${folder:?}/$1"
    mv "$work/$1" "$folder/$1"
  else
    echo "rivals: $1 cannot be had: $5 is built without it" >&2
  fi
}
clone cubql cuBQL/bvh.h NVIDIA/cuBQL 3a6e0b1 sightline_bench
clone tinybvh tiny_bvh.h jbikker/tinybvh 4735685 duel_rays

if [ ! -s "$folder/libembree4.so.4" ]; then
  pip download --no-deps --only-binary :all: --platform manylinux_2_28_x86_64 \
    --python-version 3.11 --abi cp311 -d "$work" pyembree2==1.0.1 ||
    no "pyembree2 1.0.1, whose wheel holds Embree 4.4.1, cannot be had"
  # Its oneTBB is newer than Debian's. Two libraries of one name cannot be in one process, so that
  # its copy gets another name, in both files.
  python3 - "$work" "$folder" <<'PYTHON'
import pathlib, sys, zipfile

work, folder = map(pathlib.Path, sys.argv[1:])
with zipfile.ZipFile(next(work.glob("pyembree2-*.whl"))) as wheel:
    for name, kept in (("libtbb.so.12", "libtbe.so.12"), ("libembree4.so.4",) * 2):
        library = wheel.read(f"pyembree2/{name}")
        renamed = library.replace(b"\0libtbb.so.12\0", b"\0libtbe.so.12\0")
        if renamed == library:
            sys.exit(f"rivals: {name} does not name libtbb.so.12")
        (folder / kept).write_bytes(renamed)
PYTHON
fi

if [ ! -s "$folder/vamp/collision/validity.hh" ]; then
  pip download --no-deps --no-binary vamp-planner -d "$work" vamp-planner==0.6.4 ||
    no "the sources of vamp-planner 0.6.4 cannot be had"
  tar -xzf "$work/vamp_planner-0.6.4.tar.gz" -C "$work" vamp_planner-0.6.4/src/impl/vamp
  rm -rf "$folder/vamp"
  mv "$work/vamp_planner-0.6.4/src/impl/vamp" "$folder/vamp"
fi
echo "$folder"
