#!/usr/bin/env bash
# Builds the package of the previous release and prints its path.
#
#   Tests/Service/last-release.sh [--if-changed]    --if-changed: builds and prints nothing if an upgrade has nothing to do, because
#                                                   the store's schema, the units and the package's files have not changed since
#
# The previous release is the changelog's second entry. Its source is the tag of its version (v0.1.0), or else the last commit
# with that version. The package is kept in .build/last-release and rebuilt only for another commit; a second process waits until
# the first has built it. It is built without optimisation, which takes a third of the time and does not change what it writes.
set -euo pipefail
cd "$(dirname "$0")/../.."

# The folders were renamed after 0.1.0, so each commit is asked for its own path.
file() { git ls-tree -r --name-only "$1" Sources | grep '/ProductVersion\.swift$'; } # COMMIT
version="$(sed -n 's/^poolflow (\([^)]*\)).*/\1/p' config/debian/changelog | sed -n 2p)"
[ -n "$version" ] || { echo "config/debian/changelog has no entry before this release" >&2; exit 65; }
commit="$(git rev-parse --quiet --verify "v$version^{commit}" || true)"
if [ -z "$commit" ]; then
  product="$(git show "HEAD:$(file HEAD)" | sed -n 's/.*text = "\(.*\)"/\1/p')"
  change="$(git log --diff-filter=M --format=%H -S"text = \"$product\"" -- '*/ProductVersion.swift' | tail -n 1)"
  [ -n "$change" ] || { echo "no commit introduced version $product of poolflow; does this clone have its whole history?" >&2; exit 66; }
  commit="$(git rev-parse "$change^")"
fi
git show "$commit:$(file "$commit")" | grep -q "\"$version\"" || { echo "$commit is not poolflow $version" >&2; exit 65; }

upgraded=(units config/debian config/poolflow.conf config/post.conf config/package.sh 'Sources/*Schema*'
  'Sources/*Migration*')
if [ "${1:-}" = --if-changed ] && git diff --quiet "$commit" -- "${upgraded[@]}"; then exit 0; fi

folder=.build/last-release
package="$folder/poolflow_${version}_$(dpkg --print-architecture).deb"
mkdir -p "$folder"
exec 9>"$folder/lock"
flock 9
if ! [ -e "$package" ] || [ "$(cat "$folder/commit" 2>/dev/null)" != "$commit" ]; then
  rm -rf "$folder/tree" "$folder/commit"
  mkdir -p "$folder/tree"
  git archive "$commit" | tar -x -C "$folder/tree"
  sed -i 's/-c release /-c debug /' "$folder/tree/config/package.sh"
  built="$("$folder/tree/config/package.sh" | tail -n 1)"
  mv "$folder/tree/$built" "$package"
  rm -rf "$folder/tree"
  echo "$commit" >"$folder/commit"
fi
echo "$package"
