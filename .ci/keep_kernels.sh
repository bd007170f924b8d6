#!/bin/sh
# A launcher for nvcc (CMAKE_CUDA_COMPILER_LAUNCHER): compiles as told and keeps, for every file of
# kernels/, its PTX and what ptxas says of it in kernel_reports/NAME/ of the build folder, where
# .ci/check_kernels.py looks. So the checks compile nothing a second time.
source=
for word; do
  case $word in
    -ptx) exec "$@" ;;
    */kernels/*.cu) source=$word ;;
  esac
done
[ -n "$source" ] || exec "$@"

folder=$PWD/kernel_reports/$(basename "$source" .cu)
rm -rf "$folder"
mkdir -p "$folder/all"
status=0
"$@" -Xptxas=-v --keep --keep-dir "$folder/all" 2>"$folder/ptxas" || status=$?
grep -v -e '^ptxas info' -e '^    [0-9]* bytes stack frame' "$folder/ptxas" >&2
[ "$status" = 0 ] || exit "$status"
mv "$folder"/all/*.ptx "$folder/"
rm -rf "$folder/all"
mv "$folder/ptxas" "$folder/ptxas.txt"
