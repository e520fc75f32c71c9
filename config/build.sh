#!/usr/bin/env bash
# Runs `swift build` with SwiftPM's native build system, so that every script builds in the same way: SwiftPM 6.4 changes the
# default build system, and with it the folder of the built programs (`--show-bin-path`).
#
#   config/build.sh [OPTION]...    takes the options of `swift build`
set -euo pipefail
exec swift build --build-system native "$@"
