#!/usr/bin/env bash
# The suites of stores and concurrency under the thread and the address sanitizer, each in a build of its own.
#
#   config/sanitize.sh            about five minutes
#   config/sanitize.sh all        every suite that needs no built program; about half an hour
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${1:-}" = all ]; then
  mapfile -t every < <(find Tests -maxdepth 1 -name '*Tests' ! -name ProgramTests -printf '%f\n' | sort)
  threads="${every[*]}"
  addresses="${every[*]}"
else
  threads='PoolSchedulerTests PoolDeliveryTests PoolStoreTests PoolSimulationTests'
  addresses='PoolStoreTests PoolSchedulerTests'
fi

# A race or a stray pointer ends the run with the sanitizer's report.
sanitized() {
  export POOLFLOW_TEST_TARGETS="$2"
  swift build --build-tests --sanitize="$1" --scratch-path ".build-$1"
  TSAN_OPTIONS="halt_on_error=1" ASAN_OPTIONS="detect_leaks=0" POOLFLOW_SIMULATION_SECONDS=1 \
    timeout --kill-after=10 1200 stdbuf -oL swift test --skip-build --no-parallel --sanitize="$1" --scratch-path ".build-$1"
}
sanitized thread "$threads"
sanitized address "$addresses"
