"""A mail server and a web server that answer as they are asked to, and write down what they were sent.

The mail server goes by words in the address (rcpt4 rcpt5 data4 end4 end5 lost hang), the web server by the first part of
the path, as the channels' documentation says that they answer:

    ok          200, in the words of the channel
    once-N      N with Retry-After: 1 to the first request of each key, then 200
    N           N to every request, with the words of --answer where there are any
    hang half endless   no answer, an answer that ends early, one that never ends
    say/NAME    the first, second, … of the answers that stand under NAME in answers.json, the last again and again:
                {"code": 429, "body": "…", "headers": {"Retry-After": "in 2 s"}} (as an HTTP date), {"end": "empty"}, {"end": "rst"}
"""
import base64, email.utils, http.server, json, os, socket, socketserver, struct, sys, threading, time

folder = sys.argv[1]
lock = threading.Lock()
seen = {}
ended = threading.Event()


def record(name, entry):
    with lock, open(f"{folder}/{name}", "a") as file:
        file.write(json.dumps(entry) + "\n")


class Mail(socketserver.StreamRequestHandler):
    def say(self, text):
        self.wfile.write((text + "\r\n").encode())

    def handle(self):
        self.say("220 stub")
        sender = to = ""
        while line := self.rfile.readline():
            words = line.decode("latin-1").strip()
            verb = words[:4].upper()
            if verb == "EHLO":
                self.say("250 stub")
            elif verb == "MAIL":
                sender, to = words, ""
                self.say("250 ok")
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
                    self.say("250 ok")
            elif verb == "DATA":
                self.say("354 go")
                data = b""
                while (line := self.rfile.readline()) and line != b".\r\n":
                    data += line[1:] if line.startswith(b".") else line
                record("mails.jsonl", {"from": sender, "to": to, "data": base64.b64encode(data).decode()})
                if "lost" in to and seen.setdefault(to, 0) < 1:
                    seen[to] += 1
                    return
                self.say("451 later" if "end4" in to else "554 no" if "end5" in to else "250 taken")
            elif verb == "QUIT":
                self.say("221 bye")
                return
            else:
                self.say("500 what")


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
        code, words, extra = 200, os.environ.get("ANSWER", "{}"), {}
        if how.startswith("once-"):
            with lock:
                count = seen[key] = seen.get(key, 0) + 1
            if count == 1:
                code, extra = int(how[5:]), {"Retry-After": "1"}
        elif how.isdigit():
            code = int(how)
            if code in (301, 302):
                extra = {"Location": "/ok"}
        elif how == "say":
            name = self.path.split("/")[2]
            with lock:
                count = seen[name] = seen.get(name, 0) + 1
            with open(f"{folder}/answers.json") as file:
                answers = json.load(file)[name]
            answer = answers[min(count, len(answers)) - 1]
            if "end" in answer:
                if answer["end"] == "rst":
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.close_connection = True
                self.connection.close()
                return
            code, words, extra = answer["code"], answer.get("body", ""), answer.get("headers", {})
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
        self.send_header("Content-Length", str(len(words)))
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
