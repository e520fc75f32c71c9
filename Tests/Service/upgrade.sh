# shellcheck shell=bash disable=SC2016,SC2034,SC2154,SC2317 # a part of suite.sh: scripts for the lab expand there
# Upgrades a working machine from the previous release to this package: a team, changed settings, an instance and undelivered
# notices. Then removes and purges the package.

# upgrade_package FILE: upgrades as apt does; if both operator and package changed a settings file, the operator's is kept.
upgrade_package() { inside env DEBIAN_FRONTEND=noninteractive dpkg --force-confdef --force-confold -i "$1"; }

old_version="$(dpkg-deb -f "$last_release" Version)"
new_version="$(dpkg-deb -f "$package" Version)"

last_release_at_work() {
  install_package "$PWD/$last_release"
  eventually 10 'systemctl is-active -q poolflowd.service'
  sh_inside "pfctl version | grep -qF '$old_version'"'
    pfctl team add desert-blue --zone America/Phoenix
    pfctl import /usr/share/doc/poolflow/examples/demo-backup.zip --team desert-blue
    pfctl job set weekly-digest --team desert-blue rule="Fri 16:00"
    # Change the settings file of the package by hand and add a drop-in. No consumer takes the first notice: it fills the sink.
    sed -i "s/^# Keep = .*/Keep = 5 daily, 4 weekly, 6 monthly/" /etc/poolflow/poolflow.conf
    install -d -o poolflow -g poolflow /var/lib/poolflow/slow
    printf "[Sink slow]\nType = file-drop\nDirectory = /var/lib/poolflow/slow\nMaxFiles = 1\n" >/etc/poolflow/poolflow.conf.d/slow.conf
    systemctl reload poolflowd
    for day in 02 03 04; do pfctl run morning-summary --team desert-blue --as-of "2026-03-$day"; done
    systemctl enable --now poolflowd@north
    pfctl --instance north team add north --zone America/Boise'
  eventually 20 '[ "$(pfctl outbox list --sink slow --state pending --plain | wc -l)" -ge 2 ]'
  sh_inside 'pfctl outbox list --sink slow --json | grep -o "\"notice_id\" : \"[^\"]*\"" | sort -u >/var/tmp/told
    [ "$(wc -l </var/tmp/told)" -eq 3 ]
    pfctl config diff --defaults >/var/tmp/settings
    pfctl history --team desert-blue --json | grep -o "\"id\" : \"[^\"]*\"" | sort >/var/tmp/runs
    [ "$(wc -l </var/tmp/runs)" -eq 3 ]
    for unit in poolflowd poolflowd@north; do systemctl show -p MainPID --value "$unit"; done >/var/tmp/pids'
}
check "the previous release, $old_version, runs with undelivered notices" last_release_at_work

over_it() {
  upgrade_package "$PWD/$package"
  sh_inside "pfctl version | grep -qxF 'pfctl $new_version'
    for name in '' north; do
      pfctl \${name:+--instance \$name} status | grep -qF 'poolflowd $new_version'
    done"'
    systemctl is-active -q poolflowd.service poolflowd.socket poolflowd@north.service poolflowd@north.socket
    for unit in poolflowd poolflowd@north; do systemctl show -p MainPID --value "$unit"; done >/var/tmp/new-pids
    refused grep -qxFf /var/tmp/pids /var/tmp/new-pids'
}
check "after the upgrade to $new_version both daemons run the new version" over_it

nothing_lost() {
  sh_inside '
    grep -q "^Keep = 5 daily" /etc/poolflow/poolflow.conf
    # Each setting keeps its value. If a default has changed, the value in the kept file differs from the new default: the list may
    # grow by values that this file sets.
    pfctl config diff --defaults >/var/tmp/new-settings
    sort /var/tmp/settings >/var/tmp/old-lines
    sort /var/tmp/new-settings >/var/tmp/new-lines
    comm -23 /var/tmp/old-lines /var/tmp/new-lines | (refused grep .)
    comm -13 /var/tmp/old-lines /var/tmp/new-lines | sed -n "s/^+ //p" >/var/tmp/more
    while IFS= read -r line; do grep -qxF -- "$line" /etc/poolflow/poolflow.conf; done </var/tmp/more
    pfctl history --team desert-blue --json | grep -o "\"id\" : \"[^\"]*\"" | sort | comm -23 /var/tmp/runs - | (refused grep .)
    pfctl job show weekly-digest --team desert-blue | grep -q "Fri "
    [ "$(pfctl pool list --team desert-blue --plain | wc -l)" -eq 120 ]
    pfctl --instance north team list | grep -q north
    pfctl backup list | grep -q upgrade
    pfctl --instance north backup list | grep -q upgrade
    # Pending notices go out as files are taken: each once, with the id that the previous release gave it.
    : >/var/tmp/taken
    end=$((SECONDS + 150))
    until [ "$(wc -l </var/tmp/taken)" -ge 3 ]; do
      [ $SECONDS -lt $end ] || { pfctl outbox list --sink slow; exit 1; }
      for file in /var/lib/poolflow/slow/new/*.json; do
        [ -e "$file" ] || continue
        basename "$file" .json >>/var/tmp/taken
        # Remove its page, too, which also counts against MaxFiles.
        rm "${file%.json}"*
      done
      read -rt 0.1 <> <(:) || true
    done
    sort /var/tmp/taken | sed "s/.*/\"notice_id\" : \"&\"/" | diff /var/tmp/told -
    pfctl outbox list --sink slow --state pending --plain >/var/tmp/pending
    refused [ -s /var/tmp/pending ]'
}
check "the upgrade keeps settings, history and pools; each pending notice is delivered once" nothing_lost

works_on() {
  # The links of the new version's units exist: from now on the target includes the default daemon.
  sh_inside '
    pfctl run morning-summary --team desert-blue --at 2026-03-05
    for unit in poolflowd.service poolflowd.socket; do [ -L /etc/systemd/system/poolflow.target.wants/$unit ]; done
    journalctl -q -u poolflowd -u poolflowd@north _COMM=poolflowd -p err --no-pager | tee /var/tmp/errors
    refused [ -s /var/tmp/errors ]'
}
check "the service works after the upgrade" works_on

target() {
  sh_inside '
    pids() { for unit in poolflowd poolflowd@north; do systemctl show -p MainPID --value "$unit"; done; }
    systemctl start poolflow.target
    pids >/tmp/before
    systemctl restart poolflow.target
    systemctl is-active -q poolflowd.service poolflowd@north.service
    pids >/tmp/after
    refused grep -qxFf /tmp/before /tmp/after
    systemctl reload poolflow.target
    pids | diff /tmp/after -
    # A job of the target ends before the jobs of its units, so wait for the units.
    reaches() { for _ in $(seq 300); do eval "$1" && return; sleep 0.1; done; echo "not within 30 s: $1" >&2; return 1; }
    reaches "journalctl -q -u poolflowd@north -o cat | grep -qi settings"
    systemctl stop poolflow.target
    for unit in poolflowd.service poolflowd.socket poolflowd@north.service poolflowd@north.socket; do
      reaches "! systemctl is-active -q $unit"
    done
    systemctl start poolflow.target
    systemctl is-active -q poolflowd.service poolflowd.socket poolflowd@north.service poolflowd@north.socket
    # The target does not start a disabled unit.
    systemctl disable poolflowd.service
    systemctl stop poolflow.target
    reaches "! systemctl is-active -q poolflowd.service"
    systemctl start poolflow.target
    reaches "systemctl is-active -q poolflowd@north.service"
    refused systemctl is-active -q poolflowd.service
    systemctl enable --now poolflowd.service'
}
check "poolflow.target stops, starts, restarts and reloads all enabled daemons" target

no_instance_called_post() {
  # Its store would be in the folder of poolflow-post, which a purge deletes.
  sh_inside '
    refused systemctl start poolflowd@post.service
    refused systemctl start poolflowd@post.socket
    refused pfctl --instance post status 2>/tmp/words
    grep -q "another name" /tmp/words
    refused [ -e /var/lib/poolflow-post/poolflow.db ]'
}
check "an instance cannot use the folders of poolflow-post" no_instance_called_post

removed_and_back() {
  # poolflow-post is enabled by hand and needs a channel to run.
  sh_inside '
    printf "[Channel mail]\nType = smtp\nServer = smtp://127.0.0.1:25\nFrom = Routes <routes@example.com>\n" >/etc/poolflow/post.conf.d/mail.conf
    systemctl enable --now poolflow-post
    systemctl is-active -q poolflow-post
    dpkg -r poolflow
    refused systemctl is-active -q poolflowd.service
    refused systemctl is-active -q poolflow-post.service
    [ -e /var/lib/poolflow/poolflow.db ]'
  install_package "$PWD/$package"
  eventually 10 'systemctl is-active -q poolflowd.service && systemctl is-active -q poolflow-post.service'
  sh_inside 'pfctl team list | grep -q desert-blue'
}
check "a package that was removed starts its services when it is installed again" removed_and_back

purge() {
  sh_inside '
    systemctl is-active -q poolflow-post
    systemctl mask poolflowd@west.service
    find /etc /usr /lib /var -xtype l >/var/tmp/dangling 2>/dev/null || true
    dpkg -P poolflow 2>/var/tmp/words
    cat /var/tmp/words
    find /etc /usr /lib /var -xtype l 2>/dev/null | sort | (refused grep -vxFf /var/tmp/dangling)
    find /etc/systemd /var/lib/systemd /run/poolflow* -name "*poolflow*" 2>/dev/null | (refused grep .)
    # Everything that remains is named.
    for folder in /var/lib/poolflow /var/lib/poolflow-north /etc/poolflow; do grep -q "^poolflow:   $folder$" /var/tmp/words; done
    [ -e /var/lib/poolflow/poolflow.db ]
    [ -e /var/lib/poolflow-north/poolflow.db ]
    [ -e /etc/poolflow/poolflow.conf.d/slow.conf ]
    refused [ -e /var/lib/poolflow-post ]
    # The named commands remove it.
    sed -n "s/^poolflow:   \(rm -r\|userdel\)/\1/p" /var/tmp/words >/var/tmp/remove
    [ "$(wc -l </var/tmp/remove)" -eq 2 ]
    sh -e /var/tmp/remove
    refused getent passwd poolflow poolflow-post
    find / -xdev \( -path /proc -o -path /var/tmp -o -path /var/lib/dpkg -o -path "$PWD" \) -prune -o -name "*poolflow*" -print 2>/dev/null |
      (refused grep -v "^/\(tmp\|root\|home\|var/log\|var/cache\|work\|sys\|dev\)")'
}
check "purge leaves no link, names the kept files and the commands that remove them" purge
