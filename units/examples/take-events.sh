#!/bin/sh
# Takes all events from a drop folder and processes them: sh take-events.sh FOLDER [WORK]
# FOLDER contains new/, for example /srv/poolflow/outbox; run this as a member of its group, or as root. WORK is your own folder on
# the same file system, in which an event stays until it is processed; the default is FOLDER/taken, which only the owner of FOLDER
# and root can create. This example prints an event's lines and the path of its page: put your own processing in its place. The
# page (ID.html) and the calendar (ID.ics) stay in WORK. `pfctl help schema org.poolflow.morning-summary` lists the fields of an
# event.
set -eu
folder="${1:?name the folder that holds new/}"
work="${2:-$folder/taken}"
fail() { echo "take-events.sh: $2" >&2; exit "$1"; }
command -v jq >/dev/null || fail 69 "it needs jq"
[ -x "$folder" ] || fail 77 "$(id -un) may not open '$folder', or it does not exist: run this as root, or as a member of its group"
# The daemon creates new/ with its first notice.
[ -d "$folder/new" ] || exit 0
[ -w "$folder/new" ] || fail 77 "$(id -un) may take nothing from '$folder/new': run this as root, or as a member of its group"
mkdir -p "$work" 2>/dev/null || fail 73 "$(id -un) cannot make '$work': name a folder of yours on the same file system as WORK"
[ -w "$work" ] || fail 77 "$(id -un) may not write in '$work'"
[ "$(stat -c %d "$folder/new")" = "$(stat -c %d "$work")" ] || fail 73 "'$work' is on another file system, so files cannot be renamed into it"

# Take an event's other files first: while the event itself is in new/, an interrupted script takes it again. A rename takes the
# whole file, and only one of several scripts gets it.
take() { [ ! -e "$1" ] || mv "$1" "$work/" 2>/dev/null || [ ! -e "$1" ] || fail 74 "cannot take '$1'"; }
for event in "$folder"/new/*.json; do
  [ -e "$event" ] || break
  for name in html ics headers; do take "${event%.json}.$name"; done
  take "$event"
done

# An event that was taken earlier but not processed is processed now. The same id is the same event.
for event in "$work"/*.json; do
  [ -e "$event" ] || break
  jq -r '"\(if .data.team == "" then "poolflow" else .data.team end): \(.data.title)", ([.data.body] + .data.lines | .[] | "  " + .)' "$event"
  [ ! -e "${event%.json}.html" ] || echo "  page: ${event%.json}.html"
  rm -f "$event" "${event%.json}.headers"
done
