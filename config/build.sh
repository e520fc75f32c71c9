#!/usr/bin/env bash
# Builds as every script does: `swift build` with SwiftPM's native build system, whatever the default of this Swift version is.
# SwiftPM 6.4 changes its default, and with it where programs are put (`--show-bin-path`).
#
#   config/build.sh [OPTION]...    the options are those of `swift build`
#
# No index for editors is written: it takes 35 to 40 % of a debug build (PoolDigests 12.4 s of processor time with it and 8.3
# without, PoolStoreTests 91.6 and 53.0). An editor that wants one makes it with a `swift build` of its own.
set -euo pipefail
exec swift build --build-system native --disable-index-store "$@"
