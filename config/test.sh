#!/usr/bin/env bash
# Sets poolflow up and passes its tests.
set -euo pipefail
cd "$(dirname "$0")/.."

config/packages.sh
swift build --build-tests --explicit-target-dependency-import-check error
# One test after the other: five hundred at once on few threads make each wait for all, and deadlines mean nothing. A
# test that waits for ever shall fail with its name as the last line, not hold everybody up.
timeout --kill-after=10 1200 stdbuf -oL swift test --skip-build --no-parallel --skip ProgramTests
timeout --kill-after=10 1200 stdbuf -oL swift test --skip-build --filter ProgramTests
