"""Mail servers as people have them, by aiosmtpd: one that demands STARTTLS and a login, and one that is encrypted from the
first byte. Whom they had mail from, by which way, is written to mails.jsonl of a folder, their ports to ports.

    mail-servers.py FOLDER CERTIFICATE KEY PASSWORD
"""
import json, os, ssl, sys, threading
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

folder, certificate, key, password = sys.argv[1:]


class Mailbox:
    async def handle_DATA(self, server, session, envelope):
        with open(f"{folder}/mails.jsonl", "a") as file:
            file.write(json.dumps({
                "to": envelope.rcpt_tos, "encrypted": session.ssl is not None or bool(server.transport.get_extra_info("sslcontext")),
                "login": bool(session.authenticated), "bytes": len(envelope.content)}) + "\n")
        return "250 taken"


def login(server, session, envelope, mechanism, data):
    right = isinstance(data, LoginPassword) and data.login == b"routes" and data.password == password.encode()
    return AuthResult(success=right, handled=False) if not right else AuthResult(success=True)


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)


class Free(Controller):
    """On a port that is free, which it looks at itself once it has one."""

    def _trigger_server(self):
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


servers = [
    Free(Mailbox(), "127.0.0.1", 0, tls_context=context, require_starttls=True, authenticator=login, auth_required=True),
    Free(Mailbox(), "127.0.0.1", 0, ssl_context=context),
]
for server in servers:
    server.start()
with open(folder + "/ports.new", "w") as file:
    file.write(" ".join(str(server.port) for server in servers))
os.rename(folder + "/ports.new", folder + "/ports")
threading.Event().wait()
