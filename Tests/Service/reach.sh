# shellcheck shell=bash disable=SC2016,SC2154,SC2317 # a part of suite.sh: scripts for the lab expand there
# The whole way, as somebody goes it who has the package and a customer list: mail in a mailbox, pages behind a web server.

# missing PROGRAM…: says what of other people's programs is not there.
missing() {
  local program
  for program in "$@"; do
    PATH="$PATH:/usr/sbin" command -v "$program" >/dev/null && continue
    echo "passed over: $program is not installed"
    return 0
  done
  return 1
}

# Debian's own mail server, which brings to the machine's own users and takes from nobody else.
mail_server() {
  sh_inside '
    postconf -e inet_interfaces=loopback-only inet_protocols=ipv4 mydestination=example.test virtual_alias_maps= \
      alias_maps= local_recipient_maps=unix:passwd.byname mailbox_command= home_mailbox= smtpd_tls_security_level=none
    for name in maria dan boss; do useradd --no-create-home --shell /usr/sbin/nologin "$name" 2>/dev/null || true; done
    systemctl restart postfix
    systemctl is-active -q postfix'
  eventually 20 'timeout 1 bash -c "</dev/tcp/127.0.0.1/25"'
}

# A web server with a certificate that its own machine trusts.
web_server() {
  sh_inside '
    folder=/etc/letsencrypt/live/routes.example.net
    mkdir -p "$folder"
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=routes.example.net -addext subjectAltName=DNS:routes.example.net \
      -keyout "$folder/privkey.pem" -out "$folder/fullchain.pem" 2>/dev/null
    rm -f /etc/nginx/sites-enabled/default
    cp /usr/share/doc/poolflow/examples/nginx-publish.conf /etc/nginx/sites-available/poolflow
    ln -sf ../sites-available/poolflow /etc/nginx/sites-enabled/
    install -d -o poolflow -g poolflow -m 755 /srv/poolflow /srv/poolflow/www
    mkdir -p /etc/systemd/system/poolflowd.service.d
    cp /usr/share/doc/poolflow/examples/60-publish.conf /etc/systemd/system/poolflowd.service.d/
    printf "[Sink web]\nType = publish\nDirectory = /srv/poolflow/www\nBaseURL = https://routes.example.net\n" \
      >/etc/poolflow/poolflow.conf.d/web.conf
    systemctl daemon-reload
    systemctl restart poolflowd nginx
    systemctl is-active -q nginx'
}

# Three customers on today, of two technicians, wherever the suite runs.
customers='today=$(TZ=America/Phoenix date +%A)
    printf "%s\n" "customer_name,address,service_day,latitude,longitude,tags" \
      "Ada Northgate,1 North St,$today,33.45,-112.07,tech:maria" \
      "Ben Southgate,2 South St,$today,33.44,-112.05,tech:maria" \
      "Cleo Westgate,3 West St,$today,33.46,-112.09,tech:dan" >/tmp/reach.csv'

whole_way() {
  sh_inside "$customers"'
    minute=$(TZ=America/Phoenix date -d "+70 seconds" +%H:%M)
    mkdir -p /etc/poolflow/post.conf.d
    printf "[Channel mail]\nType = smtp\nServer = smtp://127.0.0.1:25\nFrom = Routes <routes@example.test>\n" >/etc/poolflow/post.conf.d/setup.conf
    printf "[Sink post]\nType = file-drop\nDirectory = /var/spool/poolflow-post\nSensitive = yes\n" >/etc/poolflow/poolflow.conf.d/post.conf
    systemctl reload poolflowd
    poolflow-post --check
    systemctl enable --now poolflow-post
    pfctl team add reach --zone America/Phoenix
    pfctl import /tmp/reach.csv --team reach
    pfctl technician set maria --team reach --mail maria@example.test
    pfctl technician set dan --team reach --mail dan@example.test
    pfctl team set reach "morning-time=$minute"'
  eventually 150 'grep -q "^Subject:" /var/mail/maria && grep -q "^Subject:" /var/mail/dan'
  sh_inside 'python3 - <<END
import mailbox, email.policy
def letters(name):
    return [email.message_from_bytes(bytes(m), policy=email.policy.default) for m in mailbox.mbox("/var/mail/" + name, create=False)]
def words(letter):
    return "\n".join(part.get_content() for part in letter.walk() if part.get_content_maintype() == "text")
maria, dan = letters("maria"), letters("dan")
assert len(maria) == 1 and len(dan) == 1, (len(maria), len(dan))
hers, his = words(maria[0]), words(dan[0])
assert "Ada Northgate" in hers and "Ben Southgate" in hers and "Cleo" not in hers, hers
assert "Cleo Westgate" in his and "Ada" not in his, his
assert "dan@example.test" not in bytes(maria[0]).decode()
END'
}

pages_behind_nginx() {
  sh_inside '
    address=$(pfctl publish list --team reach --json | grep -o "https://[^\"]*" | head -n 50 | tee /tmp/addresses | head -n 1)
    [ -n "$address" ]
    ask() { curl -sS --fail --cacert /etc/letsencrypt/live/routes.example.net/fullchain.pem --resolve routes.example.net:443:127.0.0.1 "$@"; }
    found=
    while read -r address; do
      page="$(ask "${address%/}/today.html" || true)"
      case "$page" in *"Ada Northgate"*) case "$page" in *"Cleo Westgate"*) ;; *) found="$address" ;; esac ;; esac
    done </tmp/addresses
    [ -n "$found" ] || { cat /tmp/addresses; echo "no page of maria alone"; exit 1; }
    ask -o /dev/null -D - "${found%/}/today.html" | grep -qi "x-robots-tag: noindex"
    ask -o /dev/null -D - "${found%/}/route.ics" | grep -qi "content-type: text/calendar"'
}

confined() {
  # It sees neither the store nor the socket, and nothing of it was refused by its own sandbox.
  sh_inside '
    pid=$(systemctl show -p MainPID --value poolflow-post)
    [ "$(ps -o user= -p "$pid")" = poolflow-post ] || [ "$(stat -c %U /proc/$pid)" = poolflow-post ]
    refused nsenter -t "$pid" -m ls /var/lib/poolflow/poolflow.db
    refused nsenter -t "$pid" -m ls /run/poolflow/control.sock
    grep -q "^CapEff:.*0000000000000000" /proc/$pid/status
    grep -q "^NoNewPrivs:.*1" /proc/$pid/status
    journalctl -q -u poolflow-post --no-pager >/tmp/post-log
    refused grep -E "maria@|dan@|Northgate|Westgate|Southgate" /tmp/post-log
    journalctl -q -u poolflowd --no-pager >/tmp/daemon-log
    refused grep -E "maria@|dan@" /tmp/daemon-log'
}

killed_and_back() {
  # Killed with its watchdog or by hand, it comes back and brings what came meanwhile.
  sh_inside '
    systemctl kill -s KILL poolflow-post
    pfctl technician test maria --team reach || true'
  eventually 60 '[ "$(grep -c "^Subject:" /var/mail/maria)" -eq 2 ]'
}

if ! missing postfix nginx curl openssl; then
  check "Debian's postfix takes mail beside it" mail_server
  check "example: nginx shows what is published" web_server
  check "the whole way: a customer list, and at the minute a mail in each technician's mailbox with their own stops" whole_way
  check "each technician's page and calendar behind nginx, with the headers of the example" pages_behind_nginx
  check "poolflow-post sees no store and no socket, and no address is in a journal" confined
  check "poolflow-post killed comes back and brings what came meanwhile" killed_and_back
fi

caddy_shows() {
  sh_inside '
    address=$(head -n 1 /tmp/addresses)
    systemctl stop nginx
    # A certificate of its own instead of one of the world'\''s: there is no world in here.
    { printf "{\n\tlocal_certs\n\tskip_install_trust\n}\n"; cat /usr/share/doc/poolflow/examples/Caddyfile-publish; } >/etc/caddy/Caddyfile
    systemctl restart caddy
    systemctl is-active -q caddy
    end=$((SECONDS + 30))
    until curl -sSk --fail --resolve routes.example.net:443:127.0.0.1 -o /tmp/page -D /tmp/headers "${address%/}/today.html"; do
      [ $SECONDS -lt $end ]
      read -rt 0.2 <> <(:) || true
    done
    grep -qi "x-robots-tag: noindex" /tmp/headers
    systemctl stop caddy'
}
if ! missing postfix nginx curl openssl caddy; then check "example: Caddy shows the same" caddy_shows; fi
