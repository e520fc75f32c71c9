#!/usr/bin/env bash
# shellcheck disable=SC2317,SC2016 # `check` calls the functions; scripts for the lab expand there
# The service under a real systemd: package, start, confinement, reload, watchdog, restarts, instances, upgrade.
#
#   Tests/Service/suite.sh [--no-skips] [--upgrade]    builds the package where it is not there yet and runs everything in the lab
#
# The upgrade from the last release is skipped where the schema, the units and the package's files have not changed since; with
# --upgrade it always runs.
#
# The lab is a throw-away container with a real systemd: $SYSTEMD_LAB, else ../shared/tools/systemd-lab. Without one it
# says so and checks only what needs none (exposure, syntax, the package's own contents). Ends with
# "N passed, N failed, N skipped". With --no-skips it fails where a check was skipped that `needs` a program: the reason of any
# other skip begins with `only`.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit

lab="${SYSTEMD_LAB:-../shared/tools/systemd-lab}"
export SYSTEMD_LAB_NAME="poolflow-$$"
# A busy machine takes minutes to boot one.
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

# skip REASON: says what is not checked on this machine.
skip() {
  skipped=$((skipped + 1))
  case "$1" in only\ *) ;; *) lacking=$((lacking + 1)) ;; esac
  echo "skipped $1"
}

# finish: the closing line and the end.
finish() {
  echo "$passed passed, $failed failed, $skipped skipped"
  if [ -n "$strict" ] && [ "$lacking" -gt 0 ]; then
    echo "no check may be skipped here for lack of a program: config/test-tools.sh installs all of them"
    exit 1
  fi
  exit $((failed > 0))
}

# check SENTENCE COMMAND…: runs it; what it prints is shown only where it fails.
check() {
  local sentence="$1" code
  shift
  # Not asked by `if`, which would let every line but the last fail unseen.
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
# refused COMMAND…: a bare `!` would end nothing where the command succeeds.
refused='refused() { if "$@"; then echo "not refused: $*"; exit 1; fi; }'
sh_inside() { inside bash -euc "$refused
$1"; }

# eventually SECONDS SCRIPT: the script succeeds inside within that time.
eventually() {
  inside bash -uc "
    end=\$((SECONDS + $1))
    until ($2); do
      [ \$SECONDS -lt \$end ] || { echo 'not within $1 s: '\"\$0\"; exit 1; }
      read -rt 0.1 <> <(:) || true
    done" "$2"
}

# --- what needs no lab ---

exposure() { systemd-analyze security --offline=true --threshold=5 "units/$1" --no-pager; }
for unit in poolflowd.service poolflowd@.service; do
  check "$unit is exposed by 0.5 at most" exposure "$unit"
done
# The network is what it is for, and costs what the others do not have open.
exposure_post() { systemd-analyze security --offline=true --threshold=14 units/poolflow-post.service --no-pager; }
check "poolflow-post.service is exposed by 1.4 at most" exposure_post

every_opening_is_explained() {
  # What the sandbox leaves open has its reason in the file.
  for word in PrivateUsers= RestrictAddressFamilies=AF_UNIX SystemCallFilter=@system-service UMask= ReadWritePaths= ExecPaths=; do
    grep -q "$word" units/poolflowd.service || { echo "no word about $word"; return 1; }
  done
}
check "every opening in the sandbox has a comment" every_opening_is_explained

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

# A container of its own with nothing of poolflow in it.
fresh_lab() {
  "$lab" up --bind "$PWD" || return 1
  # The machine's own rule for containers ("start nothing") shows through; inside, services are what is tested.
  inside rm -f /usr/sbin/policy-rc.d
}
# A machine that may start no container (no namespaces, no cgroups) is none to test a service on.
trap '"$lab" down >/dev/null 2>&1 || true; SYSTEMD_LAB_NAME="$SYSTEMD_LAB_NAME-second" "$lab" down >/dev/null 2>&1 || true' EXIT
if ! fresh_lab >"$work/lab.log" 2>&1; then
  cat "$work/lab.log"
  # One that began to boot was slow or is broken, and nothing was tested.
  if grep -q 'not up after' "$work/lab.log"; then
    echo "the lab began to boot and was not up in time"
    failed=$((failed + 1))
    finish
  fi
  skip "only where the lab boots: nothing was started under systemd"
  finish
fi

install_package() { inside env DEBIAN_FRONTEND=noninteractive dpkg -i "$1"; }
check "the package installs" install_package "$PWD/$package"
verify() { inside systemd-analyze verify --recursive-errors=yes poolflowd.service poolflowd.socket poolflowd@a.service poolflowd@a.socket poolflow.target poolflow-post.service; }
check "systemd-analyze verify has nothing to say about the units" verify
check "the service reaches READY" eventually 10 'systemctl is-active -q poolflowd.service'
check "pfctl is also called poolflowctl" sh_inside 'poolflowctl version && pfctl status'
check "the status line names what comes next" sh_inside 'systemctl show -p StatusText poolflowd.service | grep -Eq "StatusText=.+"'

whole_chain() {
  sh_inside '
    pfctl team add desert-blue --zone America/Phoenix
    pfctl import /usr/share/doc/poolflow/examples/demo-backup.zip --team desert-blue
    mkdir -p /etc/poolflow/poolflow.conf.d
    printf "[Sink drop]\nType = file-drop\n[Sink journal]\nType = journal\n" >/etc/poolflow/poolflow.conf.d/sinks.conf
    systemctl reload poolflowd
    # The demo team rests on weekends, so the minute ahead is one of its Monday: told now as of that day.
    pfctl team set desert-blue "morning-time=$(TZ=America/Phoenix date -d "+1 minute" +%H:%M)"
    pfctl run morning-summary --team desert-blue --at 2026-03-02'
  eventually 10 'compgen -G "/var/lib/poolflow/outbox/new/*.json" >/dev/null'
  sh_inside 'grep -l "Steve Baird" /var/lib/poolflow/outbox/new/*.json'
  eventually 10 'journalctl -q -u poolflowd POOLFLOW_TEAM=desert-blue -o json | grep -q POOLFLOW_JOB'
}
check "the whole chain: install, import, reload, digest in the drop folder and the journal" whole_chain
slot_in_time() { eventually 90 'pfctl history --team desert-blue --json | grep -q "\"cause\" : \"schedule\"\|\"trigger\" : \"schedule\""'; }
check "the morning a minute ahead runs by itself" slot_in_time

journal_fields() {
  sh_inside 'journalctl -q -u poolflowd POOLFLOW_TEAM=desert-blue -o json-pretty | tee /tmp/entry | grep -q "\"MESSAGE_ID\""
    for field in POOLFLOW_TEAM POOLFLOW_JOB POOLFLOW_NOTICE; do grep -q "\"$field\"" /tmp/entry; done
    journalctl -q -x -u poolflowd POOLFLOW_TEAM=desert-blue -n 1 | grep -q "Defined-By: poolflow"'
}
check "journal entries carry the fields, and the catalog explains them" journal_fields

own_messages() {
  # What the daemon says of itself can be searched for, has its level, and says what to do.
  sh_inside '
    id() { grep -B 1 "^Subject: $1" /usr/lib/systemd/catalog/poolflow.catalog | sed -n "s/^-- //p"; }
    pfctl backup create >/dev/null
    journalctl -q -u poolflowd MESSAGE_ID="$(id "poolflowd is ready")" -o json | grep -q POOLFLOW_VERSION
    journalctl -q -u poolflowd MESSAGE_ID="$(id "New settings")" -o json | grep -q POOLFLOW_CALLER_UID
    journalctl -q -u poolflowd MESSAGE_ID="$(id "A backup was made")" -o json | grep -q POOLFLOW_BACKUP
    [ "$(journalctl -q -u poolflowd -p info -o cat | wc -l)" -gt "$(journalctl -q -u poolflowd -p notice -o cat | wc -l)" ]
    journalctl -q -x -u poolflowd MESSAGE_ID="$(id "poolflowd is ready")" -n 1 | grep -q "pfctl status"'
}
check "the daemon's own messages have their identities, fields, levels and words of help" own_messages

journal_in_trouble() {
  # A stopped journal holds nobody up: pfctl answers and the drop folder has its file. A killed one comes back, and what
  # was handed to it before and after is there.
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
check "a journal that is stopped or killed holds nobody up and loses nothing" journal_in_trouble

refused_reload() {
  sh_inside '
    printf "[Sink drop]\nTyp = nonsense\n" >/etc/poolflow/poolflow.conf.d/wrong.conf
    refused systemctl reload poolflowd
    rm /etc/poolflow/poolflow.conf.d/wrong.conf
    systemctl is-active -q poolflowd
    systemctl reload poolflowd
    pfctl status'
}
check "systemctl reload refuses mistakes and keeps what was in force" refused_reload

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
check "the sandbox holds: no writing outside, no network, no other user, no capability, no program of its own" sandbox
everything_works() {
  sh_inside '
    code=0
    pfctl doctor --all || code=$?
    [ "$code" -le 1 ]
    pfctl bugreport --output /tmp/report.zip
    # Its own words only: systemd tells of the refused reload, too.
    journalctl -q -u poolflowd _COMM=poolflowd -p err --no-pager | tee /tmp/errors
    refused [ -s /tmp/errors ]'
}
check "delivery, import and doctor work under the filter, and the log has no error" everything_works

held_through_restart() {
  sh_inside '
    systemctl restart --no-block poolflowd
    for round in $(seq 20); do timeout 20 pfctl status >/dev/null; done
    systemctl is-active -q poolflowd.socket'
}
check "the socket holds a pfctl through a restart" held_through_restart
activation() {
  sh_inside '
    systemctl stop poolflowd.service
    timeout 20 pfctl team list | grep -q desert-blue
    systemctl is-active -q poolflowd.service'
}
check "the socket starts a stopped service" activation

restore_in_place() {
  # A restore begins the program anew in the same process. The socket unit hands its socket over once only, so the second
  # restore shows that the program that came by the first has it to give.
  sh_inside '
    id=$(pfctl backup create --json | sed -n "s/.*\"id\" : \"\([0-9TZ-]*\)\".*/\1/p" | head -n 1)
    [ -n "$id" ]
    pid=$(systemctl show -p MainPID --value poolflowd)
    socket=$(stat -c %i /run/poolflow/control.sock)
    for name in once twice; do
      pfctl team add "$name" --zone UTC
      pfctl backup restore "$id" --confirm "$id"
      # Asked at once: who comes while the store is put in place waits in the socket.
      pfctl team list >/tmp/teams
      grep -q desert-blue /tmp/teams
      refused grep -q "$name" /tmp/teams
      systemctl is-active -q poolflowd.service poolflowd.socket
      [ "$(systemctl show -p MainPID --value poolflowd)" = "$pid" ]
      [ "$(stat -c %i /run/poolflow/control.sock)" = "$socket" ]
    done
    # The manager knows it as running, not as reloading or stopping, and can still stop it.
    timeout 10 bash -c "until systemctl show -p SubState --value poolflowd | grep -qx running; do :; done"
    systemctl restart poolflowd
    pfctl team list | grep -q desert-blue'
}
check "a restore keeps process and socket, and loses nobody who asks meanwhile" restore_in_place
credentials() {
  sh_inside '
    useradd --system --groups poolflow pooltech 2>/dev/null || true
    runuser -u pooltech -- pfctl team set desert-blue language=es
    pfctl audit --limit 5 | grep -q pooltech
    useradd --system stranger 2>/dev/null || true
    refused runuser -u stranger -- pfctl team list'
}
check "callers are named by the kernel: a member of the group is in the book, a stranger stays outside" credentials

inbox() {
  # As units/examples/50-inbox.conf says: a folder elsewhere, opened for the service, and somebody who may only drop files.
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
check "a customers file dropped into the inbox is imported by itself, with its answer beside it" inbox

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
check "a daemon that hangs is caught by the watchdog and comes back with its data" watchdog
pings() {
  # Two and a half times the watchdog: without pings it would have been killed twice.
  sh_inside 'before=$(systemctl show -p NRestarts --value poolflowd); read -rt 10 <> <(:) || true
    [ "$(systemctl show -p NRestarts --value poolflowd)" = "$before" ]
    rm -r /run/systemd/system/poolflowd.service.d; systemctl daemon-reload; systemctl restart poolflowd'
}
check "a daemon that works keeps its watchdog content" pings

crash_names_functions() {
  # What the kernel does with a core is the machine's setting; this check can only follow a core that becomes a file.
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
  grep 'PoolDaemon' "$work/backtrace" || { cat "$work/backtrace"; return 1; }
}
check "a daemon that crashes leaves a core in which gdb and the package of debug symbols name its functions" crash_names_functions

# Starts of poolflowd since a cursor in /tmp/cursor: systemd's own record of each.
starts='starts() { journalctl -q -u poolflowd.service --after-cursor "$(cat /tmp/cursor)" -o cat \
  MESSAGE_ID=7d4958e842da4a758f6c1cdc7b36dcc5 | wc -l; }'

bad_settings_start_once() {
  # A restart by bad settings, and one call: the call is hung up on, so that nothing waits in the socket that starts it again.
  sh_inside "$starts"'
    journalctl -q -n 0 --show-cursor | sed -n "s/^-- cursor: //p" >/tmp/cursor
    printf "[Daemon]\nNonsense = 1\n" >/etc/poolflow/poolflow.conf.d/bad.conf
    refused systemctl restart poolflowd.service
    refused timeout 20 pfctl team list 2>/tmp/said
    grep -q "configuration\|status 78\|settings" /tmp/said || { cat /tmp/said; exit 1; }
    # A storm takes three seconds: the journal is read after it.
    read -rt 5 <> <(:) || true
    [ "$(starts)" -le 2 ] || { echo "$(starts) starts"; exit 1; }
    systemctl is-active -q poolflowd.socket
    rm /etc/poolflow/poolflow.conf.d/bad.conf
    timeout 60 pfctl team list | grep -q desert-blue'
}
check "a restart by bad settings and one pfctl are two starts, and the socket lives" bad_settings_start_once

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
check "a program that crashes at its start is started a few times while a caller waits, and all is well afterwards" crash_at_start

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
    # Settings, store and socket are where poolflowd(8) says, and nobody else'\''s.
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
check "two instances live side by side" instances

# full_disk UNIT STATE: the state folder on a small file system, filled before a restart.
full_disk() {
  sh_inside "
    unit=$1 state=$2"'
    instance="${unit#poolflowd}"; instance="${instance#@}"
    pf() { timeout 20 pfctl ${instance:+--instance "$instance"} "$@"; }
    systemctl stop "$unit.socket" "$unit.service"
    cp -a "$state" /tmp/state-aside
    mount -t tmpfs -o size=16m,mode=700 tmpfs "$state"
    # Without what the checks before have left: it is about the store, and need not fit beside its copies.
    tar -C /tmp/state-aside --exclude=./backups --exclude=./outbox --exclude="./*.kept-*" -cf - . | tar -C "$state" -xpf -
    du -sk /tmp/state-aside/* | sort -n | tail -n 5
    chown poolflow:poolflow "$state"
    systemctl start "$unit.socket" "$unit.service"
    dd if=/dev/zero of="$state/filler" bs=4k 2>/dev/null || true
    # It starts and serves, more often than a limit of five in a minute would let it.
    for round in 1 2 3 4 5 6 7; do
      systemctl restart "$unit.service"
      dd if=/dev/zero of="$state/filler" bs=4k oflag=append conv=notrunc 2>/dev/null || true
      pf team list
    done
    code=0
    pf status --check >/tmp/check || code=$?
    [ "$code" -ge 1 ]
    grep -q disk /tmp/check
    # Where there is not even room to read, it is tried again and again, and somebody who waits in the socket ends neither.
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
check "a full disk ends neither service nor socket: it serves, waits for room and comes back" full_disk poolflowd /var/lib/poolflow
check "the same for an instance" full_disk poolflowd@north /var/lib/poolflow-north

stays_down() {
  # What waiting does not mend is not tried again, and somebody who waits in the socket has it started no more than so often.
  sh_inside '
    printf "[Sink drop]\nTyp = nonsense\n" >/etc/poolflow/poolflow.conf.d/wrong.conf
    refused systemctl restart poolflowd.service
    timeout 5 pfctl team list || true
    read -rt 8 <> <(:) || true
    systemctl is-failed -q poolflowd.service
    [ "$(systemctl show -p ExecMainStatus --value poolflowd.service)" = 78 ]
    # Whoever asks hears why and the way out, and nobody takes a reader that runs as root for the daemon.
    timeout 20 pfctl status 2>&1 | grep -q "its settings have mistakes: .pfctl config check., correct them"
    pfctl doctor >/tmp/doctor || true
    grep -q "unit: poolflowd.service failed: its settings have mistakes" /tmp/doctor
    refused grep -q "belongs to" /tmp/doctor
    starts=$(journalctl -q -u poolflowd.service -o cat --since -1min | grep -c "Failed with result" || true)
    [ "$starts" -le 25 ]
    rm /etc/poolflow/poolflow.conf.d/wrong.conf
    # A start by hand brings both back.
    systemctl start poolflowd.service
    systemctl is-active -q poolflowd.service poolflowd.socket
    timeout 20 pfctl team list'
}
check "wrong settings stay down, and a start by hand brings service and socket back" stays_down

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
    # The socket first: it is refused while the service runs without it.
    systemctl start poolflowd.socket
    systemctl start poolflowd.service || { journalctl -q -u poolflowd -n 15 --no-pager; exit 1; }
    begin=$(date +%s%N); systemctl stop poolflowd.socket poolflowd.service || { journalctl -q -u poolflowd -n 15 --no-pager; exit 1; }; end=$(date +%s%N)
    # Started again before anything is judged: the checks after this one are about a service that runs.
    systemctl start poolflowd.socket
    systemctl start poolflowd.service
    took=$(((end - begin) / 1000000))
    echo "stopping took $took ms"
    [ "$took" -le 5000 ]'
}
check "it stops within five seconds under 10,000 entries" stop_with_backlog

# journald says nothing to whom it drops messages of: 10,000 in 30 s are too many for it.
whole_backlog() {
  eventually 90 '[ "$(journalctl -q -u poolflowd -o cat --output-fields=POOLFLOW_NOTICE | grep -c ^backlog-)" -ge 10000 ]'
  sh_inside 'journalctl -q -u poolflowd -o cat --output-fields=POOLFLOW_NOTICE | grep ^backlog- | sort -u >/tmp/told
    [ "$(wc -l </tmp/told)" -eq 10000 ]
    journalctl -q -u systemd-journald --no-pager >/tmp/journald
    refused grep -i suppressed /tmp/journald'
}
check "of 10,000 notices at once the journal loses none" whole_backlog

upgrade() {
  local version
  version="$(dpkg-deb -f "$package" Version)"
  config/package.sh --version "$version+next" >"$work/next" 2>"$work/package-next.log" || { cat "$work/package-next.log"; return 1; }
  local before
  before="$(inside systemctl show -p MainPID --value poolflowd)"
  install_package "$PWD/$(tail -n 1 "$work/next")" || return 1
  sh_inside "[ \"\$(systemctl show -p MainPID --value poolflowd)\" != '$before' ]
    systemctl is-active -q poolflowd; pfctl team list | grep -q desert-blue"
  # With a mistake in the settings the old process works on.
  before="$(inside systemctl show -p MainPID --value poolflowd)"
  sh_inside 'printf "[Sink drop]\nTyp = x\n" >/etc/poolflow/poolflow.conf.d/wrong.conf'
  install_package "$PWD/$package" || return 1
  sh_inside "[ \"\$(systemctl show -p MainPID --value poolflowd)\" = '$before' ]; rm /etc/poolflow/poolflow.conf.d/wrong.conf"
}
check "an upgrade restarts on good settings, with the data, and leaves the old process on bad ones" upgrade

upgrade_past_a_team() {
  # A backup that lacks one team's archive ends with 1; its snapshot is there.
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
check "an upgrade goes on where one team's archive cannot be written" upgrade_past_a_team

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

# What the page for operators tells to type, typed in its order on a machine that has nothing of poolflow.
page=Sources/Documentation/operating.md
operating_page() {
  awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside' "$page" >"$work/operating.sh"
  [ "$(wc -l <"$work/operating.sh")" -gt 25 ]
  # The package is built already, nothing asks for a password, and nobody is at the terminal to say yes.
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
check "every command of the page for operators works, from the installation to the last folder" operating_page

. Tests/Service/other-machine.sh

# The last release takes as long to build as this one: it comes last, for whoever builds it meanwhile.
if last_release="$(Tests/Service/last-release.sh $if_changed 2>"$work/last-release.log" | tail -n 1)" && [ -z "$last_release" ]; then
  skip "only where the schema, the units or the package's files have changed since the last release"
elif [ -n "$last_release" ]; then
  "$lab" down
  check "another lab comes up" fresh_lab
  . Tests/Service/upgrade.sh
elif git rev-parse --quiet --verify HEAD >/dev/null 2>&1 && [ "$(git rev-parse --is-shallow-repository)" = false ]; then
  no_last_release() { cat "$work/last-release.log"; return 1; }
  check "the package of the last release is built" no_last_release
else
  skip "only with the history, which has the last release: $(tail -n 1 "$work/last-release.log")"
fi
finish
