"""Reads mails as a strict program for mail does, and fails where one is not as the standards want it.

    read-mails.py MAILS.jsonl EXPECTED.json PAGES.json

EXPECTED tells of each address, in lower case: name, subject, parts, events, date (the end of the header), and texts
that the mail has to hold. PAGES gets the HTML of each by its address, three times: `whole` with its pictures, `bare` as a
reader shows it that fetches and draws nothing, `plain` without any style.
"""
import base64, email, email.header, email.policy, icalendar, json, re, struct, sys, zlib

policy = email.policy.default.clone(raise_on_defect=True)
expected = json.load(open(sys.argv[2], encoding="utf-8"))
pages = {}


def words(text):
    # Where writing runs from right to left it is closed off; where a line ends means nothing here.
    return " ".join(re.sub("[\u2066-\u2069]", "", text).split())


def lines(data):
    assert data.endswith(b"\r\n") and b"\n" not in data.replace(b"\r\n", b""), "a bare line feed"
    assert b"\r" not in data.replace(b"\r\n", b""), "a bare carriage return"
    assert all(byte < 128 for byte in data) and b"\0" not in data, "not ASCII"
    head, body = data.split(b"\r\n\r\n", 1)
    for line in head.split(b"\r\n"):
        # What relays sign must not be folded.
        assert len(line) <= (998 if line.startswith(b"List-Unsubscribe:") else 78), line
        assert line.strip(), "an empty line of a header"
    for line in body.split(b"\r\n"):
        assert len(line) <= 76 or line.startswith((b"Content-", b"--")) and len(line) <= 78, line


def picture(data):
    """The size of a PNG, all of whose chunks and lines are looked at."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    place, chunks = 8, []
    while place < len(data):
        length, name = struct.unpack(">I4s", data[place:place + 8])
        body, (sum,) = data[place + 8:place + 8 + length], struct.unpack(">I", data[place + 8 + length:place + 12 + length])
        assert zlib.crc32(name + body) == sum, name
        chunks.append((name, body))
        place += 12 + length
    assert [name for name, _ in chunks] == [b"IHDR", b"PLTE", b"IDAT", b"IEND"], chunks
    width, height, *kind = struct.unpack(">IIBBBBB", chunks[0][1])
    assert kind == [8, 3, 0, 0, 0]
    rows = zlib.decompress(chunks[2][1])
    colors = len(chunks[1][1]) // 3
    assert len(rows) == (width + 1) * height and max(rows) < colors <= 256 and len(set(rows)) > 8
    assert all(rows[row * (width + 1)] == 0 for row in range(height))
    return width, height


for line in open(sys.argv[1]):
    mail = json.loads(line)
    address = re.search("<(.*)>", mail["to"]).group(1)
    data, want = base64.b64decode(mail["data"]), expected[address]
    try:
        lines(data)
        message = email.message_from_bytes(data, policy=policy)
        parts = [part for part in message.walk()]
        assert not any(part.defects for part in parts)
        # Each is parsed as it is looked at, and its mistakes are raised.
        for part in parts:
            for name, value in part.items():
                assert not getattr(value, "defects", ()), (name, value.defects)
        assert [part.get_content_type() for part in parts] == want["parts"], [part.get_content_type() for part in parts]
        (to,), (sender,), (reply,) = (message[name].addresses for name in ("To", "From", "Reply-To"))
        # Python before 3.13 puts a blank between the encoded words of a name, which RFC 2047 §6.2 forbids; `header` does not.
        assert to.addr_spec == address and to.display_name.replace(" ", "") == want["name"].replace(" ", ""), repr(to.display_name)
        raw = email.message_from_bytes(data)["To"].rsplit("<", 1)[0] if want["name"] else ""
        name = str(email.header.make_header(email.header.decode_header(raw.strip())))
        assert name == want["name"], repr(name)
        assert sender.display_name == "Büro, «Süd» \"1\"" and reply.addr_spec == "office@example.com", sender
        assert message["Subject"] == want["subject"], message["Subject"]
        assert str(message["Date"]).endswith(want["date"]), message["Date"]
        assert message["Auto-Submitted"] == "auto-generated" and message["MIME-Version"] == "1.0"
        assert len(message.get_all("To")) == len(message.get_all("Subject")) == 1 and "Bcc" not in message
        assert re.fullmatch(r"<[^<>@\s]+@example.com>", message["Message-ID"].strip()), message["Message-ID"]
        assert message["List-Unsubscribe"].startswith("<mailto:office@example.com?subject=stop%20")
        leaves = [part for part in parts if not part.is_multipart()]
        text, page = leaves[0].get_content(), next((p.get_content() for p in leaves if p.get_content_type() == "text/html"), "")
        assert words(message["Subject"]).rstrip("…") in words(text), "the text does not begin with the subject"
        for word in want["texts"]:
            assert words(word) in words(text), word
        # Every picture is shown, and what is shown is there.
        pictures = {part["Content-ID"].strip("<> "): part for part in leaves if part.get_content_type() == "image/png"}
        assert sorted(pictures) == sorted(re.findall('src="cid:([^"]*)"', page)), pictures
        whole = page
        for name, part in pictures.items():
            width, height = picture(part.get_content())
            shown = re.search(f'cid:{re.escape(name)}" width="([0-9]+)"', page)
            assert int(shown[1]) * 2 == width and height <= 832, (shown, width, height)
            assert part.get_content_disposition() == "inline" and len(part.get_content()) < 16_000
            whole = whole.replace("cid:" + name, "data:image/png;base64," + base64.b64encode(part.get_content()).decode())
        for part in leaves:
            if part.get_content_type() == "text/calendar":
                assert part.get_content_disposition() == "attachment" and part.get_filename() == "route.ics"
                assert part.get_param("method") is None
                calendar = icalendar.Calendar.from_ical(part.get_payload(decode=True))
                events = calendar.walk("VEVENT")
                assert "METHOD" not in calendar and len({str(event["UID"]) for event in events}) == len(events) == want["events"]
                assert not calendar.errors and not any(event.errors for event in events)
        if page:
            encoded = next(part for part in leaves if part.get_content_type() == "text/html").get_payload()
            assert len(encoded) <= 90_000, len(encoded)
            pages[address + " whole"] = whole
            pages[address + " bare"] = re.sub("<svg.*?</svg>|<style.*?</style>|<link[^>]*>", "", page, flags=re.S)
            pages[address + " plain"] = re.sub(' (style|class)="[^"]*"', "", whole)
    except Exception as error:
        print(f"{address}: {type(error).__name__}: {error}", file=sys.stderr)
json.dump(pages, open(sys.argv[3], "w"))
print(len(expected), sum(1 for _ in open(sys.argv[1])))
