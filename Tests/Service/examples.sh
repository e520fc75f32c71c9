# shellcheck shell=bash disable=SC2016,SC2154,SC2317 # a part of suite.sh: scripts for the lab expand there
# Tests every file of units/examples: takes it from the package, installs it as its first lines say, and starts it.

examples=/usr/share/doc/poolflow/examples
# with_example FILE: installs the drop-in as its comment says and restarts the daemon.
with_example="with_example() {
  mkdir -p /etc/systemd/system/poolflowd.service.d /etc/poolflow/poolflow.conf.d
  cp $examples/\$1 /etc/systemd/system/poolflowd.service.d/
  systemctl daemon-reload
  systemctl restart poolflowd
}
without_examples() {
  rm -rf /etc/systemd/system/poolflowd.service.d /etc/poolflow/poolflow.conf.d/example.conf
  systemctl daemon-reload
  systemctl restart poolflowd
}
soon() {
  local end=\$((SECONDS + 60))
  until \"\$@\" >/dev/null 2>&1; do
    [ \$SECONDS -lt \$end ] || { echo \"not within a minute: \$*\"; exit 1; }
    read -rt 0.1 <> <(:) || true
  done
}
morning() { pfctl run morning-summary --team desert-blue --at \"\$1\"; }"
example() { sh_inside "$with_example
$1"; }

none_is_forgotten() {
  local name
  for name in units/examples/*; do
    name="${name##*/}"
    grep -q "$name" Tests/Service/suite.sh Tests/Service/examples.sh Tests/Service/reach.sh Tests/Service/forecast.sh ||
      { echo "$name is not tested"; return 1; }
  done
}
check "every example is tested by this suite" none_is_forgotten

schemas() {
  inside bash -euc '
    for name in pfctl.list org.poolflow.morning-summary poolflow.inbox; do
      pfctl help schema "$name" | cmp - "/usr/share/poolflow/schemas/$name.1.json"
    done
    [ "$(ls /usr/share/poolflow/schemas | wc -l)" -eq "$(pfctl help schema --plain --no-legend | wc -l)" ]'
}
check "the package's schemas equal those that pfctl prints" schemas

# Runs the clients as an operator would: tomorrow.py as the daemon's user, the others as root.
clients() {
  sh_inside "
    runuser -u poolflow -- python3 $examples/tomorrow.py | grep -q desert-blue
    sh $examples/tomorrow.sh | grep -q desert-blue
    sh $examples/take-events.sh /var/lib/poolflow/outbox
    refused compgen -G '/var/lib/poolflow/outbox/new/*.json'"
}
if inside sh -c 'command -v python3 && command -v jq' >/dev/null 2>&1; then
  check "example: tomorrow.py, tomorrow.sh and take-events.sh work with the service" clients
else
  skip "needs python3 and jq: config/packages.sh python3 jq"
fi

# The files for Grafana and Prometheus.
check "example: the Grafana dashboard is valid JSON" inside python3 -m json.tool $examples/poolflow-dashboard.json /dev/null
promtool="$(command -v promtool || echo "$PWD/.build/test-tools/promtool")"
if [ -x "$promtool" ]; then
  check "example: promtool accepts the alerts" "$promtool" check rules "$work/unpacked$examples/poolflow-alerts.yml"
else
  skip "needs promtool: config/test-tools.sh"
fi

# systemd before 253 does not know the type notify-reload: the service then only loses its ExecReload=.
notify_reload() {
  example '
    with_example 10-notify-reload.conf
    systemctl is-active -q poolflowd
    if [ "$(systemctl --version | sed -n "1s/systemd \([0-9]*\).*/\1/p")" -ge 253 ]; then
      systemctl reload poolflowd
    else
      pfctl reload
    fi
    pfctl status
    without_examples'
}
check "example: the service reloads with Type=notify-reload" notify_reload

drop_folder() {
  example '
    groupadd -f collectors
    useradd --system --groups collectors collector 2>/dev/null || true
    install -d -o poolflow -g collectors -m 2750 /srv/poolflow/outbox
    printf "[Sink collected]\nType = file-drop\nDirectory = /srv/poolflow/outbox\n" >/etc/poolflow/poolflow.conf.d/example.conf
    with_example 20-drop-folder.conf
    morning 2026-03-09
    soon compgen -G "/srv/poolflow/outbox/new/*.json"
    runuser -u collector -- bash -euc "grep -q \"Steve Baird\" /srv/poolflow/outbox/new/*.json"
    refused runuser -u nobody -- ls /srv/poolflow/outbox
    without_examples'
}
check "example: a drop folder elsewhere is readable only for its group" drop_folder

metrics() {
  example '
    folder=/var/lib/prometheus/node-exporter
    install -d "$folder"
    chgrp poolflow "$folder"
    chmod g+w "$folder"
    printf "[Daemon]\nMetricsFile = $folder/poolflow.prom\n" >/etc/poolflow/poolflow.conf.d/example.conf
    with_example 40-metrics.conf
    soon grep -q ^poolflow_ "$folder/poolflow.prom"
    runuser -u nobody -- grep -q ^poolflow_ "$folder/poolflow.prom"
    without_examples'
}
check "example: metrics are written to node_exporter's folder" metrics

# There is no remote server here: check that the service starts with the network access that it needs for one, and keeps its other
# restrictions. `PostgresTests` uses real servers.
postgresql() {
  example '
    with_example 70-postgresql.conf
    systemctl is-active -q poolflowd
    systemctl show -p PrivateNetwork poolflowd | grep -qx PrivateNetwork=no
    # The server and the name resolver.
    systemctl show -p IPAddressAllow poolflowd >/tmp/allowed
    for address in 192.0.2.10 127.0.0.53; do grep -qF "$address" /tmp/allowed; done
    pfctl status
    without_examples'
}
check "example: the service starts with access to a remote PostgreSQL server" postgresql

# Three instances take the part of three machines that share one PostgreSQL server.
nodes() {
  example '
    postgres=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
    install -d -o postgres /srv/nodes /run/nodes
    as() { runuser -u postgres -- "$@"; }
    as "$postgres/initdb" -D /srv/nodes/data -A trust -U poolflow >/dev/null
    as "$postgres/pg_ctl" -D /srv/nodes/data -o "-c listen_addresses= -c unix_socket_directories=/run/nodes" -l /srv/nodes/log -w start >/dev/null
    as "$postgres/createdb" -h /run/nodes -U poolflow poolflow
    install -d -o poolflow -g poolflow -m 2770 /srv/shared
    for name in north south west; do
      mkdir -p /etc/poolflow/$name /etc/systemd/system/poolflowd@$name.service.d
      printf "[Service]\nReadWritePaths=/srv/shared\n" >/etc/systemd/system/poolflowd@$name.service.d/shared.conf
      printf "[Store]\nEngine = postgresql\nConnection = host=/run/nodes dbname=poolflow user=poolflow\nNode = $name\n" >/etc/poolflow/$name/poolflow.conf
      printf "[Sink shared]\nType = file-drop\nDirectory = /srv/shared\n" >>/etc/poolflow/$name/poolflow.conf
    done
    systemctl daemon-reload
    systemctl start poolflowd@north poolflowd@south poolflowd@west
    serving() { [ "$(pfctl --instance "$1" nodes --plain | grep -c serves)" = "$2" ]; }
    soon serving north 3
    pfctl --instance north team add desert-blue --zone America/Phoenix
    pfctl --instance south import /usr/share/doc/poolflow/examples/demo-backup.zip --team desert-blue
    pfctl --instance west run morning-summary --team desert-blue --at 2026-03-02
    soon compgen -G "/srv/shared/new/*.json"
    # West crashes: systemd restarts its daemon, and meanwhile the others do its work.
    systemctl kill -s KILL poolflowd@west
    pfctl --instance north run morning-summary --team desert-blue --at 2026-03-03
    soon serving south 3
    pfctl --instance south nodes drain north
    soon serving south 2
    # A drained node refuses changes, even a reload; a package upgrade still succeeds.
    refused systemctl reload poolflowd@north
    before=$(systemctl show -p MainPID --value poolflowd@north)
    DEBIAN_FRONTEND=noninteractive dpkg -i '"$package"'
    refused [ "$(systemctl show -p MainPID --value poolflowd@north)" = "$before" ]
    soon serving south 2
    pfctl --instance west run morning-summary --team desert-blue --at 2026-03-09
    pfctl --instance west nodes resume north
    soon serving west 3
    soon eval "[ \"\$(ls /srv/shared/new/*morning-summary*.json | wc -l)\" = 3 ]"
    systemctl stop poolflowd@north.socket poolflowd@south.socket poolflowd@west.socket poolflowd@north poolflowd@south poolflowd@west
    as "$postgres/pg_ctl" -D /srv/nodes/data -m fast -w stop >/dev/null
    rm -r /etc/poolflow/north /etc/poolflow/south /etc/poolflow/west /etc/systemd/system/poolflowd@{north,south,west}.service.d
    rm -rf /var/lib/poolflow-north /var/lib/poolflow-south /var/lib/poolflow-west
    systemctl daemon-reload'
}
if compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; then
  check "example: three nodes share one server while one is killed and one is drained" nodes
else
  skip "needs PostgreSQL: config/packages.sh postgresql"
fi
