#!/usr/bin/env bash
# Runs the store and concurrency suites under the thread sanitizer and the address sanitizer, each in its own build.
#
#   config/sanitize.sh            both, about seven minutes on two processors
#   config/sanitize.sh thread     only this sanitizer; or `address`
#   config/sanitize.sh all        every suite that needs no built program, about half an hour
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
'' | all | thread | address) ;;
*)
  sed -n '2,/^set/{/^#/p}' "$0" | cut -c3- >&2
  exit 64
  ;;
esac
if [ "${1:-}" = all ]; then
  mapfile -t every < <(find Tests -maxdepth 1 -name '*Tests' ! -name ProgramTests -printf '%f\n' | sort)
  threads="${every[*]}"
  addresses="${every[*]}"
else
  threads='FlowSchedulerTests FlowDeliveryTests FlowStoreTests'
  addresses='FlowStoreTests FlowSchedulerTests'
fi

config/packages.sh

built() { # SANITIZER SUITES NICENESS
  POOLFLOW_TEST_TARGETS="$2" nice -n "$3" config/build.sh --build-tests --sanitize="$1" --scratch-path ".build-$1"
}

# Runs the test program directly: SwiftPM would load the preloaded lock library into its own process, too. A data race or an
# invalid memory access is reported on standard error and ends the run.
one() { # SANITIZER ROOM
  local folder=".build-$1" before=''
  [ "$1" != thread ] || before="$PWD/$folder/standard-lock.so"
  local log="$folder/$2.txt"
  LD_PRELOAD="$before" TSAN_OPTIONS='halt_on_error=1' ASAN_OPTIONS='detect_leaks=0' POOLFLOW_SIMULATION_SECONDS=1 \
    setpriv --pdeathsig TERM timeout --kill-after=10 3600 stdbuf -oL "$folder/debug/poolflowPackageTests.xctest" \
    --testing-library swift-testing --no-parallel --filter "^$2\\." >"$log" 2>&1 && grep -aq 'Test run with [1-9]' "$log" ||
    { grep -a -E 'Sanitizer|WARNING|✘|recorded an issue' "$log" | head -40 || true
      tail -n 60 "$log"
      return 1; }
  echo "$2: $(grep -a 'Test run with.*passed' "$log")"
}
export -f one

# Runs each module's tests in their own process, two at a time.
passed() { # SANITIZER ROOMS
  if [ "$1" = thread ]; then
    clang -shared -fPIC -O1 -Wall -Werror -o .build-thread/standard-lock.so Tests/Sanitizer/StandardLock.c
  fi
  tr ' ' '\n' <<<"$2" | setpriv --pdeathsig TERM xargs -P 2 -I{} setpriv --pdeathsig TERM bash -euo pipefail -c 'one "$@"' _ "$1" {}
}

if [ "${1:-}" = thread ] || [ "${1:-}" = address ]; then
  [ "$1" = thread ] && suites="$threads" || suites="$addresses"
  built "$1" "$suites" 0
  passed "$1" "$suites"
  exit
fi
built thread "$threads" 0
# The tests run one after another and leave a processor free, so the second build runs meanwhile.
mkdir -p .build-address
built address "$addresses" 19 >.build-address/build.log 2>&1 &
second=$!
trap 'kill "$second" 2>/dev/null || true' EXIT
passed thread "$threads"
wait "$second" || { cat .build-address/build.log; exit 1; }
passed address "$addresses"
