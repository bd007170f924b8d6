# shellcheck shell=bash
# What the tiers share. A tier sources this file, defines `sections`, which calls `section` once for
# each of its checks, and ends with `run_sections "$@"`:
#   TIER           all sections; continues after a failure, and fails if any section did
#   TIER NAME...   these sections
#   TIER --list    the names, each with its planned seconds on two idle cores, from nothing, without
#                  ccache; runs nothing
# A plan beyond the limit of the tier is refused, and a section is stopped after three times its
# plan, unless SIGHTLINE_WHOLE is set: then large tests, edits and architectures are all done. A test
# that a section skipped for no reason of .ci/skipped.txt fails it. Logs are build/ci/NAME.log.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
export CI=${CI:-true}
exec </dev/null
set -o pipefail
tier=$(basename "$0")
# shellcheck disable=SC2155
export jobs=$(nproc)
names=()
planned_for=()
wanted=()
failed=()
summary=""

refuse() { echo "$tier: $*" >&2 && exit 2; }

# section NAME SECONDS COMMAND...   Without a request it only takes down the plan.
section() {
  local name=$1 planned=$2 log=build/ci/$1.log start=$SECONDS status=0 verdict=passed limit
  shift 2
  limit=${SIGHTLINE_WHOLE:+0}
  limit=${limit:-$((3 * planned))}
  if [ ${#wanted[@]} = 0 ]; then
    names+=("$name") && planned_for+=("$planned")
    return
  fi
  [[ " ${wanted[*]} " == *" $name "* ]] || return
  printf '\n===== %s\n' "$name"
  touch "build/ci/$name.began"
  # What a section calls may be functions: of a shell that `timeout` can stop.
  # shellcheck disable=SC2046
  export -f $(declare -F | sed 's/.* //')
  timeout -k 30 "$limit" bash -o pipefail -c '"$@"' section "$@" 2>&1 | tee "$log" || status=$?
  case $status in
    0 | 77)
      [ $status = 0 ] || verdict=SKIPPED
      find build -path '*/Temporary/LastTest.log' -newer "build/ci/$name.began" -print0 |
        xargs -0 .ci/check_skipped.py "$log" 2>&1 | tee -a "$log" || verdict="FAILED: skipped for no planned reason"
      ;;
    124 | 137) verdict="FAILED: stopped after $limit s" ;;
    *) verdict="FAILED ($status)" ;;
  esac
  [[ $verdict != FAILED* ]] || failed+=("$name")
  verdict=$(printf '%-22s %s in %s s, planned %s s' "$name" "$verdict" $((SECONDS - start)) "$planned")
  summary+=$verdict$'\n'
  echo "----- $verdict"
}

# Ends a section that cannot run here; .ci/skipped.txt has the reasons that count.
skip() { echo "SKIPPED: $1" && exit 77; }

# check_plan MOST MOST_IN_ALL   of one section, of all of them
check_plan() {
  local i sum=0
  for i in "${!names[@]}"; do
    sum=$((sum + planned_for[i]))
    [ "${planned_for[i]}" -le "$1" ] ||
      refuse "${names[i]} is planned for ${planned_for[i]} s, more than $1 s: cut it in parts"
  done
  [ $sum -le "$2" ] || refuse "all sections are planned for $sum s, more than $2 s"
}

run_sections() {
  local i name
  sections
  # shellcheck disable=SC2154  # each tier sets these
  check_plan "$most" "$most_in_all"
  if [ "${1:-}" = --list ]; then
    for i in "${!names[@]}"; do printf '%-22s %5d\n' "${names[i]}" "${planned_for[i]}"; done
    return
  fi
  for name; do
    [[ " ${names[*]} " == *" $name "* ]] || refuse "there is no section $name; --list has the names"
  done
  wanted=("$@")
  [ $# != 0 ] || wanted=("${names[@]}")
  mkdir -p build/ci
  scripts/setup.sh --ci || refuse "the packages cannot be installed"
  # Debian's NumPy belongs to Debian's Python, whichever comes first elsewhere.
  python3 -c 'import numpy' 2>/dev/null || export PATH=/usr/bin:$PATH
  sections
  for name in "${failed[@]}"; do
    printf '\n===== %s failed; the end of build/ci/%s.log:\n' "$name" "$name"
    tail -n 40 "build/ci/$name.log"
  done
  printf '\n===== %s, %s s\n%s' "$tier" $SECONDS "$summary"
  [ ${#failed[@]} = 0 ] && return
  echo "FAILED: ${failed[*]}"
  return 1
}
