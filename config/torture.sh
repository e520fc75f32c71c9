#!/usr/bin/env bash
# Soak run: injects faults into everything that poolflow promises to survive, for hours on all processors, and reports the results.
#
#   config/torture.sh HOURS [KIND...]   runs for HOURS (0.1 is six minutes), with all kinds of faults or only the named ones
#   config/torture.sh --kinds           lists the kinds
#   config/torture.sh --table           writes the results so far to Tests/Campaign.md
#   config/torture.sh --fresh           deletes the results so far
#
# .ci/run runs `config/torture.sh 0.08`, which is five minutes. So short a run leaves out the kinds that need their own build.
#
# The run consists of iterations. One iteration runs on each processor at a time; the kind that is furthest behind its share of
# the time comes next. Each iteration has a new seed (a few kinds have none); with POOLFLOW_TORTURE_SEEDS=NUMBER, a kind gets the
# same seeds again. All iterations are recorded in .build/torture/rounds.tsv, so an interrupted soak run can be continued: HOURS
# is the total. The report is .build/torture/report.md; a failed iteration leaves its log and the command that repeats it there.
set -euo pipefail
cd "$(dirname "$0")/.."

home=.build/torture
rounds=$home/rounds.tsv
short=900 # A soak run of less than 15 minutes builds nothing but the tests.

# Name | share of the time | shortest iteration in s | unit of the result | promise | what would break it
kinds() {
  cat <<'KINDS'
everything|4|20|kills|Acknowledged data is never lost, and no notice is delivered twice or in part, whatever runs when either program dies|a disk that loses data that it reported as stored
points|3|120|kills and refusals|A kill or a full disk at any file call of a delivery, backup, restore, import or migration leaves the old state or the new one|a rename that is not atomic
slots|2|60|kills|A slot runs once and gives one file, wherever the daemon dies|a kernel that lets two daemons hold one lock
clocks|2|40|mornings|Clock steps, suspends and kills around a slot: one run, one file, one reason|a wrong clock that the operator confirmed and does not correct
years|4|20|team-years|Each slot has one verdict, each notice one run and one file, through years of crashes, clock changes, power cuts, failing disks and changed settings|a defect in SQLite's journal
calls|3|45|days|A single failed system call or C allocation neither crashes the daemon nor loses data|memory exhaustion inside Swift's runtime, which ends the program
barns|1|60|kills|A stable's day is closed once, at the first instant of the next day, wherever the daemon dies: no mark is lost|a zone whose midnight moves after the day was closed
server|2|90|kills|With the PostgreSQL store, a kill of the daemon, the server or a session, or a connection cut in the middle of a commit, loses and repeats nothing|a server that reports data as stored that it did not store
nodes|2|60|injected faults|Several daemons share a database: if one fails, the others acquire its teams; each slot runs once and gives one file|a node that is frozen after it has checked that it owns a partition and before it renames the file
network|2|40|hours|Two nodes with a network that loses, delays and cuts their messages, above all at a commit: each slot has one verdict by one node, each notice one file, and all work is done once the network is back|a server that lets two sessions hold one lock
power|1|30|tests|A notice that was reported as sent is on the disk after a power cut|a disk that ignores fsync
disks|2|90|tests|A full or failing disk ends neither the daemon nor its restarts|a file system that becomes read-only for ever
pages|1|20|obstacles|An obstacle in place of a published page stops only that page and is reported; once it is removed, every page matches the records and no page of a withdrawn name is left|a program that rewrites a page in place within the same tick of the clock
consumer|1|60|tests|A consumer that takes nothing, everything or the wrong files delays no other consumer and loses nothing|a consumer that deletes files without reading them
clients|2|90|tests|Clients that hang up, read nothing or send nonsense lock no other client out|more users of the group than the kernel gives sockets to
post|2|90|tests|A message for a person is delivered once, or dead-lettered with a reason|a provider that accepts a message and loses it
refusals|2|270|tests|A refused message stops no other message, and a message with an unknown outcome is never silently repeated|a relay that takes a mail, never answers, and discards it
senders|1|60|tests|A sender started with a wrong clock expires and deletes nothing|a clock that is wrong for a whole day of running
calendar|2|20|triples|The calendar agrees with a slow, simple model|a zone file newer than both
models|1|30|states|Every order of a claim's and a delivery's steps, with a crash at any step, ends with exactly one of each|steps that the model does not have
soak|2|60|rounds|Memory and descriptors do not grow|a leak smaller than a page in a thousand iterations
fuzz|3|60|inputs|Any bytes at any input are accepted or refused, in bounded time and memory|an input longer than four kilobytes
KINDS
}

field() { kinds | awk -F'|' -v name="$1" -v n="$2" '$1 == name { print $n }'; }

if [ "${1:-}" = --kinds ]; then
  kinds | awk -F'|' '{ printf "%-11s %s\n", $1, $5 }'
  exit 0
fi
if [ "${1:-}" = --fresh ]; then
  rm -rf "$home"
  exit 0
fi

# Prints for a kind: number of iterations, seconds, sum of the results, failures.
tally() {
  awk -F'\t' -v kind="$1" '$1 == kind { n++; s += $2; c += $4; f += $3 != 0 } END { printf "%d %d %d %d", n, s, c, f }' "$rounds"
}

spent() { # SECONDS, as a duration to read
  awk -v s="$1" 'BEGIN { if (s < 5400) printf "%.0f min", s / 60; else printf "%.1f h", s / 3600 }'
}

grouped() { sed -E ':a; s/([0-9])([0-9]{3})($|,)/\1,\2\3/; ta' <<<"$1"; }

table() {
  local name share least words promise breaks n s c f
  echo "| promise | what would break it | kind | time | result | failures |"
  echo "|---|---|---|---|---|---|"
  while IFS='|' read -r name share least words promise breaks; do
    read -r n s c f < <(tally "$name"; echo)
    if [ "$n" -eq 0 ]; then echo "| $promise | $breaks | \`$name\` | has not run | | |"; continue; fi
    echo "| $promise | $breaks | \`$name\` | $(spent "$s"), $(grouped "$n") iterations | $(grouped "$c") $words | $f |"
  done < <(kinds)
}

if [ "${1:-}" = --table ]; then
  [ -s "$rounds" ] || { echo "torture.sh: nothing has run" >&2; exit 66; }
  {
    echo "# The last soak run"
    echo
    echo "Written by \`config/torture.sh --table\` on $(date -u '+%Y-%m-%d') at commit $(git describe --always --dirty 2>/dev/null ||
      echo unknown): $(spent "$(awk -F'\t' '{ s += $2 } END { printf "%d", s }' "$rounds")") of iterations on $(nproc) processors."
    echo
    table
  } >Tests/Campaign.md
  exit 0
fi

hours="${1:-}"
[[ "$hours" =~ ^[0-9]+(\.[0-9]+)?$ ]] || { sed -n '2,/^set/{/^#/p}' "$0" | cut -c3- >&2; exit 64; }
shift
chosen="${*:-$(kinds | cut -d'|' -f1)}"
for kind in $chosen; do
  [ -n "$(field "$kind" 1)" ] || { echo "torture.sh: there is no kind '$kind'; config/torture.sh --kinds lists them" >&2; exit 64; }
done
whole="$(awk -v h="$hours" 'BEGIN { printf "%d", h * 3600 }')"
workers="${POOLFLOW_TORTURE_WORKERS:-$(nproc)}"
mkdir -p "$home/failed"
rm -rf "$home/running"
mkdir "$home/running"
touch "$rounds"

# seed_of KIND NUMBER: the seed of an iteration.
seeds="${POOLFLOW_TORTURE_SEEDS:-$RANDOM$RANDOM$RANDOM}"
seed_of() { echo $((0x$(sha256sum <<<"$seeds $1 $2" | cut -c1-7) + 1)); }

say() { echo "$(date -u +%H:%M:%S) $*"; }

config/packages.sh
config/build.sh --build-tests --explicit-target-dependency-import-check error >"$home/build.log" 2>&1 || { cat "$home/build.log"; exit 1; }
tests="$(config/build.sh --show-bin-path)/poolflowPackageTests.xctest"
simulation="$tests"
if [ "$whole" -ge "$short" ] && grep -qwE 'years|network' <<<"$chosen"; then
  say "building the simulation for speed"
  POOLFLOW_TEST_TARGETS=PoolSimulationTests config/build.sh -c release --build-tests --scratch-path .build-fast \
    -Xswiftc -enable-testing >"$home/build-fast.log" 2>&1 || { cat "$home/build-fast.log"; exit 1; }
  simulation=.build-fast/release/poolflowPackageTests.xctest
fi
if [ "$whole" -lt "$short" ]; then
  # A short run leaves the fuzzer out, which needs its own build; the tests replay its corpus. There is not enough time for every
  # kind, so the seeds decide which kinds come first.
  chosen="$(tr ' ' '\n' <<<"$chosen" | grep -vx fuzz |
    while read -r kind; do echo "$(seed_of "$kind" order) $kind"; done | sort -n | cut -d' ' -f2 | tr '\n' ' ')"
fi
mapfile -t targets < <(config/fuzz.sh)

# command_of KIND SECONDS SEED NUMBER: prints the command of an iteration, as it can be typed to repeat it.
command_of() {
  local kind="$1" slice="$2" seed="$3" number="$4"
  suite() { echo "$tests --testing-library swift-testing --no-parallel --filter '$1'"; }
  case "$kind" in
  everything) echo "POOLFLOW_TORTURE_SECONDS=$slice POOLFLOW_TORTURE_SEED=$seed $(suite 'EverythingAtOnceTests')" ;;
  points)
    # All crash points take more than half an hour with the machine to themselves.
    if [ "$whole" -ge 28800 ] && [ "$number" -eq 0 ]; then
      echo "POOLFLOW_ALL_CRASH_POINTS=1 POOLFLOW_CRASH_KILLS=10000 $(suite 'CrashPointTests|CrashHarnessTests|WorkCrashTests|HerdTests')"
    else
      local suites=(CrashHarnessTests WorkCrashTests CrashPointTests HerdTests InboxTests)
      echo "POOLFLOW_CRASH_SEED=$seed POOLFLOW_CRASH_KILLS=$((slice * 4)) $(suite "${suites[number % 5]}")"
    fi ;;
  slots) echo "POOLFLOW_SEED=$seed POOLFLOW_KILLS=$((slice / 3)) $(suite 'ExactlyOnceTests')" ;;
  clocks)
    if [ $((number % 4)) -eq 3 ]; then echo "$(suite 'WrongClockTests|ClockStepTests|LateStartTests')"; return; fi
    echo "POOLFLOW_TROUBLES=$((slice / 3)) POOLFLOW_TROUBLES_SEED=$seed $(suite 'TroubledDaysTests')" ;;
  years) echo "POOLFLOW_SEED=$seed POOLFLOW_SIMULATION_SECONDS=$slice ${simulation} --testing-library swift-testing --no-parallel --filter 'SimulatedDaysTests.*crashes'" ;;
  calls) echo "POOLFLOW_CALL_SEED=$seed POOLFLOW_CALL_DAYS=$((slice / 2)) $(suite 'CallFaultTests')" ;;
  barns) echo "$([ "$whole" -lt 7200 ] || echo 'POOLFLOW_ALL_CRASH_POINTS=1 ')$(suite 'BarnDaysTests')" ;;
  server)
    case $((number % 3)) in
    0) echo "POOLFLOW_POSTGRES_KILLS=$slice POOLFLOW_SEED=$seed $(suite 'PostgresTests.*killed')" ;;
    1) echo "POOLFLOW_TEST_ENGINE=postgresql POOLFLOW_CRASH_SEED=$seed POOLFLOW_CRASH_KILLS=$slice $(suite 'CrashHarnessTests')" ;;
    2) echo "POOLFLOW_TEST_ENGINE=postgresql $(suite 'WorkCrashTests')" ;;
    esac ;;
  nodes) echo "POOLFLOW_NODE_FAULTS=$((slice / 6)) POOLFLOW_SEED=$seed $(suite 'NodesTests.*whatever')" ;;
  network) echo "POOLFLOW_SEED=$seed POOLFLOW_SIMULATION_SECONDS=$slice ${simulation} --testing-library swift-testing --no-parallel --filter 'SimulatedNodesTests'" ;;
  power) echo "POOLFLOW_SEED=$seed $(suite 'PowerLossTests|FileDropFaultTests')" ;;
  disks) echo "$(suite 'ProgramTests.*(FullDiskTests|SinkFaultTests)')" ;;
  consumer) echo "$(suite 'SinkFaultTests|FileDropSinkTests|PublishSinkTests|StuckSinkTests|EventTests')" ;;
  pages) echo "POOLFLOW_SEED=$seed POOLFLOW_OBSTACLES=$((slice * 20)) $(suite 'PublishObstacleTests')" ;;
  clients) echo "$(suite 'ControlLoadTests.*(hang|clients|users)|ControlSocketTests|BadTextTests')" ;;
  post) echo "POOLFLOW_SEED=$seed $(suite 'PostTests.*killed|FallbackTests|PostFallbackTests|ReceiptTests.*killed')" ;;
  refusals) echo "POOLFLOW_SEED=$seed $(suite 'EvidenceTests|MailDialogueTests|ServiceAnswerTests|PostRefusalTests|PostAnswerTests')" ;;
  senders) echo "$(suite 'PostClockTests|SenderClockTests')" ;;
  calendar) echo "POOLFLOW_SEED=$seed POOLFLOW_CALENDAR_TRIPLES=$((slice * 300)) $(suite 'PropertyTests')" ;;
  models) echo "$(suite 'DeliveryModelTests|LedgerModelTests|PartitionAssignorModelTests')" ;;
  soak) echo "POOLFLOW_ROUNDS=$((slice * 3)) $(suite 'ControlLoadTests.*rounds')" ;;
  fuzz) echo "config/fuzz.sh ${targets[number % ${#targets[@]}]} $slice" ;;
  esac
}

# Prints the result of an iteration: the sum of the numbers before the unit of its kind.
counted() { # KIND LOG
  local words
  words="$(field "$1" 4)"
  case "$1" in
  fuzz) awk '/stat::number_of_executed_units/ { print $2; found = 1 } END { if (!found) print 0 }' "$2" ;;
  calendar) sed -n 's/.*POOLFLOW_CALENDAR_TRIPLES=\([0-9]*\).*/\1/p' "$2" | head -n 1 ;;
  years) sed -n 's/^simulated \([0-9]*\) team-years.*/\1/p' "$2" | awk '{ s += $1 } END { print s + 0 }' ;;
  server) grep -aoE '[0-9]+ (injected faults|kills)' "$2" | awk '{ s += $1 } END { print s + 0 }' ;;
  points) grep -aoE '[0-9]+ kills|points?( of three deliveries)?: [0-9]+|[0-9]+ refusals' "$2" |
    grep -oE '[0-9]+' | awk '{ s += $1 } END { print s + 0 }' ;;
  *) grep -aoE "[0-9]+ ${words%s}s?\b" "$2" | awk '{ s += $1 } END { print s + 0 }' ;;
  esac
}

# Under a lock, prints the kind that is furthest behind its share and still fits into the time left; nothing if there is none.
choose() { # SECONDS LEFT
  local best='' least=0 kind n s c f score
  for kind in $chosen; do
    [ ! -e "$home/running/$kind" ] || continue
    [ "$1" -ge "$(field "$kind" 3)" ] || continue
    read -r n s c f < <(tally "$kind"; echo)
    score=$((s * 100 / $(field "$kind" 2)))
    if [ -z "$best" ] || [ "$score" -lt "$least" ]; then best=$kind least=$score; fi
  done
  [ -z "$best" ] || { touch "$home/running/$best"; echo "$best"; }
}

total() { awk -F'\t' '{ s += $2 } END { printf "%d", s }' "$rounds"; }
before="$(total)"
begin=$SECONDS
# Iterations of earlier runs count towards HOURS.
length=$((whole - before / workers))
[ "$length" -gt 0 ] || length=0

worker() {
  local kind slice seed number command log code took began
  while :; do
    local left=$((length - (SECONDS - begin)))
    kind="$(exec 9>"$home/lock" && flock 9 && choose "$left")"
    [ -n "$kind" ] || break
    # An iteration is long enough to be worth its start, and short enough that every kind gets its turn.
    slice=$((length / 40))
    [ "$slice" -le 600 ] || slice=600
    [ "$slice" -ge "$(field "$kind" 3)" ] || slice="$(field "$kind" 3)"
    [ "$slice" -le "$left" ] || slice="$left"
    read -r number _ < <(tally "$kind"; echo)
    seed="$(seed_of "$kind" "$number")"
    command="$(command_of "$kind" "$slice" "$seed" "$number")"
    log="$home/$kind.$1.log"
    echo "$command" >"$log"
    began=$SECONDS code=0
    # `timeout` leads its own process group: --pdeathsig ends it, and it ends its command, when the worker dies.
    setpriv --pdeathsig TERM timeout --kill-after=10 $((slice * 3 + 1800)) nice -n 5 bash -c "$command" >>"$log" 2>&1 || code=$?
    # An iteration that ran no test counts as failed.
    [ "$kind" = fuzz ] || grep -aq 'Test run with [1-9]' "$log" || code=70
    took=$((SECONDS - began))
    printf '%s\t%s\t%s\t%s\t%s\n' "$kind" "$took" "$code" "$(counted "$kind" "$log")" "$command" |
      flock "$home/lock" tee -a "$rounds" >/dev/null
    if [ "$code" -ne 0 ]; then
      cp "$log" "$home/failed/$kind-$seed.log"
      say "$kind FAILED after $took s, see $home/failed/$kind-$seed.log; to repeat it: $command"
      grep -aE '^(✘|↳|Fatal)|error:|SUMMARY' "$log" | cut -c1-600 | head -n 20 || tail -n 5 "$log"
    else
      say "$kind passed $took s: $(counted "$kind" "$log") $(field "$kind" 4 | cut -d' ' -f1)"
    fi
    rm -f "$home/running/$kind"
  done
}

say "injecting faults for $(spent "$length") on $workers processors"
children=()
trap 'kill "${children[@]}" 2>/dev/null || true; wait || true' EXIT
for number in $(seq "$workers"); do
  worker "$number" &
  children+=($!)
done
for child in "${children[@]}"; do wait "$child"; done
trap - EXIT

failures="$(awk -F'\t' '$3 != 0' "$rounds" | wc -l)"
{
  echo "# Report of the soak run"
  echo
  echo "$(date -u '+%Y-%m-%d %H:%M') UTC, $(git describe --always --dirty 2>/dev/null || echo 'no commit'), $(nproc) processors," \
    "$(spent "$(total)") of iterations, $failures failures."
  echo
  table
  echo
  echo "## Failures"
  echo
  awk -F'\t' '$3 != 0 { print "- " $1 " ended with exit code " $3 " after " $2 " s: `" $5 "`" }' "$rounds"
  [ "$failures" -gt 0 ] || echo "None."
  echo
  echo "## Iterations"
  echo
  awk -F'\t' '{ print "- " $1 ", " $2 " s, " $4 ": `" $5 "`" }' "$rounds"
} >"$home/report.md"
say "$(wc -l <"$rounds") iterations, $failures failures; the report is $home/report.md"
[ "$failures" -eq 0 ]
