#!/usr/bin/env bash
# Builds as every script does: `swift build` with SwiftPM's native build system, whatever the default of this Swift version is.
# SwiftPM 6.4 changes its default, and with it where programs are put (`--show-bin-path`).
#
#   config/build.sh [OPTION]...    the options are those of `swift build`
set -euo pipefail
exec swift build --build-system native "$@"
