#!/usr/bin/env python3
"""Lists each team with its jobs of tomorrow, using the daemon's Varlink socket.

    python3 tomorrow.py [SOCKET]        default: /run/poolflow/control.sock

Needs only Python's standard library, and a user with access to the socket: root, the daemon's user, or a member of the
group poolflow. `varlinkctl introspect /run/poolflow/control.sock`, or GetInterfaceDescription of org.varlink.service, lists
every other call; `pfctl help errors` lists the errors. Exits with 69 if no daemon answers, and with 70 if it refuses a call.
"""

import datetime
import json
import socket
import sys
import zoneinfo


class Refused(Exception):
    """An error of the daemon: a stable name, and parameters with a message."""


class Varlink:
    """One connection; each message in both directions is a JSON object followed by a NUL byte."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(30)
        self.socket.connect(path)
        self.rest = b""

    def call(self, method, **parameters):
        """Yields every reply to a call: "more" allows several replies, and a list is sent in pages."""
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
    # Tomorrow by the daemon's clock, in each team's zone.
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
