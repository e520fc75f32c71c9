#!/usr/bin/env bash
# How often the tests pass while the machine is busy with something else: for whoever writes a test, since one that depends
# on who is faster passes on a quiet machine and fails one morning.
#
#   config/busy.sh [N] [FILTER]   builds the tests once, passes them N times (10), those that match FILTER or all of them,
#                                 while every processor is kept busy, and prints how many of N passed
#
# The output of each run that failed stays in .build/busy/. The busy programs end with this one, and by themselves after
# so many hours.
set -euo pipefail
cd "$(dirname "$0")/.."

rounds="${1:-10}"
filter="${2:-}"
[[ "$rounds" =~ ^[0-9]+$ ]] || { echo "usage: config/busy.sh [N] [FILTER]" >&2; exit 64; }
logs=.build/busy
rm -rf "$logs"
mkdir -p "$logs"

config/packages.sh
config/build.sh --build-tests --explicit-target-dependency-import-check error
tests="$(config/build.sh --show-bin-path)/poolflowPackageTests.xctest"

busy=()
trap '[ ${#busy[@]} -eq 0 ] || kill "${busy[@]}" 2>/dev/null || true' EXIT
for _ in $(seq "$(nproc)"); do
  # One that only counts and one that writes and flushes: a busy processor and a busy disk are two things.
  timeout 12h sh -c 'while :; do :; done' &
  busy+=($!)
done
timeout 12h sh -c "while :; do dd if=/dev/zero of=$logs/load bs=1M count=16 conv=fsync status=none; done" &
busy+=($!)

once() {
  if [ -z "$filter" ]; then config/suite.sh "$1"; return; fi
  # Beside this, and ended with it: `timeout` leads a group of its own, which no Ctrl-C reaches.
  setpriv --pdeathsig TERM timeout --kill-after=10 3600 \
    stdbuf -oL "$tests" --testing-library swift-testing --no-parallel --filter "$filter" &
  wait $!
}

passed=0
for round in $(seq "$rounds"); do
  log="$logs/$round"
  if once "$log" >"$log.log" 2>&1; then
    passed=$((passed + 1))
    echo "run $round passed, $(tail -n 1 "$log.log")"
    rm -rf "$log" "$log.log"
  else
    echo "run $round FAILED, see $log.log"
    grep -haE '✘ Test .* recorded an issue|error: |^== ' "$log.log" | head -n 10 || true
  fi
done
echo "$passed of $rounds passed"
[ "$passed" -eq "$rounds" ]
