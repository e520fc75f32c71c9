#!/usr/bin/env bash
# Builds and tests a copy of the tree without a folder of Sources, which proves that nothing else needs it.
#
#   config/without.sh FOLDER [REGEX]    builds everything else and runs the remaining tests, or only those that match
#
# FOLDER is Cluster or Stables. The copy is .build/without/FOLDER. It lacks:
#
#   - Sources/FOLDER; Package.swift leaves out its targets and their tests
#   - each folder of that name in Tests: the tests, inputs and benchmarks that need the folder
#   - each line of Sources/Programs and Tests that ends with `// FOLDER`: the lines of lists that name a part of the folder
set -euo pipefail
cd "$(dirname "$0")/.."

folder="${1:-}"
case "$folder" in
Cluster | Stables) ;;
*)
  echo "usage: config/without.sh Cluster|Stables [REGEX]" >&2
  exit 64
  ;;
esac
copy=".build/without/$folder"
mkdir -p "$copy"
# A copied file keeps its time, so that an unchanged file is not compiled again. Only the tree goes, never the copy's .build.
find "$copy" -mindepth 1 -maxdepth 1 ! -name .build -exec rm -rf {} +
git ls-files -z | xargs -0 cp --parents --preserve=timestamps -t "$copy"
rm -r "${copy:?}/Sources/$folder"
find "$copy/Tests" -type d -name "$folder" -prune -exec rm -r {} +
grep -rlZ "// $folder\$" "$copy/Sources/Programs" "$copy/Tests" | xargs -0 sed -i "/\/\/ $folder\$/d"
cd "$copy"
export POOLFLOW_WITHOUT="$folder"
config/packages.sh
config/build.sh --build-tests
if [ $# -eq 1 ]; then exec config/suite.sh .build/suites; fi
exec "$(config/build.sh --show-bin-path)/poolflowPackageTests.xctest" --testing-library swift-testing --no-parallel --filter "$2"
