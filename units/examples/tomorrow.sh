#!/bin/sh
# Lists each team with what poolflow has to do for it tomorrow, by pfctl and jq: sh tomorrow.sh
# Tomorrow is by the machine's own date, or TOMORROW=2026-03-03: teams of zones far away may have another. tomorrow.py does the
# same over the socket, by each team's clocks. Where pfctl fails it ends with pfctl's code: 69 where no daemon answers.
set -eu
command -v jq >/dev/null || { echo "tomorrow.sh needs jq" >&2; exit 69; }

day="${TOMORROW:-$(date -d tomorrow +%F)}"
# `local` reads "Tue 2026-03-03 07:00 MST". Only what is used is asked for; `pfctl help schema next` tells the rest.
# Each is asked before its answer goes on to jq, since of a pipe only the last program's code is heard.
teams="$(pfctl team list --json=name,zone)"
printf '%s\n' "$teams" | jq -r '.[] | [.name, .zone] | @tsv' | while IFS="$(printf '\t')" read -r team zone; do
  slots="$(pfctl next --team "$team" --limit 100 --json=job,local)"
  echo "$team, $day ($zone):"
  printf '%s\n' "$slots" |
    jq -r --arg day "$day" '
      [.[] | select(.local | contains($day)) | "  \(.local | split(" ")[2])  \(.job)"]
      | if length == 0 then "  nothing" else .[] end'
done
