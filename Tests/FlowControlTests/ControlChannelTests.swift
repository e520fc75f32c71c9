import FlowControl
import FlowModel
import FlowTestKit
import Testing

struct ControlChannelTests {
  private let start: Duration = .seconds(1_000)
  private let call = Array(#"{"method":"org.poolflow.Teams.List"}"#.utf8)

  private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func `calls of one connection are processed one at a time, in order`() {
    var channel = ControlChannel(at: start)
    channel.received([65, 0, 66, 0, 67], at: start)
    #expect(channel.nextCall(at: start) == [65])
    #expect(channel.nextCall(at: start) == nil)
    #expect(!channel.wantsInput)
    channel.answer([1], last: true, at: start)
    #expect(channel.nextCall(at: start) == [66])
    channel.answer([2], last: false, at: start)
    #expect(channel.isAnswering)
    channel.answer([3], last: true, at: start)
    #expect(channel.nextCall(at: start) == nil)
    #expect(Array(channel.pendingOutput) == [1, 0, 2, 0, 3, 0])
    #expect(channel.wantsInput)
  }

  @Test func `a one-way call gets no reply`() {
    var channel = ControlChannel(at: start)
    channel.received(call + [0], at: start)
    #expect(channel.nextCall(at: start) == call)
    channel.answer(nil, last: true, at: start)
    #expect(!channel.wantsOutput)
    #expect(channel.isIdle)
  }

  @Test func `a partial frame must be complete five seconds after its first byte`() {
    var channel = ControlChannel(at: start)
    #expect(channel.overdueAt == nil)
    channel.received([65], at: start)
    #expect(channel.nextCall(at: start) == nil)
    channel.received([66], at: start + .seconds(4))
    #expect(channel.overdueAt == start + .seconds(5))
    channel.received([0], at: start + .seconds(4.5))
    #expect(channel.nextCall(at: start + .seconds(4.5)) == [65, 66])
    #expect(channel.overdueAt == nil)
  }

  @Test func `a partial frame behind a call gets its five seconds after the reply`() {
    var channel = ControlChannel(at: start)
    channel.received([65, 0, 66], at: start)
    #expect(channel.nextCall(at: start) == [65])
    #expect(channel.overdueAt == nil)
    channel.answer(nil, last: true, at: start + .seconds(60))
    #expect(channel.overdueAt == start + .seconds(65))
  }

  @Test func `a reader that takes nothing is overdue, one that takes a little is not`() {
    var channel = ControlChannel(at: start)
    channel.received([65, 0], at: start)
    _ = channel.nextCall(at: start)
    channel.answer(Array(repeating: 66, count: 100), last: true, at: start)
    #expect(channel.overdueAt == start + .seconds(5))
    channel.wrote(50, at: start + .seconds(3))
    #expect(channel.overdueAt == start + .seconds(8))
    channel.wrote(51, at: start + .seconds(4))
    #expect(channel.overdueAt == nil)
    #expect(!channel.isFinished)
  }

  @Test func `an idle connection is never overdue`() {
    let channel = ControlChannel(at: start)
    #expect(channel.overdueAt == nil)
    #expect(channel.isIdle)
    #expect(channel.wantsInput)
    #expect(!channel.wantsOutput)
  }

  @Test func `a frame beyond the limit gets an error and ends the connection`() {
    var channel = ControlChannel(at: start, frameLimit: 2_048)
    channel.received(Array(repeating: 65, count: 3_000), at: start)
    #expect(channel.nextCall(at: start) == nil)
    #expect(text(channel.pendingOutput).contains("org.poolflow.Control.TooLarge"))
    #expect(!channel.wantsInput)
    #expect(!channel.isFinished)
    channel.wrote(channel.pendingOutput.count, at: start)
    #expect(channel.isFinished)
  }

  @Test func `a half-closed peer gets its reply before the connection closes`() {
    var channel = ControlChannel(at: start)
    channel.received([65, 0], at: start)
    channel.inputDidEnd()
    #expect(channel.nextCall(at: start) == [65])
    #expect(!channel.isFinished)
    channel.answer([66], last: true, at: start)
    #expect(!channel.isFinished)
    channel.wrote(2, at: start)
    #expect(channel.isFinished)
  }

  @Test func `closing completes the active call and accepts no other`() {
    var channel = ControlChannel(at: start)
    channel.received([65, 0, 66, 0], at: start)
    _ = channel.nextCall(at: start)
    channel.close()
    channel.received([67, 0], at: start)
    channel.answer([1], last: true, at: start)
    #expect(channel.nextCall(at: start) == nil)
    #expect(Array(channel.pendingOutput) == [1, 0])
    channel.wrote(2, at: start)
    #expect(channel.isFinished)
  }

  @Test func `a client with unread replies gets no further call processed`() {
    var channel = ControlChannel(at: start)
    channel.received([65, 0, 66, 0, 67], at: start)
    _ = channel.nextCall(at: start)
    channel.answer(Array(repeating: 1, count: Limits.controlBacklogBytes + 10), last: true, at: start)
    #expect(channel.nextCall(at: start) == nil)
    #expect(!channel.wantsInput)
    #expect(channel.overdueAt == start + .seconds(5))
    channel.wrote(100, at: start + .seconds(4))
    #expect(channel.nextCall(at: start + .seconds(4)) == [66])
    channel.answer(nil, last: true, at: start + .seconds(4))
    #expect(channel.wantsInput)
    channel.wrote(channel.pendingOutput.count, at: start + .seconds(4))
    #expect(channel.overdueAt == start + .seconds(9))
  }

  @Test func `after a disconnect only one-way calls are still processed`() throws {
    var channel = ControlChannel(at: start)
    let silent = try Envelope.call(TeamsCall.List(), oneway: true)
    channel.received(call + [0] + call + [0] + silent + [0] + call + [0], at: start)
    #expect(channel.nextCall(at: start) == call)
    channel.peerDidDisconnect()
    channel.answer([1], last: true, at: start)
    #expect(!channel.wantsOutput)
    #expect(channel.nextCall(at: start) == silent)
    channel.answer(nil, last: true, at: start)
    #expect(channel.nextCall(at: start) == nil)
    channel.inputDidEnd()
    #expect(channel.isFinished)
  }

  @Test func `a reply's memory is withdrawn from a reader that is too slow`() {
    var channel = ControlChannel(at: start)
    #expect(channel.memoryDeadline == nil)
    channel.received([65, 0], at: start)
    _ = channel.nextCall(at: start)
    channel.answer(Array(repeating: 66, count: 1_000), last: true, at: start)
    channel.wrote(100, at: start)
    #expect(channel.memoryDeadline == start + Limits.firstReadPatience)
    channel.wrote(1, at: start + .milliseconds(90))
    #expect(channel.memoryDeadline == start + .milliseconds(90) + Limits.nextReadPatience)
    for drop in 2...50 { channel.wrote(1, at: start + .milliseconds(90 * drop)) }
    #expect(channel.memoryDeadline == start + .seconds(5))
    channel.wrote(851, at: start + .seconds(9))
    #expect(channel.memoryDeadline == nil)
  }

  @Test func `any order of input, replies and writes keeps the output in order`() {
    var generator = SeededNumbers(seed: 21)
    for _ in 0..<100 {
      var channel = ControlChannel(at: start)
      var sent: [UInt8] = []
      var expected: [UInt8] = []
      var next: UInt8 = 1
      for _ in 0..<200 {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: channel.received([next, 0], at: start)
        case 1:
          if channel.nextCall(at: start) != nil {
            channel.answer([next, next], last: true, at: start)
            expected += [next, next, 0]
            next = next % 200 + 1
          }
        default:
          let piece = channel.pendingOutput.prefix(Int.random(in: 0...5, using: &generator))
          sent += piece
          if !piece.isEmpty { channel.wrote(piece.count, at: start) }
        }
      }
      #expect(sent + channel.pendingOutput == expected)
    }
  }
}
