import FlowPlatform
import Glibc
import Testing

struct UnixSocketTests {
  /// A temporary folder, removed with its contents.
  private final class Folder {
    let path: String

    init() throws {
      var template = Array("/tmp/poolflow-socket-XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else { throw SocketError.failed(operation: "make", path: nil, errno: errno) }
      path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func file(_ name: String) -> String { path + "/" + name }

    deinit {
      for name in ["control.sock", "file", "link"] { unlink(file(name)) }
      rmdir(file("a/b"))
      rmdir(file("a"))
      rmdir(path)
    }
  }

  private func mode(of path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode : 0
  }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func `bytes pass both ways between a client and an accepted connection`() throws {
    let folder = try Folder()
    let listener = try UnixSocketListener(path: folder.file("control.sock"))
    let client = try UnixSocketClient(path: folder.file("control.sock"), deadline: .seconds(5))
    guard case .connection(let server) = try listener.accept() else {
      Issue.record("no client was accepted")
      return
    }
    try client.send(bytes("question"))
    var buffer = [UInt8](repeating: 0, count: 64)
    #expect(try server.receive(into: &buffer) == .bytes(8))
    #expect(Array(buffer[..<8]) == bytes("question"))
    #expect(try server.receive(into: &buffer) == .later)
    #expect(try server.send(bytes("answer")[...]) == 6)
    #expect(try client.receive().map { Array($0) } == bytes("answer"))
    #expect(shutdown(server.descriptor, Int32(SHUT_WR)) == 0)
    #expect(try client.receive() == nil)
  }

  @Test func `the socket has the requested mode, regardless of the umask`() throws {
    let folder = try Folder()
    let listener = try UnixSocketListener(path: folder.file("control.sock"), mode: 0o660)
    #expect(mode(of: folder.file("control.sock")) == S_IFSOCK | 0o660)
    listener.removeName()
    #expect(mode(of: folder.file("control.sock")) == 0)
  }

  @Test func `accepting without a waiting client returns no connection and no error`() throws {
    let folder = try Folder()
    let listener = try UnixSocketListener(path: folder.file("control.sock"))
    guard case .noClient = try listener.accept() else {
      Issue.record("a client was accepted")
      return
    }
  }

  @Test func `a stale socket is replaced`() throws {
    let folder = try Folder()
    let path = folder.file("control.sock")
    do {
      // The listener ends without removing the name, as in a killed daemon.
      _ = try UnixSocketListener(path: path)
    }
    #expect(mode(of: path) != 0)
    _ = try UnixSocketListener(path: path)
  }

  @Test func `a socket in use is not replaced`() throws {
    let folder = try Folder()
    let path = folder.file("control.sock")
    let first = try UnixSocketListener(path: path)
    #expect(throws: SocketError.inUse(path: path)) { try UnixSocketListener(path: path) }
    _ = try UnixSocketClient(path: path, deadline: .seconds(5))
    first.removeName()
  }

  @Test func `a file, folder or link at the socket's path is refused and kept`() throws {
    let folder = try Folder()
    let file = folder.file("file")
    close(creat(file, 0o600))
    #expect(throws: SocketError.notASocket(path: file)) { try UnixSocketListener(path: file) }
    #expect(mode(of: file) == S_IFREG | 0o600)
    #expect(throws: SocketError.notASocket(path: folder.path)) { try UnixSocketListener(path: folder.path) }
    let link = folder.file("link")
    #expect(symlink(file, link) == 0)
    #expect(throws: SocketError.notASocket(path: link)) { try UnixSocketListener(path: link) }
  }

  @Test func `a socket name taken over by another listener is not removed`() throws {
    let folder = try Folder()
    let path = folder.file("control.sock")
    let first = try UnixSocketListener(path: path)
    unlink(path)
    let second = try UnixSocketListener(path: path)
    first.removeName()
    _ = try UnixSocketClient(path: path, deadline: .seconds(5))
    second.removeName()
    #expect(mode(of: path) == 0)
  }

  @Test func `a path of 107 bytes is the longest`() throws {
    let long = "/tmp/" + String(repeating: "x", count: 103)
    #expect(throws: SocketError.pathTooLong(path: long, bytes: 108)) { try UnixSocketListener(path: long) }
    #expect(throws: SocketError.pathTooLong(path: long, bytes: 108)) {
      try UnixSocketClient(path: long, deadline: .seconds(1))
    }
    let longest = String(long.dropLast())
    let listener = try UnixSocketListener(path: longest)
    listener.removeName()
  }

  @Test func `a client without a daemon gets an error`() throws {
    let folder = try Folder()
    let path = folder.file("control.sock")
    #expect(throws: SocketError.noDaemonAnswers(path: path, errno: ENOENT)) {
      try UnixSocketClient(path: path, deadline: .seconds(1))
    }
    do { _ = try UnixSocketListener(path: path) }
    #expect(throws: SocketError.noDaemonAnswers(path: path, errno: ECONNREFUSED)) {
      try UnixSocketClient(path: path, deadline: .seconds(1))
    }
  }

  @Test func `a client waits for a daemon at most until its deadline`() throws {
    let folder = try Folder()
    let path = folder.file("control.sock")
    let listener = try UnixSocketListener(path: path)
    let client = try UnixSocketClient(path: path, deadline: .milliseconds(20))
    #expect(throws: SocketError.timedOut(path: path)) { try client.receive() }
    listener.removeName()
  }

  @Test func `a disconnected peer gives an error, not a signal`() throws {
    let folder = try Folder()
    let path = folder.file("control.sock")
    let listener = try UnixSocketListener(path: path)
    let client = try UnixSocketClient(path: path, deadline: .seconds(5))
    if case .connection = try listener.accept() {}
    #expect(throws: SocketError.closed) { try client.send(bytes("anyone?")) }
  }

  @Test func `missing directories above a socket are created`() throws {
    let folder = try Folder()
    try UnixSocketListener.makeDirectories(for: folder.file("a/b/control.sock"))
    try UnixSocketListener.makeDirectories(for: folder.file("a/b/control.sock"))
    #expect(mode(of: folder.file("a/b")) & S_IFMT == S_IFDIR)
    close(creat(folder.file("file"), 0o600))
    #expect(throws: SocketError.self) {
      try UnixSocketListener.makeDirectories(for: folder.file("file/b/control.sock"))
    }
  }

  @Test func `a poller reports ready sockets and can be woken`() throws {
    let folder = try Folder()
    let path = folder.file("control.sock")
    let listener = try UnixSocketListener(path: path)
    let poller = try SocketPoller()
    let interest = [SocketPoller.Interest(listener.socket, reading: true, writing: false)]
    #expect(try poller.wait(for: interest, timeout: .zero).map(\.readable) == [false])
    poller.wake()
    // Without the wake-up this would never return.
    #expect(try poller.wait(for: interest, timeout: nil).map(\.readable) == [false])
    let client = try UnixSocketClient(path: path, deadline: .seconds(5))
    #expect(try poller.wait(for: interest, timeout: nil).map(\.readable) == [true])
    try client.send(bytes("x"))
  }

  @Test func `the kernel reports the peer's user and groups`() throws {
    let folder = try Folder()
    let path = folder.file("control.sock")
    let listener = try UnixSocketListener(path: path)
    let client = try UnixSocketClient(path: path, deadline: .seconds(5))
    guard case .connection(let server) = try listener.accept() else {
      Issue.record("no client was accepted")
      return
    }
    let peer = try PeerCredentials(of: server)
    #expect(peer.uid == geteuid())
    #expect(peer.gid == getegid())
    #expect(peer.pid == getpid())
    #expect(peer.isMember(of: getegid()))
    #expect(!peer.isMember(of: 4_000_000))
    try client.send(bytes("x"))
  }

  @Test func `a supplementary group counts as membership`() {
    let peer = PeerCredentials(uid: 1_000, gid: 1_000, pid: 1, groups: [27, 998])
    #expect(peer.isMember(of: 998))
    #expect(peer.isMember(of: 1_000))
    #expect(!peer.isMember(of: 0))
  }

  @Test func `accounts are found by name and number`() {
    #expect(Accounts.groupID(named: "root") == 0)
    #expect(Accounts.groupID(named: "no-such-group-here") == nil)
    #expect(Accounts.userName(0) == "root")
    #expect(Accounts.userName(4_000_000_000) == nil)
  }

  @Test func `socket errors name the operation, the path and the reason`() {
    #expect(
      SocketError.failed(operation: "bind", path: "/run/x.sock", errno: EACCES).description
        == "cannot bind '/run/x.sock': Permission denied")
    #expect(
      SocketError.noDaemonAnswers(path: "/run/x.sock", errno: ENOENT).description
        == "no daemon answers at /run/x.sock: No such file or directory")
  }
}
