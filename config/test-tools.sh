#!/usr/bin/env bash
# Installs every program and Python package that a test can need in addition to the build requirements: Debian packages
# system-wide, the rest into .build/test-tools. Tests that miss one are skipped (`Tests/FlowTestKit/Requirement.swift`).
set -euo pipefail
cd "$(dirname "$0")/.."

# For tests that render, print, serve and download pages, send mail, pack archives and run shell completions.
config/packages.sh chromium poppler-utils nginx-light caddy curl jq postfix msmtp openssl zip unzip zsh fish shellcheck mandoc man-db
# For tests of the PostgreSQL store, which start their own servers.
config/packages.sh postgresql pgbouncer

tools=.build/test-tools
# Keep what an earlier version installed under another name.
[ ! -d .build/strangers ] || [ -e "$tools" ] || mv .build/strangers "$tools"
mkdir -p "$tools"
python=(varlink html5lib icalendar aiosmtpd jsonschema phreeqpython)
PYTHONPATH="$tools" python3 -c "import $(IFS=,; echo "${python[*]}")" 2>/dev/null ||
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target "$tools" "${python[@]}"
# Only promtool from the package prometheus, to check metrics and alerts: installing the whole package would start a server.
if [ ! -x "$tools/promtool" ] && ! command -v promtool >/dev/null; then
  (cd "$tools" && apt-get download -qq prometheus && dpkg-deb --fsys-tarfile prometheus_*.deb |
    tar -x --strip-components=3 ./usr/bin/promtool && rm prometheus_*.deb)
fi
