# shellcheck shell=bash disable=SC2016,SC2154,SC2317 # a part of suite.sh: scripts for the lab expand there
# Recovery after the loss of a machine: runs the blocks "first machine" and "second machine" of operating.md on two labs, and tries
# likely mistakes. The first machine is the running lab; it keeps running, because the second machine's backup comes from it.

# block NAME: prints the lines of the page's blocks `sh NAME`.
block() { awk -v fence="\`\`\`sh $1" '$0 == fence { inside = 1; next } /^```/ { inside = 0 } inside' Sources/Documentation/operating.md; }

# typed NAME: runs those lines inside, with a sudo that asks for no password and an apt that asks no question.
typed() {
  block "$1" >"$work/typed.sh"
  [ -s "$work/typed.sh" ]
  sh_inside 'mkdir -p /tmp/typed
    printf "#!/bin/sh\nexec \"\$@\"\n" >/tmp/typed/sudo
    printf "#!/bin/sh\nexport DEBIAN_FRONTEND=noninteractive\nexec apt-get -y -q -o APT::Install-Recommends=false \"\$@\"\n" >/tmp/typed/apt
    chmod +x /tmp/typed/*'
  inside env PATH="/tmp/typed:$PATH:/usr/sbin:/sbin" bash -euxo pipefail -s <"$work/typed.sh"
}

# on_second COMMAND…: runs the command with the second machine as the target of `inside`.
on_second() { SYSTEMD_LAB_NAME="poolflow-$$-second" "$@"; }

first_machine() {
  eventually 10 'systemctl is-active -q poolflowd.service'
  # Two visits at one pool, a photo, notices that no consumer takes, published pages, changed settings.
  sh_inside '
    pfctl team add mover --zone America/Phoenix
    pfctl team plan mover paid
    pfctl import /usr/share/doc/poolflow/examples/demo-backup.zip --team mover
    printf "\377\330\377\340photo" >/tmp/photo.jpg
    pfctl visit log "Steve Baird" --team mover --ph 7.9 --photo /tmp/photo.jpg
    pfctl visit log "Steve Baird" --team mover --ph 7.6
    install -d -o poolflow -g poolflow /var/lib/poolflow/slow /var/lib/poolflow/www
    printf "[Sink slow]\nType = file-drop\nDirectory = /var/lib/poolflow/slow\nMaxFiles = 1\n[Sink web]\nType = publish\nDirectory = /var/lib/poolflow/www\nBaseURL = https://routes.example.net\n" \
      >/etc/poolflow/poolflow.conf.d/moving.conf
    systemctl reload poolflowd
    for day in 02 03 04; do pfctl run morning-summary --team mover --at "2026-03-$day"; done'
  eventually 30 '[ "$(pfctl outbox list --sink slow --state pending --plain | wc -l)" -ge 2 ] && [ -s /var/lib/poolflow/published-names ]'
  typed "first machine"
  sh_inside '
    pfctl visit list --team mover --json >/srv/safe/visits
    pfctl publish list --team mover --plain >/srv/safe/addresses
    find /var/lib/poolflow/photos -name "*.bin" -printf "%P\n" | sort >/srv/safe/photos
    [ -s /srv/safe/photos ]
    # Needed by this test only, so the page does not have it.
    cp "'"$PWD/$package"'" /srv/safe/poolflow.deb'
  inside tar -C / -c srv/safe >"$work/safe.tar"
}
check "the package installs on a machine without poolflow" install_package "$PWD/$package"
check "the page's commands save a backup and the settings of the first machine" first_machine

second_machine() {
  inside tar -C / -x <"$work/safe.tar"
  sh_inside 'refused [ -e /var/lib/poolflow ]'
  typed "second machine"
  sh_inside '
    systemctl is-active -q poolflowd
    pfctl visit list --team mover --json | diff /srv/safe/visits -
    pfctl publish list --team mover --plain | diff /srv/safe/addresses -
    find /var/lib/poolflow/photos -name "*.bin" -printf "%P\n" | sort | diff /srv/safe/photos -
    pfctl outbox list --team mover --sink slow --state held --plain | grep -q .
    # No notice of the team is delivered again; there may be new operator notices about this machine.
    pfctl outbox list --team mover --sink slow --state pending --plain >/tmp/pending
    refused [ -s /tmp/pending ]
    find /var/lib/poolflow -not -user poolflow | (refused grep .)
    pfctl visit undo "Steve Baird" --team mover
    pfctl backup restore latest --team mover --dry-run'
}

# Other commands that a person may try, and mistakes.
other_ways() {
  sh_inside '
    backup="$(ls -d /srv/safe/*Z | tail -n 1)"
    systemctl stop poolflowd.socket poolflowd
    useradd --no-create-home visitor 2>/dev/null || true
    as() { runuser -u "$1" -- env -u XDG_STATE_HOME HOME="$(getent passwd "$1" | cut -d: -f6)" "${@:2}"; }
    # By default the service user uses the state directory of the service, even if it does not exist yet.
    chmod -R a+rX /srv/safe
    as poolflow poolflowd --recover restore "$backup" >/tmp/words
    grep -qE "[0-9]+ teams? and [0-9]+ pools?" /tmp/words
    refused [ -e /var/lib/poolflow/.local ]
    systemctl start poolflowd.socket poolflowd
    pfctl team list | grep -q mover
    systemctl stop poolflowd.socket poolflowd
    # Another user is refused; the message names the right command.
    refused as visitor poolflowd --recover restore "$backup" 2>/tmp/words
    grep -q "sudo poolflowd --recover restore" /tmp/words
    refused as visitor pfctl store copy --to "host=/nowhere dbname=x" 2>/tmp/words
    grep -q "sudo -u poolflow pfctl store copy" /tmp/words
    # The service user finds the store, so the message is about the missing server.
    refused as poolflow pfctl store copy --to "host=/nowhere dbname=x" 2>/tmp/words
    (refused grep -qi "no store" /tmp/words)
    # For a folder of backups the message says so; no backup is chosen silently.
    refused poolflowd --recover restore /srv/safe 2>/tmp/words
    grep -qF "the newest is" /tmp/words || grep -qF "with one backup: name that" /tmp/words
    # A file that the service may not open is reported as such.
    chown root: /var/lib/poolflow/poolflow.db
    refused systemctl start poolflowd.service
    journalctl -q -u poolflowd -n 5 -o cat >/tmp/words
    grep -q "ermission denied" /tmp/words
    grep -q "chown poolflow: " /tmp/words
    (refused grep -q "is empty" /tmp/words)
    chown poolflow: /var/lib/poolflow/poolflow.db
    systemctl reset-failed poolflowd.service poolflowd.socket
    systemctl start poolflowd.socket poolflowd
    pfctl team list | grep -q mover
    # With a running daemon, too, a folder of a backup is recognised.
    refused pfctl backup restore "$backup" --dry-run 2>/tmp/words
    grep -q "sudo poolflowd --recover restore" /tmp/words
    pfctl backup restore "/var/lib/poolflow/backups/$(pfctl backup list --plain | head -n 1 | cut -f1)" --dry-run'
}

on_second check "a second machine boots" fresh_lab
on_second check "the page's commands restore everything on a new machine" second_machine
on_second check "other commands work, or the message names the right one" other_ways
on_second "$lab" down
