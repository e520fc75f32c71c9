#!/usr/bin/env bash
# Checks that words of our former private dialect do not come back.
#
#   config/words.sh           fails if a pattern of config/words.tsv occurs more often in an area than the file allows
#   config/words.sh --lower   writes today's counts into config/words.tsv where they are lower
#   config/words.sh PATTERN   prints the lines that a pattern of the file matches
#
# A line of config/words.tsv: pattern (a Perl regular expression for whole words, any case), its replacement, and the
# highest count allowed in sources, tests and pages, then the reason if a count above zero is meant to stay.
set -euo pipefail
cd "$(dirname "$0")/.."

list=config/words.tsv
areas=(sources tests pages)
# Texts in other languages and golden files are data, so they are not checked.
files() { # AREA
  case "$1" in
  sources) git ls-files 'Sources/*.swift' 'Sources/*.varlink' 'Sources/*.[ch]' | grep -vE 'Phrases\+(German|Spanish|French|Portuguese)' ;;
  tests) git ls-files 'Tests/*.swift' 'Tests/*.sh' ;;
  pages) git ls-files '*.md' 'config/man/*' 'config/*.conf' ;;
  esac
}
matches() { files "$1" | xargs -d '\n' grep -HnwiP -- "$2" || true; } # AREA PATTERN

if [ "${1:-}" ] && [ "$1" != --lower ]; then
  for area in "${areas[@]}"; do matches "$area" "$1"; done
  exit 0
fi

code=0
result="$(mktemp)"
trap 'rm -f "$result"' EXIT
while IFS= read -r line; do
  if [ -z "$line" ] || [ "${line:0:1}" = '#' ]; then
    printf '%s\n' "$line" >>"$result"
    continue
  fi
  IFS=$'\t' read -r pattern instead sources tests pages reason <<<"$line"
  allowed=("$sources" "$tests" "$pages")
  for index in 0 1 2; do
    area="${areas[index]}"
    found="$(matches "$area" "$pattern" | wc -l)"
    if [ "$found" -gt "${allowed[index]}" ]; then
      code=1
      echo "$area: '$pattern' is on $found lines, ${allowed[index]} are allowed; write: $instead" >&2
      matches "$area" "$pattern" | cut -c1-160 | tail -n 5 >&2
    elif [ "$found" -lt "${allowed[index]}" ]; then
      allowed[index]="$found"
    fi
  done
  printf '%s\t%s\t%s\t%s\t%s%s\n' "$pattern" "$instead" "${allowed[@]}" "${reason:+$'\t'$reason}" >>"$result"
done <"$list"
[ "${1:-}" != --lower ] || cp "$result" "$list"
[ "$code" -eq 0 ] || echo "the words and their replacements: $list; to see all lines of one: config/words.sh PATTERN" >&2
exit "$code"
