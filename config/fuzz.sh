#!/usr/bin/env bash
# Fuzzes one way into poolflow with libFuzzer and the address sanitizer.
#
#   config/fuzz.sh                        names the targets
#   config/fuzz.sh TARGET [SECONDS]       fuzzes TARGET, a minute unless told
#   config/fuzz.sh TARGET merge           keeps in the corpus the small ones of all finds that reach most
#   config/fuzz.sh TARGET FILE...         tries these files alone, such as a crash that was kept
#
# A target is a folder of Tests/Fuzzing/Corpus; what must hold is written in Tests/Fuzzing/Inputs/TARGETInput.swift. New
# finds go to .build-fuzz/corpus/TARGET, crashes to .build-fuzz/crashes/TARGET: a crash is copied into the corpus under a
# name that says what broke, where the ordinary tests replay it.
#
# SANITIZE=none leaves the address sanitizer out: faster, and time limits mean more. SLACK (10) is how many times slower
# than promised a call may be.
set -euo pipefail
cd "$(dirname "$0")/.."

corpus=Tests/Fuzzing/Corpus
# Larger inputs find nothing that these do not, more slowly.
longest=4096
# A regression corpus, not an archive: small files, and few enough to read.
keep_bytes=2048
keep_files=80

if [ $# -eq 0 ]; then
  ls "$corpus"
  exit 0
fi
target=$1
shift
if [ ! -d "$corpus/$target" ]; then
  printf 'fuzz.sh: no target is called %s; there are:\n' "$target" >&2
  ls "$corpus" >&2
  exit 64
fi

sanitize=${SANITIZE:-address}
scratch=.build-fuzz
flags=(-c release --product poolflow-fuzz)
if [ "$sanitize" = none ]; then
  scratch=.build-fuzz-plain
else
  flags+=("--sanitize=$sanitize")
fi
config/packages.sh >&2
FUZZ=1 config/build.sh "${flags[@]}" --scratch-path "$scratch" >&2
program=$scratch/release/poolflow-fuzz

found=.build-fuzz/corpus/$target
crashes=.build-fuzz/crashes/$target
mkdir -p "$found" "$crashes"

# libFuzzer reports crashes itself; Swift's own reporter would get in its way.
export SWIFT_BACKTRACE=enable=no
export POOLFLOW_FUZZ_INPUT=$target
export POOLFLOW_FUZZ_SLACK=${SLACK:-10}

# The time limits are the inputs' own, in computing time; this one, in time on the wall, only ends what hangs.
run() {
  nice -n 10 "$program" -timeout=25 -rss_limit_mb=1024 -max_len="$longest" -artifact_prefix="$crashes/" "$@"
}

case ${1:-60} in
merge)
  smallest=$(mktemp -d "$scratch/merge.XXXXXX")
  trap 'rm -rf "$smallest"' EXIT
  # Files named by hand come first and stay; of what was found, what adds to them.
  rm -rf "$scratch/named" "$scratch/small"
  mkdir -p "$scratch/named" "$scratch/small"
  find "$corpus/$target" -type f -name '*-*' -exec cp -t "$scratch/named" {} +
  for folder in "$corpus/$target" "$found"; do
    find "$folder" -type f ! -name '*-*' -size "-$((keep_bytes + 1))c" -exec cp -t "$scratch/small" {} +
  done
  cp -r "$scratch/named/." "$smallest"
  run -merge=1 "$smallest" "$scratch/small"
  find "$corpus/$target" -type f ! -name '*-*' -delete
  # Too many to keep: as many large ones as small ones, as the large ones reach deepest.
  find "$smallest" -type f ! -name '*-*' -printf '%s %p\n' | sort -n |
    awk -v keep="$keep_files" '
      { paths[NR] = $2 }
      END {
        count = NR < keep ? NR : keep
        for (i = 1; i <= count; i++) print paths[int(i * NR / count)]
      }' | xargs -r cp -t "$corpus/$target"
  ;;
*[!0-9]*)
  run "$@"
  ;;
*)
  dictionary=Tests/Fuzzing/Dictionaries/$target.dict
  run -dict="$dictionary" -max_total_time="${1:-60}" -print_final_stats=1 "$found" "$corpus/$target"
  ;;
esac
