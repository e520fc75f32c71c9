#!/usr/bin/env bash
# Passes the tests that were built, for config/test.sh and config/busy.sh.
#
#   config/suite.sh FOLDER [--no-skips]    leaves a log a suite in FOLDER, and ends with config/suite-summary.sh
#
# Each room's tests and each suite of the built programs are a process of their own, one test after the other in it: five
# hundred at once on few threads make each wait for all, and deadlines mean nothing. A few processes at a time: tests of
# programs wait for daemons more than they work. (`swift test` would lock the second one out, so it is the program itself
# that runs.) A test that waits for ever shall fail with its name as the last line, not hold everybody up.
set -euo pipefail
cd "$(dirname "$0")/.."

logs="$1"
shift
tests="$(config/build.sh --show-bin-path)/poolflowPackageTests.xctest"
processes=$((2 * $(nproc)))
# Of `Room.Suite/test` the room, of `ProgramTests.Programs/Suite/test` the suite.
groups='s|^ProgramTests\.Programs/\([A-Za-z]*\)/.*|ProgramTests.Programs/\1/|; t; s|^\([A-Za-z]*\)\..*|\1.|'
rm -rf "$logs"
mkdir -p "$logs"

one() {
  local tests="$1" logs="$2" group="$3" begin=$SECONDS code=0
  local name="${group#ProgramTests.Programs/}"
  name="${name%[./]}"
  # The programs' own room has a few tests beside its suites. `timeout` leads a group of its own, which no Ctrl-C reaches: it ends
  # when its parent does, as that and xargs below do.
  setpriv --pdeathsig TERM timeout --kill-after=10 1500 stdbuf -oL "$tests" --testing-library swift-testing --no-parallel \
    --filter "^${group//./\\.}" $([ "$name" != ProgramTests ] || echo "--skip ProgramTests\\.Programs/") \
    >"$logs/$name.log" 2>&1 || code=$?
  # A group that ran no test has not passed.
  grep -q 'Test run with [1-9]' "$logs/$name.log" || code=1
  [ "$code" -eq 0 ] || mv "$logs/$name.log" "$logs/$name.FAILED.log"
  echo "$((SECONDS - begin)) s $name$([ "$code" -eq 0 ] || echo " FAILED")"
}
export -f one

# The longest begin first, so that none is left alone at the end: simulated days, the load and herd tests, then those with the most
# tests.
all="$("$tests" --testing-library swift-testing --list-tests | sed "$groups" | sort | uniq -c | sort -rn | awk '{ print $2 }')"
[ "$(wc -w <<<"$all")" -gt 30 ] || { echo "no suites are listed" >&2; exit 1; }
long='Simulation|ControlLoad|Delivery|WorkCrash|Herd|Nodes|Postgres'
{ grep -E "$long" <<<"$all"; grep -vE "$long" <<<"$all"; } |
  setpriv --pdeathsig TERM xargs -P "$processes" -I{} setpriv --pdeathsig TERM bash -c 'one "$@"' _ "$tests" "$logs" {}

echo "the tests took $SECONDS s"
exec config/suite-summary.sh "$logs" "$@"
