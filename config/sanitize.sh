#!/usr/bin/env bash
# The suites of stores and concurrency under the thread and the address sanitizer. Two builds of their own: ten minutes.
set -euo pipefail
cd "$(dirname "$0")/.."

# A race or a stray pointer ends the run with the sanitizer's report. One scratch folder each: their builds differ.
sanitized() {
  swift build --build-tests --sanitize="$1" --scratch-path ".build-$1"
  TSAN_OPTIONS="halt_on_error=1" ASAN_OPTIONS="detect_leaks=0" POOLFLOW_SIMULATION_SECONDS=1 \
    timeout --kill-after=10 600 swift test --skip-build --sanitize="$1" --scratch-path ".build-$1" --filter "$2"
}
sanitized thread 'PoolSchedulerTests|PoolDeliveryTests|PoolStoreTests|PoolSimulationTests'
sanitized address 'PoolStoreTests|PoolSchedulerTests'
