#!/usr/bin/env python3
"""Posts every finished file of FOLDER to URL, byte for byte, and removes it once the server has it."""
import pathlib, sys, urllib.request

folder, url = pathlib.Path(sys.argv[1]), sys.argv[2]
for event in sorted(folder.glob("*.json")):
    headers = {"content-type": "application/cloudevents+json"}
    companions = [event.with_suffix(suffix) for suffix in (".headers", ".html", ".ics")]
    if companions[0].exists():  # webhook-id, webhook-timestamp, webhook-signature: Sign= of the sink
        headers.update(line.split(": ", 1) for line in companions[0].read_text().splitlines())
    request = urllib.request.Request(url, event.read_bytes(), headers)
    urllib.request.urlopen(request, timeout=30).close()  # anything but 2xx raises: the file stays for the next time
    for file in (event, *companions):
        file.unlink(missing_ok=True)
