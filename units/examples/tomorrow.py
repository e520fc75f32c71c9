#!/usr/bin/env python3
"""Lists each team with what poolflow has to do for it tomorrow, over the daemon's own Varlink socket.

    python3 tomorrow.py [SOCKET]        /run/poolflow/control.sock without it

Needs nothing but Python's standard library, and a user whom the socket takes: root, the daemon's own, or a member of the
group poolflow. `varlinkctl introspect /run/poolflow/control.sock`, or GetInterfaceDescription of org.varlink.service, tells
every other call; `pfctl help errors` tells the errors. Exits with 69 where no daemon answers and 70 where it refuses.
"""

import datetime
import json
import socket
import sys
import zoneinfo


class Refused(Exception):
    """An error of the daemon: a name that stays, and a sentence among its parameters."""


class Varlink:
    """One connection; JSON objects go to and fro, each ended by a NUL byte."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(30)
        self.socket.connect(path)
        self.rest = b""

    def call(self, method, **parameters):
        """Every answer to a call: a list comes in pages, since we say that we take more than one."""
        frame = json.dumps({"method": method, "parameters": parameters, "more": True})
        self.socket.sendall(frame.encode() + b"\0")
        while True:
            reply = json.loads(self.frame())
            if "error" in reply:
                told = reply.get("parameters", {})
                raise Refused(f"{reply['error']}: {told.get('message', told)}")
            yield reply["parameters"]
            if not reply.get("continues"):
                return

    def frame(self):
        while b"\0" not in self.rest:
            piece = self.socket.recv(65536)
            if not piece:
                raise ConnectionError("the daemon closed the connection")
            self.rest += piece
        frame, self.rest = self.rest.split(b"\0", 1)
        return frame


def main(path):
    daemon = Varlink(path)
    # The daemon's clock says what tomorrow is, in each team's zone.
    (status,) = daemon.call("org.poolflow.Scheduler.Status")
    now = datetime.datetime.fromisoformat(status["now"].replace("Z", "+00:00"))
    teams = [team for page in daemon.call("org.poolflow.Teams.List") for team in page["teams"]]
    for team in teams:
        zone = zoneinfo.ZoneInfo(team["zone"])
        tomorrow = now.astimezone(zone).date() + datetime.timedelta(days=1)
        print(f"{team['name']}, {tomorrow:%a %Y-%m-%d} ({team['zone']}):")
        jobs = 0
        for page in daemon.call("org.poolflow.Scheduler.Next", team=team["name"], count=100):
            for slot in page["occurrences"]:
                at = datetime.datetime.fromisoformat(slot["at"].replace("Z", "+00:00")).astimezone(zone)
                if at.date() == tomorrow:
                    print(f"  {at:%H:%M}  {slot['job']}")
                    jobs += 1
        if jobs == 0:
            print("  nothing")
    if not teams:
        print("there is no team yet")


if __name__ == "__main__":
    try:
        main(sys.argv[1] if len(sys.argv) > 1 else "/run/poolflow/control.sock")
    except OSError as error:
        print(f"no daemon answers: {error}", file=sys.stderr)
        sys.exit(69)
    except Refused as error:
        print(error, file=sys.stderr)
        sys.exit(70)
