#!/usr/bin/env bash
# Builds and tests a copy of the tree without a folder of Sources, which proves that nothing else needs it.
#
#   config/without.sh Cluster [REGEX]    builds everything else and runs the remaining tests, or only those that match
#
# The copy is .build/without/FOLDER. The lines of the lists in Sources/Programs that name a part of the folder end with its name
# as a comment; Package.swift leaves out its targets and their tests. Trades cannot be left out yet: FlowDaemon still imports them,
# and most test targets test both.
set -euo pipefail
cd "$(dirname "$0")/.."

folder="${1:-}"
if [ "$folder" != Cluster ]; then
  echo "usage: config/without.sh Cluster [REGEX]" >&2
  exit 64
fi
copy=".build/without/$folder"
mkdir -p "$copy"
# A copied file keeps its time, so that an unchanged file is not compiled again. Only the tree goes, never the copy's .build.
find "$copy" -mindepth 1 -maxdepth 1 ! -name .build -exec rm -rf {} +
git ls-files -z | xargs -0 cp --parents --preserve=timestamps -t "$copy"
rm -r "${copy:?}/Sources/$folder"
grep -rl "// $folder\$" "$copy/Sources/Programs" | xargs sed -i "/\/\/ $folder\$/d"
cd "$copy"
export POOLFLOW_WITHOUT="$folder"
config/packages.sh
config/build.sh --build-tests
if [ $# -eq 1 ]; then exec config/suite.sh .build/suites; fi
exec "$(config/build.sh --show-bin-path)/poolflowPackageTests.xctest" --testing-library swift-testing --no-parallel --filter "$2"
