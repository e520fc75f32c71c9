#!/usr/bin/env bash
# Installs what poolflow needs, builds it and shows its main work with demo data: a team's backup file becomes its morning
# digest; a stable's lists and a weather forecast become the page for the barn door. Writes only below .build.
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

# Not started through a function: $! would then be the subshell, and the trap would not end the daemon.
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

step "The notices of the next seven days"
pfctl --no-pager simulate --days 7 --team desert-blue

# The demo team does not work on weekends. On those days the digest of the coming Monday is shown, too.
day="$(TZ=America/Phoenix date +%u)"
step "Today's morning digest, delivered now"
pfctl run morning-summary --team desert-blue
if [ "$day" -ge 6 ]; then
  monday="$(TZ=America/Phoenix date -d "$((8 - day)) days" +%F)"
  echo "(the team does not work on weekends; this is the digest for Monday, $monday)"
  pfctl run morning-summary --team desert-blue --at "$monday 07:00"
fi

delivered() { [ -s "$out" ] && compgen -G "$state/state/outbox/new/*.json" >/dev/null; }
for _ in $(seq 100); do
  delivered && break
  read -rt 0.1 <> <(:) || true
done
delivered || { echo "nothing was delivered; the daemon's log:" >&2; cat "$log" >&2; exit 70; }

step "Delivered to standard output"
cat "$out"
step "Delivered to the drop folder"
ls "$state/state/outbox/new"

step "The second trade: a stable with thirty horses; import its lists and its weather forecast"
pfctl team add willow-barn --zone America/New_York --trade stable
config/demo/barn-days.sh America/New_York "$state"
for list in config/demo/barn-horses.csv config/demo/barn-feed.csv "$state/care.csv"; do
  pfctl import "$list" --team willow-barn
done
pfctl weather import "$state/forecast.csv" --team willow-barn

step "Four horses are fed; the feed board, and the care that is due"
for horse in Barnaby Calypso "dapple grey" ember; do pfctl --quiet feed mark "$horse" am --team willow-barn --by Chloe; done
pfctl --no-pager feed board --team willow-barn
pfctl --no-pager care due --team willow-barn

step "The stable's morning notice, delivered now, with the page for the barn door"
pfctl run barn-digest --team willow-barn
barn() { grep -q "Old Tom" "$out" && compgen -G "$state/state/outbox/new/*barn-digest*.html" >/dev/null; }
for _ in $(seq 100); do
  barn && break
  read -rt 0.1 <> <(:) || true
done
barn || { echo "the stable's notice was not delivered; the daemon's log:" >&2; cat "$log" >&2; exit 70; }
ls "$state/state/outbox/new" | grep barn-digest

step "Next steps"
cat <<EOF
.build/debug/poolflowd                       run the daemon as your own user; Ctrl-C ends it
.build/debug/pfctl help                      list all commands
README.md                                    how to install it as a service
EOF
