#!/usr/bin/env bash
# Runs the tests several times on a busy machine and counts how often they pass. It finds tests that depend on timing: they
# pass on an idle machine and fail now and then on a busy one.
#
#   config/busy.sh [N] [FILTER]   builds the tests once and keeps every processor busy; then runs all tests, or those that
#                                 match FILTER, N times (default: 10), and prints how many runs passed
#
# The output of each failed run is kept in .build/busy/. The load processes end with this script, at the latest after 12 hours.
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
  # One load process for each processor, and below one that writes and syncs: a test can depend on either.
  timeout 12h sh -c 'while :; do :; done' &
  busy+=($!)
done
timeout 12h sh -c "while :; do dd if=/dev/zero of=$logs/load bs=1M count=16 conv=fsync status=none; done" &
busy+=($!)

once() {
  if [ -z "$filter" ]; then config/suite.sh "$1"; return; fi
  # In the background, with --pdeathsig: `timeout` leads its own process group, which Ctrl-C does not reach.
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
