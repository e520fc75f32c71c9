#!/usr/bin/env bash
# Installs what poolflow is built with and runs on, from Debian's own packages, and those that are named beside them, such as
# chromium, which tests look at pages with. Nothing is done when all is there.
set -euo pipefail

packages=(libsqlite3-dev libsystemd-dev zlib1g-dev tzdata "$@")

command -v swift >/dev/null || {
  echo "swift is not on the PATH: poolflow needs Swift 6.3 or later, see https://www.swift.org/install/linux" >&2
  exit 69
}

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ "${#missing[@]}" -gt 0 ] || exit 0

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
echo "installing ${missing[*]}" >&2
# Of PostgreSQL the programs alone: tests start servers of their own, and none is left running on the machine.
if [[ " ${missing[*]} " == *" postgresql "* ]]; then
  "${as_root[@]}" mkdir -p /etc/postgresql-common/createcluster.d
  echo "create_main_cluster = false" |
    "${as_root[@]}" tee /etc/postgresql-common/createcluster.d/no-main-cluster.conf >/dev/null
fi
"${as_root[@]}" apt-get update -qq
# What is installed, nginx or pgbouncer for one, is not started meanwhile: Debian's packages ask this first. A machine that has an
# answer of its own keeps it.
policy=/usr/sbin/policy-rc.d
if ! [ -e "$policy" ]; then
  trap '"${as_root[@]}" rm -f "$policy" || true' EXIT
  printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
  "${as_root[@]}" chmod 755 "$policy"
fi
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
