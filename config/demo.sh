#!/usr/bin/env bash
# Sets poolflow up, builds it and shows its main job on demo data: from a team's backup file to its morning digest, and from
# a barn's lists and the weather to its door.
# Leaves nothing outside .build.
set -euo pipefail
cd "$(dirname "$0")/.."

config/packages.sh
config/build.sh

state=.build/demo
rm -rf "$state"
mkdir -p "$state"
out="$state/stdout.txt"
log="$state/log.txt"
mkdir -m 700 "$state/state"

pfctl() { .build/debug/pfctl --socket "$state/state/control.sock" "$@"; }
step() { printf '\n== %s\n' "$*"; }

# Not by a function: what is ended at the end would be the shell around the daemon, and not the daemon.
.build/debug/poolflowd --config config/demo/poolflow.conf --state-dir "$PWD/$state/state" >"$out" 2>"$log" &
daemon=$!
trap 'kill "$daemon" 2>/dev/null || true; wait "$daemon" 2>/dev/null || true' EXIT
for _ in $(seq 100); do
  [ -S "$state/state/control.sock" ] && pfctl status >/dev/null 2>&1 && break
  kill -0 "$daemon" 2>/dev/null || { cat "$log" >&2; exit 70; }
  read -rt 0.1 <> <(:) || true
done

step "A team and its backup file"
pfctl team add desert-blue --zone America/Phoenix
pfctl import config/demo/demo-backup.zip --team desert-blue

step "What will be said in the next seven days"
pfctl --no-pager simulate --days 7 --team desert-blue

# The demo team rests on weekends; then the coming Monday's digest is shown instead of a silence.
day="$(TZ=America/Phoenix date +%u)"
step "Today's morning digest, delivered now"
pfctl run morning-summary --team desert-blue
if [ "$day" -ge 6 ]; then
  monday="$(TZ=America/Phoenix date -d "$((8 - day)) days" +%F)"
  echo "(nobody drives on a weekend; here is Monday's, $monday)"
  pfctl run morning-summary --team desert-blue --at "$monday 07:00"
fi

delivered() { [ -s "$out" ] && compgen -G "$state/state/outbox/new/*.json" >/dev/null; }
for _ in $(seq 100); do
  delivered && break
  read -rt 0.1 <> <(:) || true
done
delivered || { echo "nothing was delivered; the daemon said:" >&2; cat "$log" >&2; exit 70; }

step "On stdout"
cat "$out"
step "In the drop folder"
ls "$state/state/outbox/new"

step "The other trade: a barn with thirty horses, its lists and its weather"
pfctl team add willow-barn --zone America/New_York --trade stable
config/demo/barn-days.sh America/New_York "$state"
for list in config/demo/barn-horses.csv config/demo/barn-feed.csv "$state/care.csv"; do
  pfctl import "$list" --team willow-barn
done
pfctl weather import "$state/forecast.csv" --team willow-barn

step "Half of the barn is fed, and who is due for what"
for horse in Barnaby Calypso "dapple grey" ember; do pfctl --quiet feed mark "$horse" am --team willow-barn --by Chloe; done
pfctl --no-pager feed board --team willow-barn
pfctl --no-pager care due --team willow-barn

step "The barn's morning, delivered now; its page hangs on the barn door"
pfctl run barn-digest --team willow-barn
barn() { grep -q "Old Tom" "$out" && compgen -G "$state/state/outbox/new/*barn-digest*.html" >/dev/null; }
for _ in $(seq 100); do
  barn && break
  read -rt 0.1 <> <(:) || true
done
barn || { echo "the barn was told nothing; the daemon said:" >&2; cat "$log" >&2; exit 70; }
ls "$state/state/outbox/new" | grep barn-digest

step "How to go on"
cat <<EOF
.build/debug/poolflowd                       run it as yourself, until Ctrl-C
.build/debug/pfctl help                      everything an operator can ask
README.md                                    install it as a service
EOF
