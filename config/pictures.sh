#!/usr/bin/env bash
# Renders the README's pictures, config/demo/morning.png and config/demo/month.png, from the demo team's pages with Chromium: a
# technician's morning page on a phone and the team's month report on a desktop screen. Needs a finished `swift build`.
set -euo pipefail
cd "$(dirname "$0")/.."

config/packages.sh chromium pngquant fonts-dejavu-core
work="$(mktemp -d)"
mkdir -m 700 "$work/state"
.build/debug/poolflowd --config config/demo/poolflow.conf --state-dir "$work/state" --socket "$work/state/control.sock" \
  >/dev/null 2>"$work/log" &
daemon=$!
trap 'kill "$daemon" 2>/dev/null || true; wait "$daemon" 2>/dev/null || true; rm -rf "$work"' EXIT
pfctl() { .build/debug/pfctl --socket "$work/state/control.sock" "$@"; }
until pfctl status >/dev/null 2>&1; do
  kill -0 "$daemon" || { cat "$work/log" >&2; exit 70; }
  read -rt 0.1 <> <(:) || true
done
pfctl team add desert-blue --zone America/Phoenix >/dev/null
pfctl import config/demo/demo-backup.zip --team desert-blue >/dev/null
pfctl digest --team desert-blue --at 2026-03-02 --technician maria --format html >"$work/morning.html"
pfctl report month --team desert-blue --month 2026-02 --format html >"$work/month.html"

# picture NAME WIDTH HEIGHT: renders the page in a frame of that size, because no window is as narrow as a phone; 16 colours.
picture() {
  cat >"$work/frame.html" <<END
<!doctype html><body style="margin:0;height:100vh;display:grid;place-items:center;background:#d9dee3">
<iframe src="$1.html" style="border:0;border-radius:14px;background:#fff;width:$2px;height:$3px"></iframe>
END
  chromium --headless=new --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/browser" \
    --window-size="$(($2 > 460 ? $2 + 40 : 500)),$(($3 + 40))" --screenshot="$work/$1.png" "file://$work/frame.html" 2>>"$work/log"
  pngquant --force --strip --nofs --output "config/demo/$1.png" 16 "$work/$1.png"
  echo "config/demo/$1.png: $(stat -c %s "config/demo/$1.png") bytes"
}
picture morning 390 844
picture month 900 844
