#!/usr/bin/env bash
# Sets poolflow up and passes its tests.
set -euo pipefail
cd "$(dirname "$0")/.."

config/packages.sh
swift build --build-tests --explicit-target-dependency-import-check error

exec config/suite.sh .build/suites
