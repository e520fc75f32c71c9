#!/bin/sh
# Takes the events of a drop folder, one after another, and does something with each: sh take-events.sh FOLDER [WORK]
# FOLDER is the one that holds new/, such as /srv/poolflow/outbox; run this as a member of its group, or as root. WORK is a
# folder of yours on the same file system, in which an event is kept until it is done with; without it FOLDER/taken, which only
# the owner of FOLDER and root can make. What is done here is to print an event's lines and where its page is: put something of
# your own in its place. The page (ID.html) and the calendar (ID.ics) stay in WORK. `pfctl help schema
# org.poolflow.morning-summary` tells what else an event holds.
set -eu
folder="${1:?name the folder that holds new/}"
work="${2:-$folder/taken}"
fail() { echo "take-events.sh: $2" >&2; exit "$1"; }
command -v jq >/dev/null || fail 69 "it needs jq"
[ -x "$folder" ] || fail 77 "$(id -un) may not look into '$folder', or it is not there: run this as root, or as a member of its group"
# The daemon makes new/ with its first notice.
[ -d "$folder/new" ] || exit 0
[ -w "$folder/new" ] || fail 77 "$(id -un) may take nothing from '$folder/new': run this as root, or as a member of its group"
mkdir -p "$work" 2>/dev/null || fail 73 "$(id -un) cannot make '$work': name a folder of yours on the same file system as WORK"
[ -w "$work" ] || fail 77 "$(id -un) may not write in '$work'"
[ "$(stat -c %d "$folder/new")" = "$(stat -c %d "$work")" ] || fail 73 "'$work' is on another file system, where no rename leads"

# What lies beside an event goes first: as long as the event is in new/, it is taken again. A rename takes a file whole, and only
# one taker gets it.
take() { [ ! -e "$1" ] || mv "$1" "$work/" 2>/dev/null || [ ! -e "$1" ] || fail 74 "cannot take '$1'"; }
for event in "$folder"/new/*.json; do
  [ -e "$event" ] || break
  for name in html ics headers; do take "${event%.json}.$name"; done
  take "$event"
done

# What was taken before and not finished comes again: the same id is the same event.
for event in "$work"/*.json; do
  [ -e "$event" ] || break
  jq -r '"\(if .data.team == "" then "poolflow" else .data.team end): \(.data.title)", ([.data.body] + .data.lines | .[] | "  " + .)' "$event"
  [ ! -e "${event%.json}.html" ] || echo "  page: ${event%.json}.html"
  rm -f "$event" "${event%.json}.headers"
done
