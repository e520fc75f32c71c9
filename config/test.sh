#!/usr/bin/env bash
# Sets poolflow up, runs its tests, lists those that were skipped, and closes with `N passed, N failed, N skipped`.
#
#   config/test.sh [--no-skips]    --no-skips: fails where a test was skipped for lack of something on this machine
set -euo pipefail
cd "$(dirname "$0")/.."

config/packages.sh
config/build.sh --build-tests --explicit-target-dependency-import-check error

exec config/suite.sh .build/suites "$@"
