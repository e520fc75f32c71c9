#!/usr/bin/env bash
# Summarises the logs of config/suite.sh: shows the failed suites, lists each skipped test with its reason, and closes with
# the line `N passed, N failed, N skipped`. Fails if a test or a suite failed.
#
#   config/suite-summary.sh FOLDER [--no-skips]    --no-skips: fails, too, if a test was skipped for a missing requirement
#
# The reason of a skipped test says which kind it is: `only …` names a choice of this run, such as the engine or an option of
# a long run; anything else (`needs …`) is missing on this machine.
set -euo pipefail

logs="$1"
strict="${2:-}"
[ -z "$strict" ] || [ "$strict" = --no-skips ] || { echo "usage: suite-summary.sh FOLDER [--no-skips]" >&2; exit 64; }

count() { grep -caE "$1" || true; }
# Prints the result lines of the tests in a log, without colours, and without the lines of the whole run and of single arguments.
results() { sed 's/\x1b\[[0-9;]*m//g' "$1" | grep -aE '[✔✘➜] Test ' | grep -avE '[✔✘➜] Test (run with|case passing)| recorded an issue ' || true; }
# Prints `LOG<tab>TEST<tab>REASON` for each skipped test in a log.
skips() {
  local suite
  suite="$(basename "$1" .log)"
  results "$1" | sed -nE 's/^.*➜ Test (.*) (skipped|was cancelled after [0-9.]+ seconds)(: "(.*)")?\.?$/\1\t\4/p' |
    awk -F '\t' -v OFS='\t' -v suite="${suite%.FAILED}" '{ print suite, $1, $2 == "" ? "no reason is given" : $2 }'
}

passed=0 failed=0 broken=0 skipped=''
for log in "$logs"/*.log; do
  ended="$(sed -n 's/.*Test run with \([0-9]*\) tests\{0,1\} .*/\1/p' "$log" | tail -n 1)"
  good="$(results "$log" | count '✔ Test .* passed after ')"
  bad="$(results "$log" | count '✘ Test .* failed after ')"
  missed="$(skips "$log")"
  all=$((good + bad + $(count . <<<"$missed")))
  passed=$((passed + good))
  failed=$((failed + bad))
  [ -z "$missed" ] || skipped+="$missed"$'\n'
  if [ -n "$ended" ] && [ "$ended" -ne "$all" ]; then
    echo "$log: the run had $ended tests, but the results of only $all were recognised" >&2
    broken=1
  fi
  case "$log" in
  *.FAILED.log)
    # The suite crashed, was ended, or failed without a failed test.
    if [ -z "$ended" ] || [ "$bad" -eq 0 ]; then failed=$((failed + 1)); fi
    echo "== $log"
    grep -aE '✘|^↳|error: |Fatal' "$log" | cut -c -2000 | head -n 40 || true
    tail -n 5 "$log"
    ;;
  esac
done

if [ -n "$skipped" ]; then
  echo "skipped:"
  printf '%s' "$skipped" | LC_ALL=C sort -t $'\t' -k 3,3 -k 1,2 | awk -F '\t' '{ print "  " $1 ": " $2 ": " $3 }'
fi
lacking="$(printf '%s' "$skipped" | cut -f 3 | grep -vE '^only ' | sort -u || true)"
if [ "$strict" = --no-skips ] && [ -n "$lacking" ]; then
  printf 'with --no-skips every requirement must be installed; missing:\n%s\n' "$lacking" | sed '2,$s/^/  /' >&2
  broken=1
fi
echo "$passed passed, $failed failed, $(printf '%s' "$skipped" | count .) skipped"
[ "$failed" -eq 0 ] && [ "$broken" -eq 0 ]
