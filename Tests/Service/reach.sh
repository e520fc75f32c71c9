# shellcheck shell=bash disable=SC2016,SC2154,SC2317 # a part of suite.sh: scripts for the lab expand there
# The whole way from the package and a customer list: mail arrives in a mailbox, and a web server shows the pages.

# missing PROGRAM…: succeeds if one of the programs is not installed, after reporting the skipped check.
missing() {
  local program
  for program in "$@"; do
    PATH="$PATH:/usr/sbin" command -v "$program" >/dev/null && continue
    skip "needs $program: config/test-tools.sh"
    return 0
  done
  return 1
}

# Debian's own mail server, which delivers only to local users.
mail_server() {
  sh_inside '
    postconf -e inet_interfaces=loopback-only inet_protocols=ipv4 mydestination=example.test virtual_alias_maps= \
      alias_maps= local_recipient_maps=unix:passwd.byname mailbox_command= home_mailbox= smtpd_tls_security_level=none
    for name in maria dan boss; do useradd --no-create-home --shell /usr/sbin/nologin "$name" 2>/dev/null || true; done
    systemctl restart postfix
    systemctl is-active -q postfix'
  eventually 20 'timeout 1 bash -c "</dev/tcp/127.0.0.1/25"'
}

# A web server with a self-signed certificate for HTTPS.
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

# Three customers due today, for two technicians, on whatever day the suite runs.
customers='today=$(TZ=America/Phoenix date +%A)
    printf "%s\n" "customer_name,address,service_day,latitude,longitude,tags" \
      "Ada Northgate,1 North St,$today,33.45,-112.07,tech:maria" \
      "Ben Southgate,2 South St,$today,33.44,-112.05,tech:maria" \
      "Cleo Westgate,3 West St,$today,33.46,-112.09,tech:dan" >/tmp/reach.csv'

whole_way() {
  sh_inside "$customers"'
    minute=$(TZ=America/Phoenix date -d "+80 seconds" +%H:%M)
    pfctl setup --team reach --zone America/Phoenix --customers /tmp/reach.csv --morning-time "$minute" \
      --tell maria=mail:maria@example.test --tell dan=mail:dan@example.test \
      --relay smtp://127.0.0.1:25 --sender "Routes <routes@example.test>" --yes >/tmp/setup 2>&1 || { cat /tmp/setup; exit 1; }
    grep -q "handed to the mail server" /tmp/setup
    refused grep -E "maria@|dan@" /tmp/setup
    poolflow-post --check
    systemctl is-enabled -q poolflow-post
    # The same command again changes nothing and sends nothing.
    pfctl setup --team reach --morning-time "$minute" --tell maria=mail:maria@example.test \
      --relay smtp://127.0.0.1:25 --sender "Routes <routes@example.test>" --yes >/tmp/again 2>&1 || { cat /tmp/again; exit 1; }
    refused grep -E "^.? ?pfctl (team|technician|import)" /tmp/again'
  # The test message of setup, and the morning notice.
  eventually 150 '[ "$(grep -c "^Subject:" /var/mail/maria)" -eq 2 ] && [ "$(grep -c "^Subject:" /var/mail/dan)" -eq 2 ]'
  sh_inside 'python3 - <<END
import mailbox, email.policy
def mails(name):
    return [email.message_from_bytes(bytes(m), policy=email.policy.default) for m in mailbox.mbox("/var/mail/" + name, create=False)]
def words(mail):
    return "\n".join(part.get_content() for part in mail.walk() if part.get_content_maintype() == "text")
def morning(name):
    routes = [mail for mail in mails(name) if "gate" in words(mail)]
    assert len(routes) == 1, [mail["subject"] for mail in mails(name)]
    return routes[0]
maria, dan = morning("maria"), morning("dan")
hers, his = words(maria), words(dan)
assert "Ada Northgate" in hers and "Ben Southgate" in hers and "Cleo" not in hers, hers
assert "Cleo Westgate" in his and "Ada" not in his, his
assert "dan@example.test" not in bytes(maria).decode()
END'
}

told_back() {
  # The outcome of each mail is shown in the history, at the notice and in the overview.
  eventually 30 'pfctl history morning-summary --team reach --limit 1 --plain 2>/dev/null | grep -q "2 delivered"'
  sh_inside '
    [ "$(pfctl outbox list --plain --limit 50 | grep -c "handed to the mail server")" -ge 2 ]
    pfctl why morning-summary --team reach | tr -s "[:space:]" " " | grep -q "for maria: handed to the mail server"
    pfctl status | grep -q "delivered"
    [ -z "$(ls /var/spool/poolflow-post/receipts | grep -vx sender.report)" ]'
  # An address that the mail server refuses is reported at once, with the reason.
  sh_inside '
    pfctl technician add zoe --team reach --mail no-such-mailbox@example.test
    code=0
    pfctl technician test zoe --team reach >/tmp/zoe 2>&1 || code=$?
    [ "$code" -eq 1 ] || { cat /tmp/zoe; exit 1; }
    grep -q "by mail refused: no such mailbox (550 5.1.1)" /tmp/zoe
    refused grep no-such-mailbox /tmp/zoe
    pfctl technician remove zoe --team reach'
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
  # It has no access to the store and the socket, and its sandbox refused nothing that it needed.
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
  # After a kill it is restarted and delivers what was queued meanwhile.
  sh_inside '
    systemctl kill -s KILL poolflow-post
    pfctl technician test maria --team reach | grep -q "mail: handed to the mail server"'
  eventually 60 '[ "$(grep -c "^Subject:" /var/mail/maria)" -eq 3 ]'
}

# checked SECONDS CODE TEXT: `status --check` ends with that code and prints the text within that time.
checked() {
  eventually "$1" "code=0; pfctl status --check >/tmp/status || code=\$?; [ \"\$code\" -eq $2 ] && grep -q $3 /tmp/status"
}

# With a stopped mail server and a webhook for the operator: the failure is reported everywhere, once by the webhook, and so is the
# recovery.
webhook_of_the_operator() {
  sh_inside '
    printf "%s\n" "import http.server" \
      "class Take(http.server.BaseHTTPRequestHandler):" \
      "    def do_POST(self):" \
      "        body = self.rfile.read(int(self.headers[\"content-length\"]))" \
      "        open(\"/tmp/operator\", \"ab\").write(body.replace(b\"\\n\", b\" \") + b\"\\n\")" \
      "        self.send_response(204)" \
      "        self.end_headers()" \
      "http.server.HTTPServer((\"127.0.0.1\", 8025), Take).serve_forever()" >/tmp/webhook.py
    : >/tmp/operator
    systemd-run -q --unit=operator-webhook python3 /tmp/webhook.py
    mkdir -p /etc/poolflow/post.conf.d
    printf "[Channel operator]\nType = webhook\nCredential = operator-url\nOperator = yes\n" >/etc/poolflow/post.conf.d/operator.conf
    code=0
    poolflow-post --check 2>/tmp/check || code=$?
    [ "$code" -eq 78 ]
    grep -q "operator.conf:3:14: error: \[Channel operator\]: there is no credential" /tmp/check
    # A reload keeps the previous settings and reports that.
    systemctl reload poolflow-post'
  checked 30 2 '"not effective"'
  sh_inside '
    install -m 600 /dev/null /etc/poolflow/credentials/operator-url
    echo http://127.0.0.1:8025/ >/etc/poolflow/credentials/operator-url
    poolflow-post --check
    systemctl restart poolflow-post'
  eventually 30 'pfctl status --check >/tmp/status; grep -q POOLFLOW /tmp/status && ! grep -q "not effective" /tmp/status'
}

stopped_mail_server() {
  # postfix.service only starts postfix@-.service, which ends after it.
  sh_inside 'systemctl stop postfix "postfix@-"'
  eventually 30 '! timeout 1 bash -c "</dev/tcp/127.0.0.1/25"'
  sh_inside 'pfctl technician test maria --team reach --within 1 || true'
  # A message counts as overdue after two minutes; the daemon reads the sender's report at once.
  checked 180 2 '"\[Channel mail\] delivers nothing"'
  sh_inside '
    poolflow-post status | grep -q "stuck since"
    pfctl status | grep -q "mail stuck (1 waiting)"
    code=0
    pfctl doctor >/tmp/doctor || code=$?
    [ "$code" -eq 1 ]
    grep -q "sender: \[Channel mail\] delivers nothing" /tmp/doctor
    journalctl -q -u poolflow-post --no-pager | grep -q "\[Channel mail\] delivers nothing"
    systemctl restart poolflow-post poolflowd'
  eventually 30 '[ "$(grep -c "delivers nothing" /tmp/operator)" -eq 1 ]'
  checked 30 2 '"\[Channel mail\] delivers nothing"'
  sh_inside 'systemctl start postfix'
  eventually 180 'pfctl status --check >/tmp/status; grep -q POOLFLOW /tmp/status && ! grep -q "delivers nothing" /tmp/status'
  eventually 60 '[ "$(grep -c "works again" /tmp/operator)" -eq 1 ]'
  sh_inside '
    [ "$(grep -c "delivers nothing" /tmp/operator)" -eq 1 ]
    refused grep -E "maria@|dan@" /tmp/operator
    systemctl stop operator-webhook'
}

if ! missing postfix nginx curl openssl; then
  check "Debian's postfix accepts mail" mail_server
  check "example: nginx serves the published pages" web_server
  check "after pfctl setup with a customer list, each technician gets a mail with their own stops at the set minute" whole_way
  check "history, why, outbox and status show each mail's outcome, and a refusal its reason" told_back
  check "nginx serves each technician's page and calendar with the example's headers" pages_behind_nginx
  check "poolflow-post cannot see store and socket, and no journal has an address" confined
  check "a killed poolflow-post is restarted and delivers what was queued meanwhile" killed_and_back
  check "a missing credential is reported with its line, and so is a refused reload" webhook_of_the_operator
  check "a stopped mail server is reported everywhere, and once by the webhook, like its recovery" stopped_mail_server
fi

caddy_shows() {
  sh_inside '
    address=$(head -n 1 /tmp/addresses)
    systemctl stop nginx
    # Caddy uses its local certificate authority: there is no internet here for a public one.
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
if ! missing postfix nginx curl openssl caddy; then check "example: Caddy serves the published pages" caddy_shows; fi
