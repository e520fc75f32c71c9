#!/usr/bin/env bash
# Installs what poolflow needs, builds and runs its tests, lists the skipped ones, and closes with
# `N passed, N failed, N skipped`.
#
#   config/test.sh [--no-skips]    --no-skips: fails if a test was skipped because this machine lacks a requirement
set -euo pipefail
cd "$(dirname "$0")/.."

config/packages.sh
config/build.sh --build-tests --explicit-target-dependency-import-check error

exec config/suite.sh .build/suites "$@"
