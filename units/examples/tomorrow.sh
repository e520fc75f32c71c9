#!/bin/sh
# Lists each team with its jobs of tomorrow, using pfctl and jq: sh tomorrow.sh
# Tomorrow is the day after the machine's date, or TOMORROW=2026-03-03; distant teams may have another date. tomorrow.py uses the
# control socket and each team's own date. If pfctl fails, its exit code is returned: 69 if no daemon answers.
set -eu
command -v jq >/dev/null || { echo "tomorrow.sh needs jq" >&2; exit 69; }

day="${TOMORROW:-$(date -d tomorrow +%F)}"
# `local` is for example "Tue 2026-03-03 07:00 MST". Only the needed fields are requested; `pfctl help schema next` lists all. Each
# answer is stored before jq reads it, because the exit code of a pipe is that of its last program.
teams="$(pfctl team list --json=name,zone)"
printf '%s\n' "$teams" | jq -r '.[] | [.name, .zone] | @tsv' | while IFS="$(printf '\t')" read -r team zone; do
  slots="$(pfctl next --team "$team" --limit 100 --json=job,local)"
  echo "$team, $day ($zone):"
  printf '%s\n' "$slots" |
    jq -r --arg day "$day" '
      [.[] | select(.local | contains($day)) | "  \(.local | split(" ")[2])  \(.job)"]
      | if length == 0 then "  nothing" else .[] end'
done
