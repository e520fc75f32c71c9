import FlowDelivery
import FlowModel
import FlowNotices
import FlowTestKit
import Foundation
import Glibc
import Testing

/// A sink with its reader, and ways to break and repair it.
protocol SinkBench: Sendable {
  var sink: any Sink { get }
  /// The ids of the notices that the reader has seen since the last call, in order.
  func seen() throws -> [String]
  func breakDown() throws
  func mend() throws
}

private final class DropBench: SinkBench {
  let folder: TemporaryFolder
  let sink: any Sink
  private var path: String { folder.path + "/drop" }

  init() throws {
    folder = try TemporaryFolder(inMemory: true)
    try folder.make("drop")
    sink = FileDropSink(name: "bench", path: folder.path + "/drop", source: "/poolflow/test")
  }

  func seen() throws -> [String] {
    let names = folder.names("drop/new")
    for name in names { try folder.remove("drop/new/\(name)") }
    // Files are sorted by name.
    return names.map { String($0.dropLast(5)) }.sorted { $0.count == $1.count ? $0 < $1 : $0.count < $1.count }
  }

  func breakDown() throws { try #require(rename(path, path + "-away") == 0) }
  func mend() throws { try #require(rename(path + "-away", path) == 0) }
}

private final class OutputBench: SinkBench {
  let sink: any Sink
  private let folder: TemporaryFolder
  private let descriptor: Int32

  init() throws {
    signal(SIGPIPE, SIG_IGN)
    folder = try TemporaryFolder(inMemory: true)
    let path = folder.path + "/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    // The reading end must be open before the writing end.
    reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    descriptor = open(path, O_WRONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    sink = StandardOutputSink(
      name: "bench", descriptor: descriptor, format: .ndjson, source: "/poolflow/test", maxWait: .milliseconds(20))
  }

  deinit {
    close(descriptor)
    if reader >= 0 { close(reader) }
  }

  // Used by one test at a time.
  private nonisolated(unsafe) var reader: Int32

  func seen() throws -> [String] {
    var all: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(reader, &block, block.count)
      if count <= 0 { break }
      all += block.prefix(count)
    }
    return try all.split(separator: 0x0A).map { line in
      let event = try #require(JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
      return try #require(event["id"] as? String)
    }
  }

  func breakDown() throws {
    close(reader)
    // The descriptor number may be reused from here on.
    reader = -1
    try waitUntilBroken(descriptor)
  }
  func mend() throws {
    reader = open(folder.path + "/pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    try #require(reader >= 0)
  }
}

private final class JournalBench: SinkBench {
  let sink: any Sink
  private let folder: TemporaryFolder
  // Used by one test at a time.
  private nonisolated(unsafe) var journal: FakeJournal?

  init() throws {
    folder = try TemporaryFolder(inMemory: true)
    journal = try FakeJournal(path: folder.path + "/journal")
    sink = JournalSink(name: "bench", path: folder.path + "/journal", maxWait: .milliseconds(20))
  }

  func seen() throws -> [String] { try (journal?.all() ?? []).compactMap { $0["POOLFLOW_NOTICE"] } }
  func breakDown() throws { journal = nil }
  func mend() throws { journal = try FakeJournal(path: folder.path + "/journal") }
}

/// The published pages; its reader never sees single notices.
private final class PublishBench: SinkBench {
  private struct NoSites: PublishedPageSource {
    func pageVersions() async throws -> [TeamID: String] { [:] }
    func pages(of team: TeamID) async throws -> [SitePages] { [] }
    func names() async throws -> Set<String> { [] }
  }

  let folder: TemporaryFolder
  let sink: any Sink
  private var path: String { folder.path + "/www" }

  init() throws {
    folder = try TemporaryFolder(inMemory: true)
    try folder.make("www")
    sink = PublishSink(name: "bench", path: folder.path + "/www", source: NoSites())
  }

  func seen() throws -> [String] { [] }
  func breakDown() throws { try #require(rename(path, path + "-away") == 0) }
  func mend() throws { try #require(rename(path + "-away", path) == 0) }
}

/// The contract between every kind of sink and the dispatcher.
@Suite(.serialized) struct SinkConformanceTests {
  static let kinds = SinkKind.allCases
  /// Sinks whose reader gets each notice; for pages see `PublishSinkTests`.
  static let carriers = kinds.filter { $0 != .publish }

  private func bench(_ kind: SinkKind) async throws -> any SinkBench {
    let bench: any SinkBench =
      switch kind {
      case .standardOutput: try OutputBench()
      case .journal: try JournalBench()
      case .fileDrop: try DropBench()
      case .publish: try PublishBench()
      }
    try await prepare(bench)
    return bench
  }

  private func prepare(_ bench: any SinkBench) async throws {
    if let staging = bench.sink as? any StagingSink { try await staging.prepare(staged: []) }
  }

  private func ids(_ entries: [OutboxEntry]) -> [String] { entries.map(\.notice.id) }

  @Test(arguments: kinds) func `a sink has the given name and kind`(kind: SinkKind) async throws {
    let bench = try await bench(kind)
    #expect(bench.sink.name == "bench" && bench.sink.kind == kind)
  }

  @Test(arguments: kinds) func `an empty batch gets no verdicts and delivers nothing`(kind: SinkKind) async throws {
    let bench = try await bench(kind)
    #expect(await bench.sink.deliver([]).isEmpty)
    #expect(try bench.seen().isEmpty)
  }

  @Test(arguments: carriers) func `a batch arrives complete and in order, with a verdict for each entry`(kind: SinkKind)
    async throws
  {
    let bench = try await bench(kind)
    let entries = sampleEntries(9)
    #expect(await bench.sink.deliver(entries) == Array(repeating: .delivered, count: 9))
    #expect(try bench.seen() == ids(entries))
    #expect(await bench.sink.deliver([entries[0]]) == [.delivered])
    #expect(try bench.seen() == ids([entries[0]]))
  }

  @Test(arguments: carriers) func `a repeated notice has the same id`(kind: SinkKind) async throws {
    let bench = try await bench(kind)
    for _ in 1...2 { #expect(await bench.sink.deliver(sampleEntries(1)) == [.delivered]) }
    #expect(try Set(bench.seen()) == [sampleNotice().id])
  }

  @Test(arguments: kinds) func `a broken sink stalls every entry with a reason until it is repaired`(
    kind: SinkKind
  ) async throws {
    let bench = try await bench(kind)
    let entries = sampleEntries(4)
    _ = await bench.sink.deliver(entries)
    _ = try bench.seen()
    try bench.breakDown()
    for _ in 1...3 {
      let verdicts = await bench.sink.deliver(entries)
      #expect(verdicts.count == 4)
      for verdict in verdicts {
        guard case .stalled(.temporary(let reason, _)) = verdict else {
          Issue.record("\(verdict)")
          return
        }
        #expect("\(reason)".contains("; ") && !"\(reason)".contains("\n"))
      }
    }
    try bench.mend()
    try await prepare(bench)
    #expect(await bench.sink.deliver(entries) == Array(repeating: .delivered, count: 4))
    #expect(try bench.seen() == (kind == .publish ? [] : ids(entries)))
  }

  @Test(arguments: carriers) func `every entry arrives once although the sink breaks down`(kind: SinkKind) async throws
  {
    let bench = try await bench(kind)
    let outbox = MemoryOutbox(sampleEntries(3, sink: "bench"))
    let time = ManualTime()
    let dispatcher = Dispatcher(store: outbox, sinks: [bench.sink], wallClock: time.wallClock, clock: time)
    await dispatcher.drain(clock: time)
    var seen = try bench.seen()
    try bench.breakDown()
    await outbox.insert((4...6).map { sampleEntry($0, sink: "bench") })
    for _ in 1...12 { await dispatcher.drain(clock: time) }
    #expect(await dispatcher.statuses().map(\.isPaused) == [true])
    #expect(await outbox.states.suffix(3) == [.pending, .pending, .pending])
    #expect(await outbox.all.allSatisfy { $0.attempts == 0 })
    try bench.mend()
    await dispatcher.drain(clock: time)
    seen += try bench.seen()
    #expect(seen == ids(sampleEntries(6)))
    #expect(await dispatcher.statuses().map(\.trouble) == [nil])
  }
}
