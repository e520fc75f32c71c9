#!/bin/sh
# Takes the events of a drop folder, one after another, and does something with each: sh take-events.sh FOLDER [WORK]
# FOLDER is the one that holds new/, such as /var/lib/poolflow/outbox. WORK is a folder of ours on the same file system, in
# which an event lies until it is done with; FOLDER/taken without it. What is done here is to print an event's lines: put
# something of your own in its place. `pfctl help schema org.poolflow.morning-summary` tells what else stands in one.
set -eu
folder="${1:?name the folder that holds new/}"
work="${2:-$folder/taken}"
command -v jq >/dev/null || { echo "take-events.sh needs jq" >&2; exit 69; }
mkdir -p "$work"

# A rename takes a file whole, and only one taker gets it. A page and a calendar beside it go with it.
for event in "$folder"/new/*.json; do
  [ -e "$event" ] || break
  mv "$event" "$work/" 2>/dev/null || continue
  rm -f "${event%.json}.html" "${event%.json}.ics" "${event%.json}.headers"
done

# What was taken before and not finished comes again: the same id is the same event.
for event in "$work"/*.json; do
  [ -e "$event" ] || break
  jq -r '"\(if .data.team == "" then "poolflow" else .data.team end): \(.data.title)", ([.data.body] + .data.lines | .[] | "  " + .)' "$event"
  rm "$event"
done
