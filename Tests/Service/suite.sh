#!/usr/bin/env bash
# shellcheck disable=SC2317,SC2016 # `check` calls the functions; scripts for the lab expand there
# Tests the service under a real systemd: package, start, sandbox, reload, watchdog, restarts, instances, upgrade.
#
#   Tests/Service/suite.sh [--no-skips] [--upgrade]    builds the package if necessary and runs all checks in the lab
#
# The upgrade from the previous release is skipped if the schema, the units and the package's files have not changed since;
# --upgrade always runs it.
#
# The lab is a throw-away container with a real systemd: $SYSTEMD_LAB, or ../shared/tools/systemd-lab. Without a lab the suite
# says so and checks only exposure, syntax and the package's contents. It ends with "N passed, N failed, N skipped". With
# --no-skips it fails if a check was skipped because it `needs` a program; the reason of any other skip begins with `only`.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit

lab="${SYSTEMD_LAB:-../shared/tools/systemd-lab}"
export SYSTEMD_LAB_NAME="poolflow-$$"
# On a busy machine a lab takes minutes to boot.
export SYSTEMD_LAB_TIMEOUT="${SYSTEMD_LAB_TIMEOUT:-300}"
work="$PWD/.build/service"
rm -rf "$work"
mkdir -p "$work"
strict=
if_changed=--if-changed
for option; do
  case "$option" in
    --no-skips) strict=yes ;;
    --upgrade) if_changed= ;;
    *) echo "suite.sh: unknown option '$option'" >&2; exit 64 ;;
  esac
done
passed=0
failed=0
skipped=0
lacking=0

# skip REASON: reports a check that cannot run on this machine.
skip() {
  skipped=$((skipped + 1))
  case "$1" in only\ *) ;; *) lacking=$((lacking + 1)) ;; esac
  echo "skipped $1"
}

# finish: prints the last line and exits.
finish() {
  echo "$passed passed, $failed failed, $skipped skipped"
  if [ -n "$strict" ] && [ "$lacking" -gt 0 ]; then
    echo "with --no-skips every program must be installed: config/test-tools.sh installs all of them"
    exit 1
  fi
  exit $((failed > 0))
}

# check SENTENCE COMMAND…: runs the command; its output is shown only if it fails.
check() {
  local sentence="$1" code
  shift
  # Not as the condition of `if`, where `set -e` has no effect and only the last line's failure would count.
  set +e
  (set -e; "$@") >"$work/last" 2>&1
  code=$?
  set -e
  if [ "$code" -eq 0 ]; then
    passed=$((passed + 1))
    echo "ok      $sentence"
  else
    failed=$((failed + 1))
    echo "FAILED  $sentence"
    sed 's/^/        /' "$work/last" | tail -n 40
  fi
}

inside() { "$lab" exec "$@"; }
# refused COMMAND…: fails if the command succeeds. A bare `!` would not end the script.
refused='refused() { if "$@"; then echo "not refused: $*"; exit 1; fi; }'
sh_inside() { inside bash -euc "$refused
$1"; }

# eventually SECONDS SCRIPT: waits until the script succeeds inside, and fails after SECONDS.
eventually() {
  inside bash -uc "
    end=\$((SECONDS + $1))
    until ($2); do
      [ \$SECONDS -lt \$end ] || { echo 'not within $1 s: '\"\$0\"; exit 1; }
      read -rt 0.1 <> <(:) || true
    done" "$2"
}

# --- checks without a lab ---

exposure() { systemd-analyze security --offline=true --threshold=5 "units/$1" --no-pager; }
for unit in poolflowd.service poolflowd@.service; do
  check "the exposure of $unit is at most 0.5" exposure "$unit"
done
# poolflow-post needs the network, which adds to its exposure.
exposure_post() { systemd-analyze security --offline=true --threshold=14 units/poolflow-post.service --no-pager; }
check "the exposure of poolflow-post.service is at most 1.4" exposure_post

every_opening_is_explained() {
  # Each relaxed sandbox setting has a comment with the reason in the file.
  for word in PrivateUsers= RestrictAddressFamilies=AF_UNIX SystemCallFilter=@system-service UMask= ReadWritePaths= ExecPaths=; do
    grep -q "$word" units/poolflowd.service || { echo "no comment on $word"; return 1; }
  done
}
check "every relaxed sandbox setting has a comment" every_opening_is_explained

package="$(config/package.sh 2>"$work/package.log" | tail -n 1)" || { cat "$work/package.log"; exit 1; }
check "the package is at most 20 MB" test "$(stat -c %s "$package")" -le $((20 * 1000 * 1000))
mkdir -p "$work/unpacked"
dpkg-deb -x "$package" "$work/unpacked"
if command -v lintian >/dev/null; then
  check "lintian finds neither an error nor a warning in the package" lintian --allow-root --fail-on error,warning "$package"
else
  skip "needs lintian: config/packages.sh lintian"
fi

if ! [ -x "$lab" ] || [ "$(id -u)" -ne 0 ]; then
  skip "only as root with a lab at $lab: nothing was started under systemd"
  finish
fi

# --- the lab ---

# Starts a container without poolflow.
fresh_lab() {
  "$lab" up --bind "$PWD" || return 1
  # The image's policy for containers ("start no service") is removed: this suite tests services.
  inside rm -f /usr/sbin/policy-rc.d
}
# A machine that cannot start containers (no namespaces, no cgroups) cannot test the service.
trap '"$lab" down >/dev/null 2>&1 || true; SYSTEMD_LAB_NAME="$SYSTEMD_LAB_NAME-second" "$lab" down >/dev/null 2>&1 || true' EXIT
if ! fresh_lab >"$work/lab.log" 2>&1; then
  cat "$work/lab.log"
  # The lab began to boot, so it is slow or broken: that is a failure, not a skip.
  if grep -q 'not up after' "$work/lab.log"; then
    echo "the lab began to boot and was not ready in time"
    failed=$((failed + 1))
    finish
  fi
  skip "only where the lab boots: nothing was started under systemd"
  finish
fi

install_package() { inside env DEBIAN_FRONTEND=noninteractive dpkg -i "$1"; }
check "the package installs" install_package "$PWD/$package"
verify() { inside systemd-analyze verify --recursive-errors=yes poolflowd.service poolflowd.socket poolflowd@a.service poolflowd@a.socket poolflow.target poolflow-post.service; }
check "systemd-analyze verify accepts the units" verify
check "the service reaches READY" eventually 10 'systemctl is-active -q poolflowd.service'
check "pfctl is also called poolflowctl" sh_inside 'poolflowctl version && pfctl status'
check "the status line names the next job" sh_inside 'systemctl show -p StatusText poolflowd.service | grep -Eq "StatusText=.+"'

whole_chain() {
  sh_inside '
    pfctl team add desert-blue --zone America/Phoenix
    pfctl import /usr/share/doc/poolflow/examples/demo-backup.zip --team desert-blue
    mkdir -p /etc/poolflow/poolflow.conf.d
    printf "[Sink drop]\nType = file-drop\n[Sink journal]\nType = journal\n" >/etc/poolflow/poolflow.conf.d/sinks.conf
    systemctl reload poolflowd
    # The demo team does not work on weekends. Two notices are made: the scheduled one of the next minute, and that of a Monday now.
    pfctl team set desert-blue "morning-time=$(TZ=America/Phoenix date -d "+1 minute" +%H:%M)"
    pfctl run morning-summary --team desert-blue --at 2026-03-02'
  eventually 10 'compgen -G "/var/lib/poolflow/outbox/new/*.json" >/dev/null'
  sh_inside 'grep -l "Steve Baird" /var/lib/poolflow/outbox/new/*.json'
  eventually 10 'journalctl -q -u poolflowd POOLFLOW_TEAM=desert-blue -o json | grep -q POOLFLOW_JOB'
}
check "after install, import and reload a digest reaches the drop folder and the journal" whole_chain
slot_in_time() { eventually 90 'pfctl history --team desert-blue --json | grep -q "\"cause\" : \"schedule\"\|\"trigger\" : \"schedule\""'; }
check "the scheduled morning notice of the next minute runs" slot_in_time

journal_fields() {
  sh_inside 'journalctl -q -u poolflowd POOLFLOW_TEAM=desert-blue -o json-pretty | tee /tmp/entry | grep -q "\"MESSAGE_ID\""
    for field in POOLFLOW_TEAM POOLFLOW_JOB POOLFLOW_NOTICE; do grep -q "\"$field\"" /tmp/entry; done
    journalctl -q -x -u poolflowd POOLFLOW_TEAM=desert-blue -n 1 | grep -q "Defined-By: poolflow"'
}
check "journal entries carry the fields, and the catalog explains them" journal_fields

own_messages() {
  # The daemon's own messages have message ids, levels and advice.
  sh_inside '
    id() { grep -B 1 "^Subject: $1" /usr/lib/systemd/catalog/poolflow.catalog | sed -n "s/^-- //p"; }
    pfctl backup create >/dev/null
    journalctl -q -u poolflowd MESSAGE_ID="$(id "poolflowd is ready")" -o json | grep -q POOLFLOW_VERSION
    journalctl -q -u poolflowd MESSAGE_ID="$(id "New settings")" -o json | grep -q POOLFLOW_CALLER_UID
    journalctl -q -u poolflowd MESSAGE_ID="$(id "A backup was made")" -o json | grep -q POOLFLOW_BACKUP
    [ "$(journalctl -q -u poolflowd -p info -o cat | wc -l)" -gt "$(journalctl -q -u poolflowd -p notice -o cat | wc -l)" ]
    journalctl -q -x -u poolflowd MESSAGE_ID="$(id "poolflowd is ready")" -n 1 | grep -q "pfctl status"'
}
check "the daemon's own messages have ids, fields, levels and advice" own_messages

journal_in_trouble() {
  # A stopped journald delays neither pfctl nor the drop folder. A killed one is restarted, and all messages before and after are
  # there.
  sh_inside '
    journal=$(systemctl show -p MainPID --value systemd-journald)
    before=$(ls /var/lib/poolflow/outbox/new | wc -l)
    kill -STOP "$journal"
    timeout 10 pfctl run morning-summary --team desert-blue --at 2026-03-03
    timeout 10 pfctl status >/dev/null
    end=$((SECONDS + 10))
    until [ "$(ls /var/lib/poolflow/outbox/new | wc -l)" -gt "$before" ]; do [ $SECONDS -lt $end ]; read -rt 0.1 <> <(:) || true; done
    kill -KILL "$journal"'
  eventually 15 'systemctl is-active -q systemd-journald'
  sh_inside 'pfctl run morning-summary --team desert-blue --at 2026-03-04'
  eventually 30 '[ "$(journalctl -q -u poolflowd POOLFLOW_TEAM=desert-blue POOLFLOW_JOB=morning-summary -o json | grep -o "\"POOLFLOW_ID\":\"[^\"]*\"\|\"POOLFLOW_NOTICE\":\"[^\"]*\"" | sort -u | wc -l)" -ge 3 ]'
}
check "a stopped or killed journald delays nothing and loses no message" journal_in_trouble

refused_reload() {
  sh_inside '
    printf "[Sink drop]\nTyp = nonsense\n" >/etc/poolflow/poolflow.conf.d/wrong.conf
    refused systemctl reload poolflowd
    rm /etc/poolflow/poolflow.conf.d/wrong.conf
    systemctl is-active -q poolflowd
    systemctl reload poolflowd
    pfctl status'
}
check "systemctl reload refuses mistakes and keeps the effective settings" refused_reload

sandbox() {
  sh_inside '
    pid=$(systemctl show -p MainPID --value poolflowd)
    wanted="ProtectSystem|ProtectHome|PrivateTmp|PrivateDevices|PrivateNetwork|RestrictAddressFamilies|NoNewPrivileges"
    wanted="$wanted|NoExecPaths|ExecPaths|MemoryDenyWriteExecute|SystemCallFilter|SystemCallErrorNumber|RestrictNamespaces|User|Group|ProtectProc|ProcSubset"
    properties=()
    while read -r line; do properties+=(-p "$line"); done < <(systemctl cat poolflowd.service | grep -E "^($wanted)=")
    run() { systemd-run -q --wait --pipe --collect "${properties[@]}" -p StateDirectory=poolflow -p StateDirectoryMode=0700 "$@"; }
    refused run /usr/bin/touch /usr/share/poolflow-was-here
    refused run /usr/bin/touch /etc/poolflow/was-here
    refused run /usr/bin/python3 -c "import socket; socket.socket(socket.AF_INET, socket.SOCK_STREAM)"
    refused run /usr/bin/python3 -c "import os; os.setuid(0)"
    run /usr/bin/cp /usr/bin/true /var/lib/poolflow/was-here
    refused run /var/lib/poolflow/was-here
    rm /var/lib/poolflow/was-here
    grep -q "^Seccomp:.*2" /proc/$pid/status
    grep -q "^NoNewPrivs:.*1" /proc/$pid/status
    grep -q "^CapEff:.*0000000000000000" /proc/$pid/status'
}
check "the sandbox refuses writing elsewhere, network, other users, capabilities and own programs" sandbox
everything_works() {
  sh_inside '
    code=0
    pfctl doctor --all || code=$?
    [ "$code" -le 1 ]
    pfctl bugreport --output /tmp/report.zip
    # Only messages of the daemon itself: systemd also logs the refused reload.
    journalctl -q -u poolflowd _COMM=poolflowd -p err --no-pager | tee /tmp/errors
    refused [ -s /tmp/errors ]'
}
check "delivery, import and doctor work in the sandbox without an error in the log" everything_works

held_through_restart() {
  sh_inside '
    systemctl restart --no-block poolflowd
    for round in $(seq 20); do timeout 20 pfctl status >/dev/null; done
    systemctl is-active -q poolflowd.socket'
}
check "pfctl waits in the socket during a restart" held_through_restart
activation() {
  sh_inside '
    systemctl stop poolflowd.service
    timeout 20 pfctl team list | grep -q desert-blue
    systemctl is-active -q poolflowd.service'
}
check "the socket starts a stopped service" activation

restore_in_place() {
  # A restore re-executes the program in the same process. The socket unit passes its socket only once, so a second restore shows
  # that the re-executed program still has the socket to pass on.
  sh_inside '
    id=$(pfctl backup create --json | sed -n "s/.*\"id\" : \"\([0-9TZ-]*\)\".*/\1/p" | head -n 1)
    [ -n "$id" ]
    pid=$(systemctl show -p MainPID --value poolflowd)
    socket=$(stat -c %i /run/poolflow/control.sock)
    for name in once twice; do
      pfctl team add "$name" --zone UTC
      pfctl backup restore "$id" --confirm "$id"
      # Called at once: a caller waits in the socket while the store is replaced.
      pfctl team list >/tmp/teams
      grep -q desert-blue /tmp/teams
      refused grep -q "$name" /tmp/teams
      systemctl is-active -q poolflowd.service poolflowd.socket
      [ "$(systemctl show -p MainPID --value poolflowd)" = "$pid" ]
      [ "$(stat -c %i /run/poolflow/control.sock)" = "$socket" ]
    done
    # systemd regards the service as running, not as reloading or stopping, and can still stop it.
    timeout 10 bash -c "until systemctl show -p SubState --value poolflowd | grep -qx running; do :; done"
    systemctl restart poolflowd
    pfctl team list | grep -q desert-blue'
}
check "a restore keeps process and socket and answers every caller" restore_in_place
credentials() {
  sh_inside '
    useradd --system --groups poolflow pooltech 2>/dev/null || true
    runuser -u pooltech -- pfctl team set desert-blue language=es
    pfctl audit --limit 5 | grep -q pooltech
    useradd --system outsider 2>/dev/null || true
    refused runuser -u outsider -- pfctl team list'
}
check "a group member's change is in the audit log under their name; another user is refused" credentials

inbox() {
  # As 50-inbox.conf says: a folder elsewhere, opened for the service, and a user who may only drop files.
  sh_inside '
    groupadd -f droppers
    useradd --system --groups droppers dropper 2>/dev/null || true
    install -d -o poolflow -g droppers -m 2770 /srv/poolflow/inbox /srv/poolflow/inbox/desert-blue
    mkdir -p /etc/systemd/system/poolflowd.service.d
    cp /usr/share/doc/poolflow/examples/50-inbox.conf /etc/systemd/system/poolflowd.service.d/
    printf "[Daemon]\nInbox = /srv/poolflow/inbox\n" >/etc/poolflow/poolflow.conf.d/inbox.conf
    runuser -u dropper -- bash -euc "umask 027; cd /srv/poolflow/inbox/desert-blue
      printf \"customer_name,address,service_day\nDropped Customer,1 Inbox St,mon\n\" >.customers
      mv .customers customers.csv"
    systemctl daemon-reload
    systemctl restart poolflowd'
  eventually 300 'compgen -G "/srv/poolflow/inbox/desert-blue/customers.csv.*.result" >/dev/null'
  sh_inside '
    cd /srv/poolflow/inbox/desert-blue
    runuser -u dropper -- grep -q imported customers.csv.*.result
    [ "$(ls customers.csv.*.done | wc -l)" -eq 1 ]
    refused [ -e customers.csv ]
    pfctl export pools --team desert-blue | grep -q "Dropped Customer"
    rm -r /etc/systemd/system/poolflowd.service.d /etc/poolflow/poolflow.conf.d/inbox.conf
    systemctl daemon-reload
    systemctl restart poolflowd'
}
check "a customer list dropped into the inbox is imported, with a .result file" inbox

. Tests/Service/examples.sh
. Tests/Service/reach.sh
. Tests/Service/forecast.sh

watchdog() {
  sh_inside '
    mkdir -p /run/systemd/system/poolflowd.service.d
    printf "[Service]\nWatchdogSec=4s\n" >/run/systemd/system/poolflowd.service.d/watch.conf
    systemctl daemon-reload
    systemctl restart poolflowd
    before=$(systemctl show -p NRestarts --value poolflowd)
    kill -STOP "$(systemctl show -p MainPID --value poolflowd)"
    echo "$before" >/tmp/before'
  eventually 30 '[ "$(systemctl show -p NRestarts --value poolflowd)" -gt "$(cat /tmp/before)" ] && systemctl is-active -q poolflowd'
  sh_inside 'pfctl team list | grep -q desert-blue; journalctl -q -u poolflowd | grep -qi watchdog'
}
check "the watchdog restarts a daemon that hangs, with its data" watchdog
pings() {
  # Ten seconds are two and a half watchdog periods: without pings it would have been killed twice.
  sh_inside 'before=$(systemctl show -p NRestarts --value poolflowd); read -rt 10 <> <(:) || true
    [ "$(systemctl show -p NRestarts --value poolflowd)" = "$before" ]
    rm -r /run/systemd/system/poolflowd.service.d; systemctl daemon-reload; systemctl restart poolflowd'
}
check "the watchdog does not restart a working daemon" pings

crash_names_functions() {
  # The kernel's core_pattern is the machine's setting; this check works only if a core is written to a file.
  case "$(cat /proc/sys/kernel/core_pattern)" in
    core*) ;;
    *) echo "kernel.core_pattern is not 'core', so no core file can be read here"; return 1 ;;
  esac
  dpkg-deb -x ".build/poolflow-dbgsym_$(basename "$package" | cut -d_ -f2-)" "$work/symbols"
  sh_inside '
    mkdir -p /run/systemd/system/poolflowd.service.d
    printf "[Service]\nLimitCORE=infinity\nWorkingDirectory=/var/lib/poolflow\n" >/run/systemd/system/poolflowd.service.d/core.conf
    systemctl daemon-reload
    systemctl restart poolflowd
    kill -SEGV "$(systemctl show -p MainPID --value poolflowd)"'
  eventually 20 'ls /var/lib/poolflow/core* && systemctl is-active -q poolflowd'
  sh_inside 'cat /var/lib/poolflow/core*' >"$work/core"
  sh_inside 'rm -r /var/lib/poolflow/core* /run/systemd/system/poolflowd.service.d; systemctl daemon-reload; systemctl restart poolflowd'
  gdb -nx -batch -iex "set debug-file-directory $work/symbols/usr/lib/debug" -ex 'thread apply all backtrace' \
    "$work/unpacked/usr/bin/poolflowd" "$work/core" >"$work/backtrace" 2>&1
  grep -E 'Flow(Daemon|ControlServer)' "$work/backtrace" || { cat "$work/backtrace"; return 1; }
}
check "gdb and the debug symbols name the functions in a crashed daemon's core" crash_names_functions

# starts: the number of starts of poolflowd since the cursor in /tmp/cursor, from systemd's own log.
starts='starts() { journalctl -q -u poolflowd.service --after-cursor "$(cat /tmp/cursor)" -o cat \
  MESSAGE_ID=7d4958e842da4a758f6c1cdc7b36dcc5 | wc -l; }'

bad_settings_start_once() {
  # A restart with bad settings and one call: the caller is disconnected, so that no waiting caller starts the service again.
  sh_inside "$starts"'
    journalctl -q -n 0 --show-cursor | sed -n "s/^-- cursor: //p" >/tmp/cursor
    trap "rm -f /etc/poolflow/poolflow.conf.d/bad.conf" EXIT
    printf "[Daemon]\nNonsense = 1\n" >/etc/poolflow/poolflow.conf.d/bad.conf
    refused systemctl restart poolflowd.service
    refused timeout 20 pfctl team list 2>/tmp/said
    grep -q "configuration\|status 78\|settings" /tmp/said || { cat /tmp/said; exit 1; }
    # Repeated starts would take three seconds: read the journal after that.
    read -rt 5 <> <(:) || true
    [ "$(starts)" -le 2 ] || { echo "$(starts) starts"; exit 1; }
    systemctl is-active -q poolflowd.socket
    rm /etc/poolflow/poolflow.conf.d/bad.conf
    timeout 60 pfctl team list | grep -q desert-blue'
}
check "a restart with bad settings and one pfctl cause two starts, and the socket stays active" bad_settings_start_once

crash_at_start() {
  sh_inside "$starts"'
    journalctl -q -n 0 --show-cursor | sed -n "s/^-- cursor: //p" >/tmp/cursor
    mkdir -p /run/systemd/system/poolflowd.service.d
    printf "[Service]\nExecStart=\nExecStart=/bin/false\n" >/run/systemd/system/poolflowd.service.d/crash.conf
    systemctl daemon-reload
    refused systemctl restart poolflowd.service
    refused timeout 20 pfctl team list
    read -rt 5 <> <(:) || true
    [ "$(starts)" -le 9 ] || { echo "$(starts) starts"; exit 1; }
    rm -r /run/systemd/system/poolflowd.service.d
    systemctl daemon-reload
    systemctl restart poolflowd.service
    timeout 60 pfctl team list | grep -q desert-blue
    systemctl is-active -q poolflowd.socket'
}
check "a program that crashes at its start is started at most nine times and recovers" crash_at_start

instances() {
  sh_inside '
    for name in north south; do
      mkdir -p /etc/poolflow/$name
      systemctl start poolflowd@$name.socket poolflowd@$name.service
      pfctl --instance $name team add $name --zone Europe/Berlin
    done
    pfctl --instance north team list | grep -q north
    pfctl --instance north team list >/tmp/north
    refused grep -q south /tmp/north
    systemctl is-active -q poolflowd@north poolflowd@south poolflowd
    # Settings, store and socket are where poolflowd(8) says, and each instance has its own.
    printf "[Sink mine]\nType = journal\n" >/etc/poolflow/north/poolflow.conf
    systemctl reload poolflowd@north
    pfctl --instance north config show --origin | grep -q /etc/poolflow/north/poolflow.conf
    pfctl --instance north sink list | grep -q ^mine
    pfctl --instance south sink list >/tmp/south
    refused grep -q ^mine /tmp/south
    for name in north south; do
      [ -e /var/lib/poolflow-$name/poolflow.db ]
      [ -S /run/poolflow-$name/control.sock ]
    done
    rm /etc/poolflow/north/poolflow.conf
    systemctl reload poolflowd@north
    systemctl stop poolflowd@north.socket poolflowd@south.socket poolflowd@north poolflowd@south'
}
check "two instances run side by side" instances

# full_disk UNIT STATE: moves the state folder to a small file system and fills it before a restart.
full_disk() {
  sh_inside "
    unit=$1 state=$2"'
    instance="${unit#poolflowd}"; instance="${instance#@}"
    pf() { timeout 20 pfctl ${instance:+--instance "$instance"} "$@"; }
    systemctl stop "$unit.socket" "$unit.service"
    cp -a "$state" /tmp/state-aside
    mount -t tmpfs -o size=16m,mode=700 tmpfs "$state"
    # Files of earlier checks are left out: this check is about the store, and the rest may not fit.
    tar -C /tmp/state-aside --exclude=./backups --exclude=./outbox --exclude="./*.kept-*" -cf - . | tar -C "$state" -xpf -
    du -sk /tmp/state-aside/* | sort -n | tail -n 5
    chown poolflow:poolflow "$state"
    systemctl start "$unit.socket" "$unit.service"
    dd if=/dev/zero of="$state/filler" bs=4k 2>/dev/null || true
    # It starts and serves every time; a start limit of five a minute would stop it.
    for round in 1 2 3 4 5 6 7; do
      systemctl restart "$unit.service"
      dd if=/dev/zero of="$state/filler" bs=4k oflag=append conv=notrunc 2>/dev/null || true
      pf team list
    done
    code=0
    pf status --check >/tmp/check || code=$?
    [ "$code" -ge 1 ]
    grep -q disk /tmp/check
    # If there is not even space to read, the start is repeated, and a caller that waits in the socket ends neither unit.
    systemctl stop "$unit.service"
    rm -f "$state"/poolflow.db-wal "$state"/poolflow.db-shm "$state/reserve"
    dd if=/dev/zero of="$state/filler" bs=4k oflag=append conv=notrunc 2>/dev/null || true
    refused systemctl start "$unit.service"
    timeout 5 pfctl ${instance:+--instance "$instance"} team list || true
    before=$(systemctl show -p NRestarts --value "$unit.service")
    end=$((SECONDS + 60))
    until [ "$(systemctl show -p NRestarts --value "$unit.service")" -gt $((before + 4)) ]; do
      [ $SECONDS -lt $end ]
      read -rt 0.2 <> <(:) || true
    done
    systemctl is-active -q "$unit.socket"
    rm "$state/filler"'
  eventually 60 "systemctl is-active -q $1.service && systemctl is-active -q $1.socket"
  sh_inside "unit=$1 state=$2"'
    instance="${unit#poolflowd}"; instance="${instance#@}"
    timeout 20 pfctl ${instance:+--instance "$instance"} team list
    systemctl stop "$unit.socket" "$unit.service"
    umount "$state"
    systemctl start "$unit.socket" "$unit.service"
    rm -rf /tmp/state-aside'
}
check "with a full disk the service still answers, waits for space and recovers" full_disk poolflowd /var/lib/poolflow
check "with a full disk an instance still answers, waits for space and recovers" full_disk poolflowd@north /var/lib/poolflow-north

stays_down() {
  # A failure that waiting does not correct is not retried, and a waiting caller causes only a limited number of starts.
  sh_inside '
    printf "[Sink drop]\nTyp = nonsense\n" >/etc/poolflow/poolflow.conf.d/wrong.conf
    refused systemctl restart poolflowd.service
    timeout 5 pfctl team list || true
    read -rt 8 <> <(:) || true
    systemctl is-failed -q poolflowd.service
    [ "$(systemctl show -p ExecMainStatus --value poolflowd.service)" = 78 ]
    # The answer names the reason and the correction, and does not mistake a pfctl that runs as root for the daemon.
    timeout 20 pfctl status 2>&1 | grep -q "its settings have mistakes: .pfctl config check., correct them"
    pfctl doctor >/tmp/doctor || true
    grep -q "unit: poolflowd.service failed: its settings have mistakes" /tmp/doctor
    refused grep -q "belongs to" /tmp/doctor
    starts=$(journalctl -q -u poolflowd.service -o cat --since -1min | grep -c "Failed with result" || true)
    [ "$starts" -le 25 ]
    rm /etc/poolflow/poolflow.conf.d/wrong.conf
    # A manual start starts both units again.
    systemctl start poolflowd.service
    systemctl is-active -q poolflowd.service poolflowd.socket
    timeout 20 pfctl team list'
}
check "with wrong settings the service stays down until a manual start" stays_down

stop_with_backlog() {
  sh_inside '
    systemctl stop poolflowd.socket poolflowd.service
    runuser -u poolflow -- python3 - <<END
import sqlite3
store = sqlite3.connect("/var/lib/poolflow/poolflow.db")
def copies(table, change):
    columns = [row[1] for row in store.execute(f"PRAGMA table_info({table})") if row[1] != "sequence"]
    names, marks = ", ".join(columns), ", ".join("?" for _ in columns)
    row = dict(zip(columns, store.execute(f"SELECT {names} FROM {table} LIMIT 1").fetchone()))
    for number in range(10000):
        copy = change(dict(row), number)
        store.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", [copy[name] for name in columns])
copies("notices", lambda row, number: row | {"notice_id": f"backlog-{number}"})
for sink in "drop", "journal":
    copies("outbox", lambda row, number: row | {"notice_id": f"backlog-{number}", "state": "pending", "attempts": 0,
                                                "next_try_ms": 0, "sink": sink})
store.commit()
END
    # Start the socket first: systemd refuses it while the service runs without it.
    systemctl start poolflowd.socket
    systemctl start poolflowd.service || { journalctl -q -u poolflowd -n 15 --no-pager; exit 1; }
    begin=$(date +%s%N); systemctl stop poolflowd.socket poolflowd.service || { journalctl -q -u poolflowd -n 15 --no-pager; exit 1; }; end=$(date +%s%N)
    # Start the service again before the check can fail, because the later checks need it.
    systemctl start poolflowd.socket
    systemctl start poolflowd.service
    took=$(((end - begin) / 1000000))
    echo "stopping took $took ms"
    [ "$took" -le 5000 ]'
}
check "it stops within five seconds with 10,000 outbox entries" stop_with_backlog

# journald drops messages silently beyond its rate limit; the unit allows 10,000 in 30 s.
whole_backlog() {
  eventually 90 '[ "$(journalctl -q -u poolflowd -o cat --output-fields=POOLFLOW_NOTICE | grep -c ^backlog-)" -ge 10000 ]'
  sh_inside 'journalctl -q -u poolflowd -o cat --output-fields=POOLFLOW_NOTICE | grep ^backlog- | sort -u >/tmp/told
    [ "$(wc -l </tmp/told)" -eq 10000 ]
    journalctl -q -u systemd-journald --no-pager >/tmp/journald
    refused grep -i suppressed /tmp/journald'
}
check "the journal loses none of 10,000 notices at once" whole_backlog

upgrade() {
  local version
  version="$(dpkg-deb -f "$package" Version)"
  config/package.sh --version "$version+next" >"$work/next" 2>"$work/package-next.log" || { cat "$work/package-next.log"; return 1; }
  local before
  before="$(inside systemctl show -p MainPID --value poolflowd)"
  install_package "$PWD/$(tail -n 1 "$work/next")" || return 1
  sh_inside "[ \"\$(systemctl show -p MainPID --value poolflowd)\" != '$before' ]
    systemctl is-active -q poolflowd; pfctl team list | grep -q desert-blue"
  # With a mistake in the settings the old process keeps running.
  before="$(inside systemctl show -p MainPID --value poolflowd)"
  sh_inside 'printf "[Sink drop]\nTyp = x\n" >/etc/poolflow/poolflow.conf.d/wrong.conf'
  install_package "$PWD/$package" || return 1
  sh_inside "[ \"\$(systemctl show -p MainPID --value poolflowd)\" = '$before' ]; rm /etc/poolflow/poolflow.conf.d/wrong.conf"
}
check "an upgrade restarts the daemon, or keeps the old process if the settings are bad" upgrade

upgrade_past_a_team() {
  # A backup without one team's archive exits with 1, but its snapshot exists.
  sh_inside '
    pfctl team add torn --zone America/Phoenix
    pfctl team plan torn paid
    pfctl import /usr/share/doc/poolflow/examples/demo-backup.zip --team torn
    systemctl stop poolflowd.socket poolflowd.service
    runuser -u poolflow -- python3 - <<END
import sqlite3
store = sqlite3.connect("/var/lib/poolflow/poolflow.db")
store.execute("UPDATE pools SET updated_ms = 9223372036854775807 WHERE team_id = (SELECT team_id FROM teams WHERE name = ?)", ["torn"])
store.commit()
END
    systemctl start poolflowd.socket
    systemctl start poolflowd.service
    code=0
    pfctl backup create || code=$?
    [ "$code" -eq 1 ]'
  local before
  before="$(inside systemctl show -p MainPID --value poolflowd)"
  install_package "$PWD/$package"
  sh_inside "[ \"\$(systemctl show -p MainPID --value poolflowd)\" != '$before' ]
    systemctl is-active -q poolflowd"
}
check "an upgrade continues if one team's archive cannot be written" upgrade_past_a_team

removal() {
  sh_inside '
    dpkg -r poolflow
    refused systemctl is-active -q poolflowd
    [ -e /var/lib/poolflow/poolflow.db ]
    [ -e /etc/poolflow/poolflow.conf ]
    dpkg -r poolflow || true
    dpkg -P poolflow
    refused [ -e /etc/poolflow/poolflow.conf ]
    [ -e /var/lib/poolflow/poolflow.db ]'
  install_package "$PWD/$package" && eventually 10 'pfctl team list | grep -q desert-blue'
}
check "remove and purge keep the teams' data, and a new installation finds it" removal

# Runs the commands of operating.md in their order, on a machine without poolflow.
page=Sources/Documentation/operating.md
operating_page() {
  awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside' "$page" >"$work/operating.sh"
  [ "$(wc -l <"$work/operating.sh")" -gt 25 ]
  # The package is already built; sudo asks for no password and apt asks no question.
  sh_inside "dpkg -P poolflow; rm -rf /var/lib/poolflow* /etc/poolflow /etc/systemd/system/poolflow* /srv/poolflow; systemctl daemon-reload
    cd '$PWD'"'
    mkdir -p /tmp/bin/config
    printf "#!/bin/sh\nexec \"\$@\"\n" >/tmp/bin/sudo
    printf "#!/bin/sh\nexport DEBIAN_FRONTEND=noninteractive\nexec apt-get -y -q -o APT::Install-Recommends=false \"\$@\"\n" >/tmp/bin/apt
    printf "#!/bin/sh\necho \"'"$package"'\"\n" >/tmp/bin/config/package.sh
    chmod +x /tmp/bin/* /tmp/bin/config/package.sh
    sed "s#(config/package.sh)#(/tmp/bin/config/package.sh)#" '"$work/operating.sh"' >/tmp/operating.sh
    PATH="/tmp/bin:$PATH" bash -euxo pipefail /tmp/operating.sh
    refused pfctl version 2>/dev/null
    for place in /var/lib/poolflow* /etc/poolflow /run/poolflow*; do refused [ -e "$place" ]; done'
}
check "every command of operating.md works, from installation to removal" operating_page

. Tests/Service/other-machine.sh

# The previous release takes as long to build as this one, so it comes last: another process may be building it meanwhile.
if last_release="$(Tests/Service/last-release.sh $if_changed 2>"$work/last-release.log" | tail -n 1)" && [ -z "$last_release" ]; then
  skip "only where the schema, the units or the package's files have changed since the last release"
elif [ -n "$last_release" ]; then
  "$lab" down
  check "another lab boots" fresh_lab
  . Tests/Service/upgrade.sh
elif git rev-parse --quiet --verify HEAD >/dev/null 2>&1 && [ "$(git rev-parse --is-shallow-repository)" = false ]; then
  no_last_release() { cat "$work/last-release.log"; return 1; }
  check "the package of the last release is built" no_last_release
else
  skip "only with the git history, to build the previous release: $(tail -n 1 "$work/last-release.log")"
fi
finish
