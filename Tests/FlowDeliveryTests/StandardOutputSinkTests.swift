import FlowDelivery
import FlowModel
import FlowNotices
import FlowTestKit
import Foundation
import Glibc
import Synchronization
import Testing

/// A pipe whose ends the test reads, fills and closes.
private final class TestPipe: Sendable {
  let reading: Int32
  let writing: Int32
  private let isReaderOpen = Mutex(true)

  init() throws {
    // A named pipe, because only `open` sets close-on-exec atomically: a program that another test starts meanwhile must not
    // inherit an end.
    let folder = try TemporaryFolder(inMemory: true)
    let path = folder.path + "/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    reading = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    writing = open(path, O_WRONLY | O_CLOEXEC)
    try #require(reading >= 0 && writing >= 0)
    _ = fcntl(reading, F_SETFL, 0)
    // As the daemon does: a reader that closes must not kill the process.
    signal(SIGPIPE, SIG_IGN)
  }

  deinit {
    close(writing)
    if isReaderOpen.withLock({ $0 }) { close(reading) }
  }

  /// Closes the reading end and returns once the kernel reports it.
  func closeReader() throws {
    isReaderOpen.withLock { $0 = false }
    close(reading)
    try waitUntilBroken(writing)
  }

  /// Writes until the pipe is full and returns the number of bytes.
  func fill() -> Int {
    let flags = fcntl(writing, F_GETFL)
    _ = fcntl(writing, F_SETFL, flags | O_NONBLOCK)
    defer { _ = fcntl(writing, F_SETFL, flags) }
    let block = [UInt8](repeating: 0x78, count: 4_096)
    var count = 0
    while true {
      let written = write(writing, block, block.count)
      if written <= 0 { return count }
      count += written
    }
  }

  func read(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = bytes.withUnsafeMutableBytes {
        Glibc.read(reading, $0.baseAddress?.advanced(by: filled), count - filled)
      }
      if got <= 0 { break }
      filled += got
    }
    return Array(bytes.prefix(filled))
  }

  /// Everything that is in the pipe now.
  func readAll() -> [UInt8] {
    var all: [UInt8] = []
    var ready = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
    while poll(&ready, 1, 0) > 0, ready.revents & Int16(POLLIN) != 0 { all += read(1) }
    return all
  }
}

struct StandardOutputSinkTests {
  private let event = NoticeEvent(source: "/poolflow/test")

  private func sink(
    _ descriptor: Int32, _ format: StandardOutputSink.Format = .ndjson, maxWait: Duration = .milliseconds(20)
  ) -> StandardOutputSink {
    StandardOutputSink(
      name: "out", descriptor: descriptor, format: format, source: "/poolflow/test", maxWait: maxWait)
  }

  private func line(_ entry: OutboxEntry) throws -> [UInt8] {
    try event.bytes(of: entry.notice) + [0x0A]
  }

  /// A notice whose line has about `size` bytes.
  private func bigEntry(_ sequence: Int64, _ size: Int) -> OutboxEntry {
    sampleEntry(
      sequence, sink: "out",
      notice: sampleNotice(sequence, dataJSON: "{\"x\":\"\(String(repeating: "y", count: size))\"}"))
  }

  @Test func `each notice is one line`() async throws {
    let pipe = try TestPipe()
    let entries = sampleEntries(3, sink: "out")
    #expect(await sink(pipe.writing).deliver(entries) == [.delivered, .delivered, .delivered])
    #expect(pipe.readAll() == (try entries.flatMap(line)))
  }

  @Test func `a sink with text format writes text`() async throws {
    let pipe = try TestPipe()
    _ = await sink(pipe.writing, .text).deliver(sampleEntries(1))
    #expect(String(decoding: pipe.readAll(), as: UTF8.self) == NoticeText.lines(of: sampleNotice()))
  }

  @Test func `a reference line has id and line count but no text of the notice`() async throws {
    let pipe = try TestPipe()
    let notice = sampleNotice()
    _ = await sink(pipe.writing, .reference).deliver(sampleEntries(1))
    let line = String(decoding: pipe.readAll(), as: UTF8.self)
    let count = notice.lines.count == 1 ? "1 line" : "\(notice.lines.count) lines"
    #expect(line == "\(notice.slot) \(notice.teamName): \(notice.job), \(count): pfctl outbox show \(notice.id)\n")
    for text in [notice.title, notice.body] + notice.lines { #expect(!line.contains(text), "\(text)") }
  }

  @Test func `a reference to a server notice contains its title`() {
    let notice = OperatorNotice.sinkWell(sink: "drop").notice(at: sampleNotice().slot, install: "x")
    #expect(NoticeText.reference(to: notice).contains("poolflow: Sink 'drop' works again: pfctl outbox show "))
  }

  @Test func `a reader that stopped pauses the sink, then gets each notice once`() async throws {
    let pipe = try TestPipe()
    let sink = sink(pipe.writing)
    let filled = pipe.fill()
    let entries = sampleEntries(2, sink: "out")
    let verdicts = await sink.deliver(entries)
    let blocked = SinkVerdict.stalled(
      .temporary(.outputBlocked(sink: "out", maxWait: .milliseconds(20))))
    #expect(verdicts == [blocked, blocked])
    _ = pipe.read(filled)
    #expect(await sink.deliver(entries) == [.delivered, .delivered])
    #expect(pipe.readAll() == (try entries.flatMap(line)))
  }

  @Test func `a line cut by a slow reader is finished first`() async throws {
    let pipe = try TestPipe()
    let sink = sink(pipe.writing)
    let entries = [bigEntry(1, 200_000), sampleEntry(2, sink: "out")]
    let verdicts = await sink.deliver(entries)
    #expect(verdicts.allSatisfy { if case .stalled = $0 { true } else { false } })
    let first = pipe.readAll()
    #expect(!first.isEmpty)
    // Nothing was discarded meanwhile: the same entries come again over several batches.
    var seen = first
    var rounds = 0
    var last = verdicts
    while last != [.delivered, .delivered], rounds < 20 {
      last = await sink.deliver(entries)
      seen += pipe.readAll()
      rounds += 1
    }
    #expect(seen == (try entries.flatMap(line)))
  }

  @Test func `a closed reader is a failure and does not end the process`() async throws {
    let pipe = try TestPipe()
    try pipe.closeReader()
    let verdicts = await sink(pipe.writing).deliver(sampleEntries(2))
    #expect(verdicts == Array(repeating: .stalled(.temporary(.outputClosed(sink: "out"))), count: 2))
    #expect("\(DeliveryError.outputClosed(sink: "out"))".contains("the reader of sink 'out'"))
  }

  @Test func `a full device is a sink failure`() async throws {
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    try #require(full >= 0)
    defer { close(full) }
    #expect(
      await sink(full).deliver(sampleEntries(1)) == [.stalled(.temporary(.output(sink: "out", code: ENOSPC)))])
  }

  @Test func `a closed descriptor is a sink failure`() async throws {
    #expect(
      await sink(1_000_000).deliver(sampleEntries(1)) == [.stalled(.temporary(.output(sink: "out", code: EBADF)))])
  }

  @Test func `a notice that is not valid JSON is refused alone`() async throws {
    let pipe = try TestPipe()
    let broken = sampleEntry(1, notice: sampleNotice(dataJSON: "{"))
    let verdicts = await sink(pipe.writing).deliver([broken, sampleEntry(2)])
    #expect(verdicts == [.refused(.permanent(.invalidDetails(notice: broken.notice.id))), .delivered])
  }
}
