#!/usr/bin/env bash
# Fuzzes one input of poolflow with libFuzzer and the address sanitizer.
#
#   config/fuzz.sh                        lists the targets
#   config/fuzz.sh TARGET [SECONDS]       fuzzes TARGET (default: 60 seconds)
#   config/fuzz.sh TARGET merge           replaces the corpus by the small inputs that together reach the most code
#   config/fuzz.sh TARGET FILE...         runs the target with these files only, for example with a stored crash
#
# A target is a folder of Tests/Fuzzing/Corpus; Tests/Fuzzing/Inputs/TARGETInput.swift states what must hold for its inputs.
# New inputs are written to .build-fuzz/corpus/TARGET and crashes to .build-fuzz/crashes/TARGET. Copy a crash into the corpus
# under a name with a hyphen that describes the defect: the ordinary tests then replay it.
#
# SANITIZE=none builds without the address sanitizer, which is faster and makes the time limits stricter. SLACK (default: 10)
# is the factor by which a call may exceed its promised time.
set -euo pipefail
cd "$(dirname "$0")/.."

corpus=Tests/Fuzzing/Corpus
# Larger inputs find no more defects, and run more slowly.
longest=4096
# The corpus is for regression tests: small files, and few enough to read.
keep_bytes=2048
keep_files=80

if [ $# -eq 0 ]; then
  ls "$corpus"
  exit 0
fi
target=$1
shift
if [ ! -d "$corpus/$target" ]; then
  printf 'fuzz.sh: there is no target %s; the targets are:\n' "$target" >&2
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

# libFuzzer reports crashes itself; Swift's backtrace would interfere.
export SWIFT_BACKTRACE=enable=no
export POOLFLOW_FUZZ_INPUT=$target
export POOLFLOW_FUZZ_SLACK=${SLACK:-10}

# Each input checks its own limit of CPU time. The wall-clock limit here only ends an input that hangs.
run() {
  nice -n 10 "$program" -timeout=25 -rss_limit_mb=1024 -max_len="$longest" -artifact_prefix="$crashes/" "$@"
}

case ${1:-60} in
merge)
  smallest=$(mktemp -d "$scratch/merge.XXXXXX")
  trap 'rm -rf "$smallest"' EXIT
  # Files with a name given by hand are always kept. Of the found inputs, those are added that reach more code.
  rm -rf "$scratch/named" "$scratch/small"
  mkdir -p "$scratch/named" "$scratch/small"
  find "$corpus/$target" -type f -name '*-*' -exec cp -t "$scratch/named" {} +
  for folder in "$corpus/$target" "$found"; do
    find "$folder" -type f ! -name '*-*' -size "-$((keep_bytes + 1))c" -exec cp -t "$scratch/small" {} +
  done
  cp -r "$scratch/named/." "$smallest"
  run -merge=1 "$smallest" "$scratch/small"
  find "$corpus/$target" -type f ! -name '*-*' -delete
  # If too many inputs remain, keep files evenly spread over all sizes, because large ones reach the deepest code.
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
