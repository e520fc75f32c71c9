#!/usr/bin/env bash
# Compares the Swift version with .swift-version, the tested one. Installs the Debian packages that poolflow needs to build and
# run, and the packages that are given as arguments (for example chromium, with which tests render pages). Does nothing if all
# are installed.
set -euo pipefail

packages=(libsqlite3-dev libsystemd-dev zlib1g-dev tzdata "$@")

tested="$(cat "$(dirname "$0")/../.swift-version")"
# Only the minor version counts: 6.3 for 6.3.1.
oldest="${tested%.*}"
where="install it from https://www.swift.org/install/linux"
command -v swift >/dev/null || {
  echo "swift is not on the PATH: poolflow needs Swift $oldest or later; $where" >&2
  exit 69
}
swift="$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1 || true)"
if [ "$(printf '%s\n' "$oldest" "${swift:-0}" | sort -V | head -n 1)" != "$oldest" ]; then
  echo "poolflow needs Swift $oldest or later, and $(command -v swift) is ${swift:-of no known version}; $where" >&2
  exit 69
fi
[ "$swift" = "$tested" ] ||
  echo "warning: poolflow is tested with Swift $tested (.swift-version), and $(command -v swift) is $swift" >&2

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ "${#missing[@]}" -gt 0 ] || exit 0

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
echo "installing ${missing[*]}" >&2
# Install the programs of PostgreSQL without a running server: the tests start their own servers.
if [[ " ${missing[*]} " == *" postgresql "* ]]; then
  "${as_root[@]}" mkdir -p /etc/postgresql-common/createcluster.d
  echo "create_main_cluster = false" |
    "${as_root[@]}" tee /etc/postgresql-common/createcluster.d/no-main-cluster.conf >/dev/null
fi
"${as_root[@]}" apt-get update -qq
# policy-rc.d keeps Debian's packages (nginx, pgbouncer) from starting their services at installation. An existing policy of
# the machine is kept.
policy=/usr/sbin/policy-rc.d
if ! [ -e "$policy" ]; then
  trap '"${as_root[@]}" rm -f "$policy" || true' EXIT
  printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
  "${as_root[@]}" chmod 755 "$policy"
fi
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
