#!/usr/bin/env bash
# Sets poolflow up and passes its tests.
set -euo pipefail
cd "$(dirname "$0")/.."

config/packages.sh
swift build --build-tests --explicit-target-dependency-import-check error
# The built programs are tried after the rest: their tests wait for other processes and would hold up tests beside them.
# A test that waits for ever shall fail with its name as the last line, not hold everybody up.
timeout --kill-after=10 1200 stdbuf -oL swift test --skip-build --skip ProgramTests
timeout --kill-after=10 1200 stdbuf -oL swift test --skip-build --filter ProgramTests
