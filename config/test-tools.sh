#!/usr/bin/env bash
# Installs every program and Python package that a test can need beside what poolflow is built with: Debian packages on the
# machine, the rest in .build/strangers. Tests that lack one are skipped (`Tests/PoolTestKit/Requirement.swift`).
set -euo pipefail
cd "$(dirname "$0")/.."

# Pages are shown and printed, served and fetched; mail is handed over; archives are packed; shells complete.
config/packages.sh chromium poppler-utils nginx-light caddy curl jq postfix msmtp openssl zip unzip zsh fish shellcheck mandoc man-db
# The second engine: tests start servers of their own.
config/packages.sh postgresql pgbouncer

tools=.build/strangers
mkdir -p "$tools"
python=(varlink html5lib icalendar aiosmtpd jsonschema)
PYTHONPATH="$tools" python3 -c "import $(IFS=,; echo "${python[*]}")" 2>/dev/null ||
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target "$tools" "${python[@]}"
# Of the package prometheus promtool alone, which reads metrics and tries alerts: the whole package would start a server.
if [ ! -x "$tools/promtool" ] && ! command -v promtool >/dev/null; then
  (cd "$tools" && apt-get download -qq prometheus && dpkg-deb --fsys-tarfile prometheus_*.deb |
    tar -x --strip-components=3 ./usr/bin/promtool && rm prometheus_*.deb)
fi
