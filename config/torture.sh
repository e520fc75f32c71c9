#!/usr/bin/env bash
# Breaks everything that poolflow promises to live through, for hours, on all processors, and says what came of it.
#
#   config/torture.sh HOURS [KIND...]   a fraction of an hour will do, such as 0.1; all kinds of trouble unless some are named
#   config/torture.sh --kinds           what there is to choose from
#   config/torture.sh --table           writes the results so far to Tests/Campaign.md
#   config/torture.sh --fresh           forgets what has run
#
# Five minutes are `config/torture.sh 0.08`, as .ci/run does; what takes a build of its own is then left out.
#
# Trouble comes in rounds, each with a seed of its own, two kinds beside each other; who had least of its share comes next. The
# seeds are fresh ones (a few kinds have none: their command has no seed); POOLFLOW_TORTURE_SEEDS=NUMBER has the same rounds
# of each kind again. What was run is kept in .build/torture/rounds.tsv, so that a campaign that was broken off is gone on with: HOURS is what
# it comes to in all. The page is .build/torture/report.md. A round that fails leaves its log and the command that repeats it there.
set -euo pipefail
cd "$(dirname "$0")/.."

home=.build/torture
rounds=$home/rounds.tsv
short=900 # A campaign of less than so many seconds builds nothing but the tests.

# Name | share | shortest round in s | what is counted | promise | what it takes to break it
kinds() {
  cat <<'KINDS'
everything|4|20|kills|Nothing acknowledged is lost, nothing is told twice or half, whatever is under way when either program dies|a disk that loses what it said it had kept
points|3|120|kills and refusals|A kill or a full disk at any file call of a delivery, a backup, a restore, an import or a migration leaves the old state or the new one|a rename that is not one step
slots|2|60|kills|A slot runs once and is one file, wherever the daemon dies around it|two daemons that the kernel lets hold one lock
clocks|2|40|mornings|Steps, suspensions and kills around a slot: one run, one file, one reason|a clock that is wrong, and confirmed, for longer than anybody looks
years|4|20|team-years|Every slot has one verdict, every notice one run and one file, through years of crashes, clocks, power cuts, failing disks and changes of mind|a defect in SQLite's journal
calls|3|45|days|A system call that fails once, or a C library that has no memory once, ends nothing in a trap and loses nothing|memory that runs out inside Swift's runtime, which ends the program
barns|1|60|kills|A barn's day is closed once, at the first instant of the next, wherever the daemon dies in it: no mark is lost|a zone whose midnight moves after the day is closed
server|2|90|kills|With the records on a PostgreSQL server a kill of the daemon, the server or a session, or a cut in the middle of a commit, loses and repeats nothing|a server that says it has kept what it has not
nodes|2|60|blows|Of several daemons of a database each works some teams; whatever becomes of one the others take them up, each slot runs once and is one file|a node that is stopped between the question whether a share is its own and the file that it then moves
network|2|40|hours|Two nodes and a network that loses, holds up and breaks off what they say, at a commit above all: every slot has one verdict and one node's, every notice one file, and all is worked again when it is over|a server that lets two sessions have one lock
power|1|30|tests|What was called sent is on the disk when the power fails|a disk that lies about fsync
disks|2|90|tests|A full or failing disk ends neither the daemon nor its starts|a file system that turns read-only and stays so
pages|1|20|obstacles|Something that stands where a published page belongs stops that page alone and is named; once it is away every page is what the records say, and no page of a withdrawn name is left|a program that rewrites a page in place within the same tick of the clock
consumer|1|60|tests|A consumer that takes nothing, all, or what it should not holds up no other and loses nothing|a consumer that deletes what it has not read
clients|2|90|tests|Clients that ask and hang up, read nothing or send nonsense lock nobody out|more users of the group than the kernel gives sockets to
post|2|90|tests|What is dropped for a person is brought once, or buried with a reason|a provider that says yes and forgets
refusals|2|270|tests|What one message is refused for stops no other, and a message whose outcome is unknown is never repeated in silence|a relay that takes a mail, never says so, and throws it away
senders|1|60|tests|A sender that is started by a wrong clock ends and deletes nothing|a clock that is wrong for a whole day of running
calendar|2|20|triples|The calendar is what a slow and simple model says|a zone file newer than both
models|1|30|states|Every order of a claim's and a delivery's steps, with a death anywhere, ends with one of each|steps that the model does not have
soak|2|60|rounds|Memory and descriptors stay as they are|a leak smaller than a page in a thousand rounds
fuzz|3|60|inputs|Any bytes at every door are taken or refused, in bounded time and memory|an input longer than four kilobytes
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

# Of a kind: rounds, seconds, what was counted, failures.
tally() {
  awk -F'\t' -v kind="$1" '$1 == kind { n++; s += $2; c += $4; f += $3 != 0 } END { printf "%d %d %d %d", n, s, c, f }' "$rounds"
}

spent() { # SECONDS, in words
  awk -v s="$1" 'BEGIN { if (s < 5400) printf "%.0f min", s / 60; else printf "%.1f h", s / 3600 }'
}

grouped() { sed -E ':a; s/([0-9])([0-9]{3})($|,)/\1,\2\3/; ta' <<<"$1"; }

table() {
  local name share least words promise breaks n s c f
  echo "| promise | to break it | rounds of | for | came to | failures |"
  echo "|---|---|---|---|---|---|"
  while IFS='|' read -r name share least words promise breaks; do
    read -r n s c f < <(tally "$name"; echo)
    if [ "$n" -eq 0 ]; then echo "| $promise | $breaks | \`$name\` | not yet | | |"; continue; fi
    echo "| $promise | $breaks | \`$name\` | $(spent "$s"), $(grouped "$n") rounds | $(grouped "$c") $words | $f |"
  done < <(kinds)
}

if [ "${1:-}" = --table ]; then
  [ -s "$rounds" ] || { echo "torture.sh: nothing has run" >&2; exit 66; }
  {
    echo "# The last soak run"
    echo
    echo "Written by \`config/torture.sh --table\` on $(date -u '+%Y-%m-%d') at commit $(git describe --always --dirty 2>/dev/null ||
      echo unknown): $(spent "$(awk -F'\t' '{ s += $2 } END { printf "%d", s }' "$rounds")") of rounds on $(nproc) processors."
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
  [ -n "$(field "$kind" 1)" ] || { echo "torture.sh: no kind is called $kind; config/torture.sh --kinds names them" >&2; exit 64; }
done
whole="$(awk -v h="$hours" 'BEGIN { printf "%d", h * 3600 }')"
workers="${POOLFLOW_TORTURE_WORKERS:-$(nproc)}"
mkdir -p "$home/failed"
rm -rf "$home/running"
mkdir "$home/running"
touch "$rounds"

# The seed of a round: KIND NUMBER.
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
  # What takes a build of its own is for longer campaigns; the tests replay its corpus. There is not time for every kind: now
  # these come first, now those.
  chosen="$(tr ' ' '\n' <<<"$chosen" | grep -vx fuzz |
    while read -r kind; do echo "$(seed_of "$kind" order) $kind"; done | sort -n | cut -d' ' -f2 | tr '\n' ' ')"
fi
mapfile -t targets < <(config/fuzz.sh)

# The command of a round: KIND SECONDS SEED NUMBER. Printed as it is typed to repeat it.
command_of() {
  local kind="$1" slice="$2" seed="$3" number="$4"
  suite() { echo "$tests --testing-library swift-testing --no-parallel --filter '$1'"; }
  case "$kind" in
  everything) echo "POOLFLOW_TORTURE_SECONDS=$slice POOLFLOW_TORTURE_SEED=$seed $(suite 'EverythingAtOnceTests')" ;;
  points)
    # Half an hour and more of a machine to itself.
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
  nodes) echo "POOLFLOW_NODE_BLOWS=$((slice / 6)) POOLFLOW_SEED=$seed $(suite 'NodesTests.*whatever')" ;;
  network) echo "POOLFLOW_SEED=$seed POOLFLOW_SIMULATION_SECONDS=$slice ${simulation} --testing-library swift-testing --no-parallel --filter 'SimulatedNodesTests'" ;;
  power) echo "POOLFLOW_SEED=$seed $(suite 'PowerLossTests|FileDropFaultTests')" ;;
  disks) echo "$(suite 'ProgramTests.*(FullDiskTests|SinkFaultTests)')" ;;
  consumer) echo "$(suite 'SinkFaultTests|FileDropSinkTests|PublishSinkTests|StuckSinkTests|EventTests')" ;;
  pages) echo "POOLFLOW_SEED=$seed POOLFLOW_OBSTACLES=$((slice * 20)) $(suite 'PublishObstacleTests')" ;;
  clients) echo "$(suite 'ControlLoadTests.*(hang|nobody|clients|users)|ControlSocketTests|BadTextTests')" ;;
  post) echo "POOLFLOW_SEED=$seed $(suite 'PostTests.*killed|FallbackTests|PostFallbackTests|ReceiptTests.*killed')" ;;
  refusals) echo "POOLFLOW_SEED=$seed $(suite 'EvidenceTests|MailDialogueTests|ServiceAnswerTests|PostRefusalTests|PostAnswerTests')" ;;
  senders) echo "$(suite 'PostClockTests|SenderClockTests')" ;;
  calendar) echo "POOLFLOW_SEED=$seed POOLFLOW_CALENDAR_TRIPLES=$((slice * 300)) $(suite 'PropertyTests')" ;;
  models) echo "$(suite 'DeliveryModelTests|LedgerModelTests|PartitionAssignorModelTests')" ;;
  soak) echo "POOLFLOW_ROUNDS=$((slice * 3)) $(suite 'ControlLoadTests.*rounds')" ;;
  fuzz) echo "config/fuzz.sh ${targets[number % ${#targets[@]}]} $slice" ;;
  esac
}

# What a round came to: the numbers before the word that its kind counts.
counted() { # KIND LOG
  local words
  words="$(field "$1" 4)"
  case "$1" in
  fuzz) awk '/stat::number_of_executed_units/ { print $2; found = 1 } END { if (!found) print 0 }' "$2" ;;
  calendar) sed -n 's/.*POOLFLOW_CALENDAR_TRIPLES=\([0-9]*\).*/\1/p' "$2" | head -n 1 ;;
  years) sed -n 's/^simulated \([0-9]*\) team-years.*/\1/p' "$2" | awk '{ s += $1 } END { print s + 0 }' ;;
  server) grep -aoE '[0-9]+ (blows|kills)' "$2" | awk '{ s += $1 } END { print s + 0 }' ;;
  points) grep -aoE '[0-9]+ kills|points?( of three deliveries)?: [0-9]+|[0-9]+ refusals' "$2" |
    grep -oE '[0-9]+' | awk '{ s += $1 } END { print s + 0 }' ;;
  *) grep -aoE "[0-9]+ ${words%s}s?\b" "$2" | awk '{ s += $1 } END { print s + 0 }' ;;
  esac
}

# Whose turn it is and that has time left, under a lock; nothing where nobody has.
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
# What earlier runs of this campaign have done counts.
length=$((whole - before / workers))
[ "$length" -gt 0 ] || length=0

worker() {
  local kind slice seed number command log code took began
  while :; do
    local left=$((length - (SECONDS - begin)))
    kind="$(exec 9>"$home/lock" && flock 9 && choose "$left")"
    [ -n "$kind" ] || break
    # A round is long enough to be worth its start and short enough that all have a turn.
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
    # `timeout` leads a group of its own: it ends what it has started when the worker dies, whatever ends that one.
    setpriv --pdeathsig TERM timeout --kill-after=10 $((slice * 3 + 1800)) nice -n 5 bash -c "$command" >>"$log" 2>&1 || code=$?
    # A round that ran no test has not passed.
    [ "$kind" = fuzz ] || grep -aq 'Test run with [1-9]' "$log" || code=70
    took=$((SECONDS - began))
    printf '%s\t%s\t%s\t%s\t%s\n' "$kind" "$took" "$code" "$(counted "$kind" "$log")" "$command" |
      flock "$home/lock" tee -a "$rounds" >/dev/null
    if [ "$code" -ne 0 ]; then
      cp "$log" "$home/failed/$kind-$seed.log"
      say "$kind FAILED after $took s, see $home/failed/$kind-$seed.log; it is repeated by: $command"
      grep -aE '^(✘|↳|Fatal)|error:|SUMMARY' "$log" | cut -c1-600 | head -n 20 || tail -n 5 "$log"
    else
      say "$kind passed $took s: $(counted "$kind" "$log") $(field "$kind" 4 | cut -d' ' -f1)"
    fi
    rm -f "$home/running/$kind"
  done
}

say "$(spent "$length") of trouble on $workers processors"
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
  echo "# What was broken, and what came of it"
  echo
  echo "$(date -u '+%Y-%m-%d %H:%M') UTC, $(git describe --always --dirty 2>/dev/null || echo 'no commit'), $(nproc) processors," \
    "$(spent "$(total)") of rounds, $failures failures."
  echo
  table
  echo
  echo "## Failures"
  echo
  awk -F'\t' '$3 != 0 { print "- " $1 " ended with " $3 " after " $2 " s: `" $5 "`" }' "$rounds"
  [ "$failures" -gt 0 ] || echo "None."
  echo
  echo "## Rounds"
  echo
  awk -F'\t' '{ print "- " $1 ", " $2 " s, " $4 ": `" $5 "`" }' "$rounds"
} >"$home/report.md"
say "$(wc -l <"$rounds") rounds, $failures failures; the page is $home/report.md"
[ "$failures" -eq 0 ]
