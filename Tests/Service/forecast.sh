# shellcheck shell=bash disable=SC2016,SC2154,SC2317 # a part of suite.sh: scripts for the lab expand there
# A stable's hourly forecast: poolflow-forecast@.timer and poolflow-forecast@.service of units/examples fetch it from a local server
# into the inbox (50-inbox.conf), and the daemon advises a blanket for the night.

# Serves an hourly forecast in Open-Meteo's format, below zero throughout.
weather_server() {
  sh_inside '
    install -d -m 755 /srv/weather
    python3 - >/srv/weather/forecast.json <<END
import json, time
first = int(time.time()) // 3600 * 3600 - 12 * 3600
times = [first + hour * 3600 for hour in range(96)]
count = len(times)
print(json.dumps({
    "latitude": 40.71, "longitude": -74.01, "utc_offset_seconds": 0,
    "hourly_units": {"time": "unixtime", "temperature_2m": "°C", "precipitation": "mm", "wind_speed_10m": "km/h"},
    "hourly": {"time": times, "temperature_2m": [-4.0] * count, "precipitation": [0.0] * count, "wind_speed_10m": [12.0] * count},
}, ensure_ascii=False))
END
    chmod 644 /srv/weather/forecast.json
    printf "server { listen 127.0.0.1:8078; root /srv/weather; }\n" >/etc/nginx/sites-enabled/weather
    systemctl restart nginx'
}

fetched_weather() {
  sh_inside "
    groupadd -f droppers
    install -d -o poolflow -g droppers -m 2770 /srv/poolflow/inbox /srv/poolflow/inbox/willow-barn
    mkdir -p /etc/systemd/system/poolflowd.service.d /etc/poolflow/forecast
    cp $examples/50-inbox.conf /etc/systemd/system/poolflowd.service.d/
    printf '[Daemon]\nInbox = /srv/poolflow/inbox\n' >/etc/poolflow/poolflow.conf.d/inbox.conf
    systemctl daemon-reload
    systemctl restart poolflowd
    pfctl team add willow-barn --zone America/New_York --trade stable
    pfctl horse add 'Old Tom' --team willow-barn
    printf 'url = \"http://127.0.0.1:8078/forecast.json\"\n' >/etc/poolflow/forecast/willow-barn.conf
    cp $examples/poolflow-forecast@.service $examples/poolflow-forecast@.timer /etc/systemd/system/
    systemctl daemon-reload
    systemctl enable -q --now poolflow-forecast@willow-barn.timer
    systemctl list-timers --no-pager | grep -q poolflow-forecast@willow-barn
    # Start the service now, without waiting for the timer.
    systemctl start poolflow-forecast@willow-barn.service"
  # The timer may start it meanwhile, too: the daemon waits again after each new file.
  eventually 300 'compgen -G "/srv/poolflow/inbox/willow-barn/forecast.json.*.result" >/dev/null'
  sh_inside '
    grep -q imported /srv/poolflow/inbox/willow-barn/forecast.json.*.result
    pfctl weather show --team willow-barn 2>&1 | grep -qi "open-meteo"
    pfctl blanket --team willow-barn | grep -qi "old tom"
    # The server has no forecast any more: the unit fails and drops no file.
    rm /srv/weather/forecast.json
    refused systemctl start poolflow-forecast@willow-barn.service
    refused [ -e /srv/poolflow/inbox/willow-barn/forecast.json ]
    systemctl disable -q --now poolflow-forecast@willow-barn.timer
    rm -r /etc/systemd/system/poolflowd.service.d /etc/poolflow/poolflow.conf.d/inbox.conf /etc/nginx/sites-enabled/weather
    pfctl team remove willow-barn --confirm willow-barn
    systemctl daemon-reload
    systemctl restart poolflowd'
}

if ! missing nginx curl; then
  check "a local server serves the forecast" weather_server
  check "example: the forecast is fetched into the inbox, and the daemon advises a blanket" fetched_weather
fi
