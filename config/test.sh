#!/usr/bin/env bash
# Sets poolflow up and passes its tests.
set -euo pipefail
cd "$(dirname "$0")/.."

config/packages.sh
swift build --build-tests --explicit-target-dependency-import-check error

# The suites of the rooms beside those of the built programs, each on a processor of its own and one test after the other:
# five hundred at once on few threads make each wait for all, and deadlines mean nothing. (`swift test` would lock the
# second one out, so it is the program itself that runs.) A test that waits for ever shall fail with its name as the last
# line, not hold everybody up.
tests="$(swift build --show-bin-path)/poolflowPackageTests.xctest"
suite() { timeout --kill-after=10 1500 stdbuf -oL "$tests" --testing-library swift-testing --no-parallel "$@"; }
suite --skip ProgramTests >.build/rooms.log 2>&1 &
rooms=$!
programs=0
suite --filter ProgramTests || programs=$?
wait "$rooms" || { cat .build/rooms.log; exit 1; }
tail -n 1 .build/rooms.log
exit "$programs"
