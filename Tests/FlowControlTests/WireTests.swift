import FlowControl
import FlowPlatform
import Glibc
import Testing

/// The protocol over a real socket with both ends in one thread, as an external client would use it.
struct WireTests {
  private final class Line {
    let path = "/tmp/poolflow-wire-\(getpid())-\(UInt64.random(in: 0 ... .max)).sock"
    let listener: UnixSocketListener
    let client: UnixSocketClient
    let server: UnixSocket
    var channel = ControlChannel(at: .zero)

    init() throws {
      listener = try UnixSocketListener(path: path)
      client = try UnixSocketClient(path: path, deadline: .seconds(180))
      guard case .connection(let server) = try listener.accept() else { throw SocketError.closed }
      self.server = server
    }

    deinit { listener.removeName() }

    /// Reads the available input and answers every call with `answer`.
    func serve(_ answer: ([UInt8]) throws -> [[UInt8]]) throws {
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      while case .bytes(let count) = try server.receive(into: &buffer) {
        channel.received(buffer[..<count], at: .zero)
        while let call = channel.nextCall(at: .zero) {
          let frames = try answer(call)
          for (index, frame) in frames.enumerated() {
            channel.answer(frame, last: index == frames.count - 1, at: .zero)
          }
        }
        while channel.wantsOutput { channel.wrote(try server.send(channel.pendingOutput), at: .zero) }
      }
    }

    func frames(_ count: Int) throws -> [[UInt8]] {
      var reader = FrameReader(limit: 1 << 20)
      var frames: [[UInt8]] = []
      while frames.count < count {
        if let frame = try reader.next() {
          frames.append(frame)
        } else if let bytes = try client.receive() {
          reader.append(bytes)
        } else {
          break
        }
      }
      return frames
    }
  }

  @Test func `a call in two halves gets one reply`() throws {
    let line = try Line()
    let call = try Envelope.call(TeamsCall.Show(name: "desert")) + [0]
    try line.client.send(Array(call.prefix(20)))
    try line.serve { _ in
      Issue.record("half a call was handed out")
      return []
    }
    try line.client.send(Array(call.dropFirst(20)))
    try line.serve { frame in
      #expect(try Envelope.parameters(of: frame, as: TeamsCall.Show.self).name == "desert")
      return [try Envelope.answer(TeamsCall.Show.Reply(team: Samples.team))]
    }
    let answer = try #require(try line.frames(1).first)
    let team = try Envelope.read(answer, as: TeamsCall.Show.Reply.self).reply.team
    #expect(String(reflecting: team) == String(reflecting: Samples.team))
  }

  @Test func `three calls in one write are answered in order`() throws {
    let line = try Line()
    var bytes: [UInt8] = []
    for name in ["a", "b", "c"] { bytes += try Envelope.call(TeamsCall.Show(name: name)) + [0] }
    try line.client.send(bytes)
    try line.serve { frame in
      [Envelope.error(.noSuchTeam(try Envelope.parameters(of: frame, as: TeamsCall.Show.self).name))]
    }
    let names = try line.frames(3).map { frame in
      do {
        _ = try Envelope.read(frame, as: TeamsCall.Show.Reply.self)
        return ""
      } catch let error as ControlError {
        return error.facts["name"] ?? ""
      }
    }
    #expect(names == ["a", "b", "c"])
  }

  @Test func `a stream continues until its last reply`() throws {
    let line = try Line()
    try line.client.send(try Envelope.call(SchedulerCall.Simulate(days: 1), more: true) + [0])
    try line.serve { frame in
      #expect(try Envelope.head(of: frame).more)
      let empty = SchedulerCall.Simulate.Reply(events: [])
      return [
        try Envelope.answer(empty, continues: true), try Envelope.answer(empty, continues: true),
        try Envelope.answer(empty),
      ]
    }
    let continues = try line.frames(3).map { try Envelope.read($0, as: SchedulerCall.Simulate.Reply.self).continues }
    #expect(continues == [true, true, false])
  }
}
