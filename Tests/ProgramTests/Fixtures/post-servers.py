"""A mail server and a web server that answer as they are asked to, and write down what they were sent.

The mail server goes by words in the address (rcpt4 rcpt5 data4 end4 end5 lost hang) and by mail.json, which says what else
it answers, by the command: {"greeting": "554 no", "ehlo": "…", "mail": "553 5.7.1 …", "rcpt": "…", "data": "…", "end": "…"}.
With {"only": "WORD"} the answers are for addresses with that word. {"holds": true} keeps the answer to the end of a mail until
the file "release" is there, and counts those that it keeps in "held".

The web server goes by the first part of the path, as the channels' documentation says that they answer:

    ok          200, in the words of the channel
    once-N      N with Retry-After: 1 to the first request of each key, then 200
    N           N to every request, with the words of --answer where there are any
    hang half endless   no answer, an answer that ends early, one that never ends
    say/NAME    the first, second, … of the answers that stand under NAME in answers.json, the last again and again:
                {"code": 429, "body": "…", "headers": {"Retry-After": "in 2 s"}} (as an HTTP date), {"end": "empty"}, {"end": "rst"};
                without a body it is in the words of the channel. What has "with" answers every request that holds that text.
"""
import base64, email.utils, http.server, json, os, socket, socketserver, struct, sys, threading, time

folder = sys.argv[1]
lock = threading.Lock()
seen = {}
ended = threading.Event()


def record(name, entry):
    with lock, open(f"{folder}/{name}", "a") as file:
        file.write(json.dumps(entry) + "\n")


def script():
    try:
        with open(f"{folder}/mail.json") as file:
            return json.load(file)
    except FileNotFoundError:
        return {}


class Mail(socketserver.StreamRequestHandler):
    def say(self, text):
        self.wfile.write((text + "\r\n").encode())

    def hold(self):
        record("held", {})
        while not os.path.exists(f"{folder}/release") and not ended.wait(0.02):
            pass

    def handle(self):
        own = script()
        self.say(own.get("greeting", "220 stub"))
        sender = to = ""

        def scripted(verb):
            return own.get(verb) if own.get("only", "") in to else None

        while line := self.rfile.readline():
            words = line.decode("latin-1").strip()
            verb = words[:4].upper()
            if verb in ("EHLO", "HELO"):
                self.say(own.get("ehlo", "250 stub"))
            elif verb == "AUTH":
                self.say(own.get("auth", "235 ok"))
            elif verb == "MAIL":
                sender, to = words, ""
                self.say(own.get("mail", "250 ok"))
            elif verb == "RCPT":
                to = words
                if "rcpt4" in to and seen.setdefault(to, 0) < 1:
                    seen[to] += 1
                    self.say("450 not yet")
                elif "rcpt5" in to:
                    self.say("550 no such user")
                elif "hang" in to:
                    ended.wait(60)
                    return
                else:
                    self.say(scripted("rcpt") or "250 ok")
            elif verb == "DATA":
                if answer := scripted("data"):
                    self.say(answer)
                    continue
                self.say("354 go")
                data = b""
                while (line := self.rfile.readline()) and line != b".\r\n":
                    data += line[1:] if line.startswith(b".") else line
                record("mails.jsonl", {"from": sender, "to": to, "data": base64.b64encode(data).decode()})
                if "lost" in to and seen.setdefault(to, 0) < 1:
                    seen[to] += 1
                    return
                if own.get("holds") and own.get("only", "") in to:
                    self.hold()
                self.say("451 later" if "end4" in to else "554 no" if "end5" in to else scripted("end") or "250 taken")
            elif verb == "QUIT":
                self.say("221 bye")
                return
            else:
                self.say("500 what")


def taken(path, body):
    """The words in which the service that is asked says that it has taken a message; its status."""
    if b'"specversion"' in body:
        return 200, "{}"
    if "/_matrix/" in path:
        return 200, '{"event_id":"$1:host"}'
    if "/sendMessage" in path:
        return 200, '{"ok":true,"result":{"message_id":1}}'
    if b'"topic"' in body:
        return 200, '{"id":"sPs71M8A2T","time":1795435200,"event":"message","topic":"t"}'
    if b'"attachments"' in body:
        return 202, ""
    if b'"blocks"' in body or body.startswith(b'{"text"'):
        return 200, "ok"
    return 200, "{}"


class Web(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def answer(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        how = self.path.split("/")[1].split("?")[0]
        record("requests.jsonl", {
            "method": self.command, "path": self.path, "headers": dict((k.lower(), v) for k, v in self.headers.items()),
            "body": base64.b64encode(body).decode()})
        key = how + self.path + (self.headers.get("webhook-id") or "") + body.decode("utf-8", "replace")
        (code, words), extra = taken(self.path, body), {}
        if how.startswith("once-"):
            with lock:
                count = seen[key] = seen.get(key, 0) + 1
            if count == 1:
                code, words, extra = int(how[5:]), "", {"Retry-After": "1"}
        elif how.isdigit():
            code, words = int(how), ""
            if code in (301, 302):
                extra = {"Location": "/ok"}
        elif how == "say":
            name = self.path.split("/")[2]
            with open(f"{folder}/answers.json") as file:
                answers = json.load(file)[name]
            answer = next((one for one in answers if one.get("with", "\0").encode() in body), None)
            if answer is None:
                answers = [one for one in answers if "with" not in one]
                with lock:
                    count = seen[name] = seen.get(name, 0) + 1
                answer = answers[min(count, len(answers)) - 1]
            if "end" in answer:
                if answer["end"] == "rst":
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.close_connection = True
                self.connection.close()
                return
            code, extra = answer["code"], answer.get("headers", {})
            words = answer.get("body", words if code in (200, 202) else "")
            for header, value in extra.items():
                if value.startswith("in "):
                    extra[header] = email.utils.formatdate(time.time() + int(value.split()[1]), usegmt=True)
        elif how == "hang":
            ended.wait(60)
            self.close_connection = True
            return
        elif how == "half":
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"{")
            self.close_connection = True
            return
        elif how == "endless":
            self.send_response(200)
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b"x" * 65536)
            except OSError:
                self.close_connection = True
                return
        self.send_response(code)
        for name, value in extra.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(words.encode())))
        self.end_headers()
        self.wfile.write(words.encode())

    do_POST = do_PUT = do_GET = answer


class MailServer(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 64


class WebServer(http.server.ThreadingHTTPServer):
    request_queue_size = 64


servers = [MailServer(("127.0.0.1", 0), Mail), WebServer(("127.0.0.1", 0), Web)]
for server in servers:
    threading.Thread(target=server.serve_forever, daemon=True).start()
with open(folder + "/ports.new", "w") as file:
    file.write(" ".join(str(server.server_address[1]) for server in servers))
os.rename(folder + "/ports.new", folder + "/ports")
ended.wait()
