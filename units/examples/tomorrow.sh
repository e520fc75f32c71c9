#!/bin/sh
# Lists each team with what poolflow has to do for it tomorrow, by pfctl and jq: sh tomorrow.sh
# Tomorrow is by the machine's own date, or TOMORROW=2026-03-03: teams of zones far away may have another. tomorrow.py does the
# same over the socket, by each team's clocks.
set -eu
command -v jq >/dev/null || { echo "tomorrow.sh needs jq" >&2; exit 69; }

day="${TOMORROW:-$(date -d tomorrow +%F)}"
# `local` reads "Tue 2026-03-03 07:00 MST". Only what is used is asked for; `pfctl help schema next` tells the rest.
pfctl team list --json=name,zone | jq -r '.[] | [.name, .zone] | @tsv' | while IFS="$(printf '\t')" read -r team zone; do
  echo "$team, $day ($zone):"
  pfctl next --team "$team" --count 100 --json=job,local |
    jq -r --arg day "$day" '
      [.[] | select(.local | contains($day)) | "  \(.local | split(" ")[2])  \(.job)"]
      | if length == 0 then "  nothing" else .[] end'
done
