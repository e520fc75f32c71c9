import PoolModel
import PoolPlatform
import PoolTestKit
import Testing

@testable import PoolDaemon

/// Who keeps a place at the control socket when there are too few.
struct ControlClientsTests {
  @Test func `nobody is slow for the time in which nobody looked`() throws {
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
    // One more than there are places, none of which has asked anything.
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
    // The thread had no processor for ten seconds: whatever came in them has not been read.
    clients.tidy(at: begin + .seconds(10))
    #expect(lost() == 0)
    // It has looked now, and there was nothing.
    clients.serve([], since: begin + .seconds(10), at: begin + .seconds(10))
    clients.tidy(at: begin + .seconds(10))
    #expect(lost() == 1)
    #expect(clients.interests.count == Limits.controlClients)
    clients.closeAll()
  }
}
