import Foundation
import Glibc
import PoolControl
import PoolPlatform
import Testing

extension Programs {
  /// The example of a consumer, against an HTTP server of Python's library on the loopback interface.
  @Suite struct PostExampleTests {
    private static let script = Checkout.root + "/units/examples/poolflow-post.py"
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    private static let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"

    /// Writes down each request: its headers, an empty line, its body. It says 503 as long as the file `down` is there.
    private static let server = #"""
      import http.server, os, sys
      folder = sys.argv[1]
      class Server(http.server.BaseHTTPRequestHandler):
          def do_POST(self):
              body = self.rfile.read(int(self.headers["content-length"]))
              if os.path.exists(folder + "/down"):
                  self.send_error(503)
                  return
              with open(folder + "/" + self.headers["webhook-id"], "xb") as file:
                  file.write("".join(f"{k.lower()}: {v}\n" for k, v in self.headers.items()).encode() + b"\n" + body)
              self.send_response(204)
              self.end_headers()
      server = http.server.HTTPServer(("127.0.0.1", 0), Server)
      open(folder + "/port.new", "w").write(str(server.server_port))
      os.rename(folder + "/port.new", folder + "/port")
      server.serve_forever()
      """#

    @Test func `the bytes reach an HTTP server unchanged, with a signature that it can check, and go when it has them`()
      throws
    {
      let daemon = try Daemon(at: "2026-03-02T20:00:00Z")
      let keys = try daemon.scratch.folder("keys")
      try daemon.scratch.write("keys/post-key", (Self.secret + "\n").utf8)
      try daemon.scratch.write("poolflow.conf", "[Sink drop]\nType = file-drop\nSign = post-key\n".utf8)
      try daemon.start(environment: ["CREDENTIALS_DIRECTORY": keys])
      try daemon.change("run", "morning-summary", "--team", "desert-blue")
      try eventually("a file with its headers and its page", { Files.names(in: daemon.drop).count == 3 })
      let name = try #require(Files.names(in: daemon.drop).first { $0.hasSuffix(".json") })
      let bytes = try Files.bytes("\(daemon.drop)/\(name)")

      let taken = try daemon.scratch.folder("taken")
      try daemon.scratch.write("server.py", Self.server.utf8)
      let python = try RunningProgram(
        "/usr/bin/env", ["python3", daemon.scratch.path + "/server.py", taken], environment: ["PATH": Self.path],
        output: .writing(daemon.scratch.path + "/server.out"), errors: daemon.scratch.path + "/server.err")
      try eventually("a port", { Files.exists(taken + "/port") })
      let url = "http://127.0.0.1:\(try Files.text(taken + "/port"))/"
      func post() throws -> Answer {
        try Program.run(
          "/usr/bin/env", ["python3", Self.script, daemon.drop, url], in: daemon.scratch,
          environment: ["PATH": Self.path])
      }
      // A server that is down leaves everything where it is.
      try daemon.scratch.write("taken/down", [])
      #expect(try post().code != 0)
      #expect(Files.names(in: daemon.drop).count == 3)
      unlink(taken + "/down")
      let answer = try post()
      #expect(answer.code == 0, "\(answer.errors)")
      #expect(Files.names(in: daemon.drop).isEmpty)
      python.send(SIGKILL)

      let request = try #require(Files.names(in: taken).first { $0.hasPrefix("msg_") })
      let whole = try Files.bytes("\(taken)/\(request)")
      #expect(whole.suffix(bytes.count).elementsEqual(bytes))
      let headers = String(decoding: whole.dropLast(bytes.count), as: UTF8.self)
      #expect(headers.contains("content-type: application/cloudevents+json\n"))
      let seconds = try #require(headers.firstMatch(of: /webhook-timestamp: ([0-9]+)\n/)?.1)
      let key = try #require(Data(base64Encoded: String(Self.secret.dropFirst(6))))
      let digest = HMACSHA256.digest(of: Array("\(request).\(seconds).".utf8) + bytes, key: Array(key))
      #expect(headers.contains("webhook-signature: v1,\(Data(digest).base64EncodedString())\n"))
    }

    @Test func `a secret that is missing or none stops the start with a sentence that does not hold it`() throws {
      let daemon = try Daemon(at: "2026-03-02T20:00:00Z")
      try daemon.scratch.write("poolflow.conf", "[Sink drop]\nType = file-drop\nSign = post-key\n".utf8)
      try daemon.launch()
      #expect(try daemon.program?.end() == .exit(78))
      #expect(daemon.log.contains("there is no credential 'post-key'"))
      let keys = try daemon.scratch.folder("keys")
      try daemon.scratch.write("keys/post-key", "hunter2-hunter2".utf8)
      try daemon.launch(environment: ["CREDENTIALS_DIRECTORY": keys])
      #expect(try daemon.program?.end() == .exit(78))
      #expect(daemon.log.contains("the credential 'post-key' is no signing secret") && !daemon.log.contains("hunter2"))
    }

    @Test func `the units of the example name files that are there`() throws {
      let service = try Files.text(Checkout.root + "/units/examples/poolflow-post.service")
      let path = try Files.text(Checkout.root + "/units/examples/poolflow-post.path")
      #expect(service.contains("/poolflow-post.py /srv/poolflow/post/new "))
      #expect(path.contains("DirectoryNotEmpty=/srv/poolflow/post/new\n"))
      #expect(access(Self.script, X_OK) == 0)
    }
  }
}
