import FlowModel
import FlowPlatform
import FlowTestKit
import Testing

@testable import FlowControlServer

/// Which client loses its connection slot at the control socket when all are taken.
struct ControlClientsTests {
  @Test func `a client does not count as slow while the daemon was not polling`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/control.sock"
    let listener = try UnixSocketListener(path: path)
    defer { listener.removeName() }
    let uid = ProcessIdentity.user
    var clients = Clients(
      permission: ControlPermission(ownUID: uid, groupID: nil), events: ControlEvents(),
      gate: CallGate(ownUID: uid) {})
    let begin = Duration.seconds(1_000)
    var callers: [UnixSocketClient] = []
    // One more client than connection slots; none has sent a request.
    for _ in 0...Limits.controlClients {
      callers.append(try UnixSocketClient(path: path, deadline: .milliseconds(20)))
      _ = try clients.accept(from: listener, at: begin)
      clients.tidy(at: begin)
    }
    #expect(clients.interests.count == Limits.controlClients)
    func lost() -> Int {
      callers.count { caller in
        do { return try caller.receive() == nil } catch { return false }
      }
    }
    // The thread did not run for ten seconds: requests sent meanwhile are unread.
    clients.tidy(at: begin + .seconds(10))
    #expect(lost() == 0)
    // Now the thread has polled, and there was no request.
    clients.serve([], since: begin + .seconds(10), at: begin + .seconds(10))
    clients.tidy(at: begin + .seconds(10))
    #expect(lost() == 1)
    #expect(clients.interests.count == Limits.controlClients)
    clients.closeAll()
  }
}
