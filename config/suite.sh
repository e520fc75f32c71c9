#!/usr/bin/env bash
# Runs the built tests, for config/test.sh and config/busy.sh.
#
#   config/suite.sh FOLDER [--no-skips]    writes one log per suite into FOLDER, and ends with config/suite-summary.sh
#
# Each module's tests, and each suite of the built programs, run in their own process, one test after another: with five
# hundred tests at once on a few threads, all are slow and deadlines mean nothing. Several processes run at a time, because
# tests of programs mostly wait for daemons. The test program is run directly: `swift test` locks the build folder, so a second
# process would wait. A test that never ends fails after 25 minutes, and the last line of the log names it.
set -euo pipefail
cd "$(dirname "$0")/.."

logs="$1"
shift
tests="$(config/build.sh --show-bin-path)/poolflowPackageTests.xctest"
processes=$((2 * $(nproc)))
# `Module.Suite/test` becomes the module, `ProgramTests.Programs/Suite/test` the suite.
groups='s|^ProgramTests\.Programs/\([A-Za-z]*\)/.*|ProgramTests.Programs/\1/|; t; s|^\([A-Za-z]*\)\..*|\1.|'
rm -rf "$logs"
mkdir -p "$logs"

one() {
  local tests="$1" logs="$2" group="$3" begin=$SECONDS code=0
  local name="${group#ProgramTests.Programs/}"
  name="${name%[./]}"
  # ProgramTests also has tests outside of its suites. `timeout` leads its own process group, which Ctrl-C does not reach:
  # --pdeathsig ends it with its parent. The parent and the xargs below are started in the same way.
  setpriv --pdeathsig TERM timeout --kill-after=10 1500 stdbuf -oL "$tests" --testing-library swift-testing --no-parallel \
    --filter "^${group//./\\.}" $([ "$name" != ProgramTests ] || echo "--skip ProgramTests\\.Programs/") \
    >"$logs/$name.log" 2>&1 || code=$?
  # A group that ran no test counts as failed.
  grep -q 'Test run with [1-9]' "$logs/$name.log" || code=1
  [ "$code" -eq 0 ] || mv "$logs/$name.log" "$logs/$name.FAILED.log"
  echo "$((SECONDS - begin)) s $name$([ "$code" -eq 0 ] || echo " FAILED")"
}
export -f one

# Start the longest groups first (each took more than 80 s on two processors), then the groups with the most tests, so that no
# long group runs alone at the end.
all="$("$tests" --testing-library swift-testing --list-tests | sed "$groups" | sort | uniq -c | sort -rn | awk '{ print $2 }')"
[ "$(wc -w <<<"$all")" -gt 30 ] || { echo "no suites are listed" >&2; exit 1; }
long='Herd|FlowDaemon|FlowSimulation|FlowStore|FlowDelivery|Shutdown|PostRefusal|Terminal|Example|CommandLine|Nodes|Postgres'
long="$long|CrashHarness|WorkCrash|CrashPoint|ControlLoad"
{ grep -E "$long" <<<"$all"; grep -vE "$long" <<<"$all"; } |
  setpriv --pdeathsig TERM xargs -P "$processes" -I{} setpriv --pdeathsig TERM bash -c 'one "$@"' _ "$tests" "$logs" {}

echo "the tests took $SECONDS s"
exec config/suite-summary.sh "$logs" "$@"
