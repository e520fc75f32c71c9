import FlowDelivery
import FlowDeliveryKit
import FlowModel
import FlowNotices
import FlowTestKit
import Foundation
import Glibc
import Testing

/// The drop folder's guarantees to its consumer, with and without other programs moving files.
struct FileDropSinkTests {
  private let folder: TemporaryFolder
  private let event = NoticeEvent(source: "/poolflow/test")

  init() throws {
    folder = try TemporaryFolder(inMemory: true)
  }

  private func sink(_ calls: any FileSystemCalls = LinuxFileSystemCalls(), path: String? = nil) -> FileDropSink {
    FileDropSink(name: "drop", path: path ?? folder.path, source: "/poolflow/test", calls: calls)
  }

  private func prepared(_ calls: any FileSystemCalls = LinuxFileSystemCalls()) async throws -> FileDropSink {
    let sink = sink(calls)
    try await sink.prepare(staged: [])
    return sink
  }

  private func file(_ entry: OutboxEntry) throws -> [UInt8] {
    try event.bytes(of: entry.notice) + [0x0A]
  }

  private func name(_ sequence: Int64) -> String {
    FileDropSink.fileName(sampleNotice(sequence).id)
  }

  @Test func `a notice is first only in staging, then only in new, complete and group-readable`() async throws {
    let sink = try await prepared()
    let entry = sampleEntry()
    #expect(folder.mode("staging") == 0o700 && folder.mode("new") == 0o770)
    #expect(await sink.stage([entry]) == [.delivered])
    #expect(folder.names("staging") == [name(1)] && folder.names("new").isEmpty)
    #expect(await sink.publish([entry]) == [.delivered])
    #expect(folder.names("staging").isEmpty && folder.names("new") == [name(1)])
    #expect(try folder.bytes("new/\(name(1))") == file(entry))
    #expect(folder.mode("new/\(name(1))") == 0o640)
  }

  @Test func `files inherit the group of a setgid folder`() async throws {
    // Choosing another group needs root; the test checks that the setgid bit stays.
    #expect(chmod(folder.path, 0o2750) == 0)
    _ = try await prepared()
    #expect(folder.mode("staging") & 0o2777 == 0o2700 && folder.mode("new") & 0o777 == 0o770)
  }

  @Test func `short writes still produce complete files`() async throws {
    let sink = try await prepared(GatedFileCalls(longestWrite: 7))
    #expect(await sink.deliver(sampleEntries(2)) == [.delivered, .delivered])
    #expect(try folder.bytes("new/\(name(2))") == file(sampleEntry(2)))
  }

  @Test func `a batch needs one shared sync and one sync per folder`() async throws {
    let calls = GatedFileCalls()
    let sink = try await prepared(calls)
    _ = await sink.deliver(sampleEntries(256))
    #expect(calls.count(.syncAll) == 1)
    #expect(calls.count(.sync) == 2)
  }

  @Test func `a few notices are synced one by one`() async throws {
    let calls = GatedFileCalls()
    let sink = try await prepared(calls)
    _ = await sink.deliver(sampleEntries(3))
    #expect(calls.count(.syncAll) == 0)
    #expect(calls.count(.sync) == 3 + 3)
  }

  @Test func `a staged notice whose file is gone counts as published`() async throws {
    let entry = sampleEntry(state: .staged)
    let sink = try await prepared()
    #expect(await sink.publish([entry]) == [.delivered])
    #expect(folder.names("new").isEmpty)
  }

  @Test func `a staged file removed before publishing is written again`() async throws {
    let sink = try await prepared()
    let entries = sampleEntries(2)
    _ = await sink.stage(entries)
    try folder.remove("staging/\(name(1))")
    #expect(await sink.publish(entries) == [.delivered, .delivered])
    #expect(folder.names("new") == [name(1), name(2)])
  }

  private struct Followed: Error {}

  /// Two nodes of one store; the first was stopped between staging and publishing.
  @Test(arguments: [true, false])
  func `an entry staged by a node that lost its partition is published once`(isFollowed: Bool) async throws {
    let attachments = DropFolderOptions(
      cluster: .init(own: "north", checkOwnership: { if isFollowed { throw Followed() } }))
    let first = FileDropSink(
      name: "drop", path: folder.path, source: "/poolflow/test", attachments: attachments, calls: LinuxFileSystemCalls()
    )
    try await first.prepare(staged: [])
    let entries = sampleEntries(2)
    #expect(await first.stage(entries) == [.delivered, .delivered])
    #expect(folder.names("staging") == [".node-north", name(1), name(2)])
    // The second node takes the entries over, and a consumer takes the delivered files.
    let second = FileDropSink(
      name: "drop", path: folder.path, source: "/poolflow/test",
      attachments: DropFolderOptions(cluster: .init(own: "south", checkOwnership: {})),
      calls: LinuxFileSystemCalls())
    try await second.prepare(staged: Set(entries.map(\.notice.id)))
    #expect(await second.publish(entries) == [.delivered, .delivered])
    for name in folder.names("new") { try folder.remove("new/\(name)") }
    let verdicts = await first.publish(entries)
    if isFollowed {
      #expect(verdicts.allSatisfy { if case .stalled = $0 { true } else { false } }, "\(verdicts)")
      #expect(folder.names("new") == [] && folder.names("staging") == [".node-north", ".node-south"])
    } else {
      // No other node took over: a program has emptied the folder.
      #expect(verdicts == [.delivered, .delivered] && folder.names("new") == [name(1), name(2)])
    }
  }

  @Test func `publishing staged files does not check the ownership again`() async throws {
    let sink = FileDropSink(
      name: "drop", path: folder.path, source: "/poolflow/test",
      attachments: DropFolderOptions(cluster: .init(own: "north", checkOwnership: { throw Followed() })),
      calls: LinuxFileSystemCalls())
    try await sink.prepare(staged: [])
    let entries = sampleEntries(2)
    #expect(await sink.stage(entries) == [.delivered, .delivered])
    #expect(await sink.publish(entries) == [.delivered, .delivered])
    #expect(folder.names("new") == [name(1), name(2)])
  }

  @Test func `two nodes staging one notice leave one complete file`() async throws {
    let sinks = ["north", "south", "west"].map { own in
      FileDropSink(
        name: "drop", path: folder.path, source: "/poolflow/test",
        attachments: DropFolderOptions(cluster: .init(own: own, checkOwnership: {})),
        calls: GatedFileCalls(longestWrite: 7))
    }
    let entry = sampleEntry()
    for _ in 0..<50 {
      for sink in sinks { try await sink.prepare(staged: []) }
      async let one = sinks[0].stage([entry])
      async let other = sinks[1].stage([entry])
      // Published as soon as it exists, whichever node wrote it.
      while folder.names("staging").allSatisfy({ $0.hasPrefix(".") }) { await Task.yield() }
      #expect(await sinks[2].publish([entry]) == [.delivered])
      #expect(try folder.bytes("new/\(name(1))") == file(entry))
      _ = await (one, other)
      for place in ["new", "staging"] {
        for name in folder.names(place) { try folder.remove("\(place)/\(name)") }
      }
    }
  }

  @Test(arguments: [true, false])
  func `a stopped node's staged entry is published from a shared folder, else written again`(isShared: Bool)
    async throws
  {
    let other = isShared ? folder : try TemporaryFolder()
    let sinks = [("north", folder.path), ("south", other.path)].map { own, path in
      FileDropSink(
        name: "drop", path: path, source: "/poolflow/test",
        attachments: DropFolderOptions(cluster: .init(own: own, checkOwnership: {})),
        calls: LinuxFileSystemCalls())
    }
    for sink in sinks { try await sink.prepare(staged: []) }
    let entry = sampleEntry()
    #expect(await sinks[0].stage([entry]) == [.delivered])
    // Files of another node's entries are not leftovers.
    try await sinks[1].prepare(staged: [], others: [entry.notice.id])
    #expect(folder.names("staging").contains(name(1)))
    #expect(await sinks[0].publish([entry]) == [.delivered])
    try folder.remove("new/\(name(1))")
    // The node was stopped before its commit.
    #expect(await sinks[1].publish([entry]) == [.delivered])
    #expect(other.names("new") == (isShared ? [] : [name(1)]))
  }

  private func north(_ calls: any FileSystemCalls) -> FileDropSink {
    FileDropSink(
      name: "drop", path: folder.path, source: "/poolflow/test",
      attachments: DropFolderOptions(cluster: .init(own: "north", checkOwnership: {})), calls: calls)
  }

  @Test func `preparing removes a node's own unfinished drafts and keeps other nodes' drafts`() async throws {
    try await north(LinuxFileSystemCalls()).prepare(staged: [])
    let drafts = (1...3).map { (number: Int64) in ".mark-\(name(number))" }
    for draft in drafts { try folder.write("staging/\(draft)", "{") }
    let ids = (1...3).map { (number: Int64) in sampleNotice(number).id }
    try await north(LinuxFileSystemCalls()).prepare(staged: [ids[0]], others: [ids[1]])
    #expect(folder.names("staging").filter { $0 != ".node-north" } == [drafts[1]])
  }

  @Test(arguments: [(ENOENT, true), (EIO, false)])
  func `a draft that was removed as a leftover is written again`(code: Int32, isDelivered: Bool) async throws {
    let sink = north(GatedFileCalls(faults: [.init(step: .replace, code: code, calls: 1...1)]))
    try await sink.prepare(staged: [])
    let path = "\(folder.path)/staging/\(name(1))"
    let refused = SinkVerdict.stalled(.temporary(.file(.move, path: path, code: code)))
    #expect(await sink.deliver(sampleEntries(1)) == [isDelivered ? .delivered : refused])
    #expect(folder.names("staging") == [".node-north"])
  }

  @Test(arguments: [ENOENT, ENOTDIR, EIO, EACCES])
  func `an unreadable folder in use is not reported as missing`(code: Int32) async throws {
    var said: Set<DeliveryError> = []
    for number in 1...12 {
      let sink = sink(GatedFileCalls(faults: [.init(step: .identity, code: code, calls: number...number)]))
      // Failures during opening are reported differently.
      do { try await sink.prepare(staged: []) } catch { continue }
      for case .stalled(.temporary(let error, _)) in await sink.stage(sampleEntries(1)) { said.insert(error) }
    }
    let paths = [folder.path, "\(folder.path)/staging", "\(folder.path)/new"]
    let isMissing = [ENOENT, ENOTDIR].contains(code)
    for path in paths {
      let expected = isMissing ? DeliveryError.folderMissing(path: path) : .file(.examine, path: path, code: code)
      #expect(said.contains(expected), "\(said)")
    }
    #expect(isMissing || said.allSatisfy { if case .file(.examine, _, code) = $0 { true } else { false } }, "\(said)")
  }

  @Test func `preparing removes files without an entry and keeps the others`() async throws {
    _ = await (try await prepared()).stage(sampleEntries(2))
    try folder.write("staging/left-over.json", "{")
    try await sink().prepare(staged: [sampleNotice(2).id])
    #expect(folder.names("staging") == [name(2)])
  }

  @Test func `an identical file in new counts as delivered, a different one is refused and kept`() async throws {
    let sink = try await prepared()
    let entries = sampleEntries(2)
    try folder.write("new/\(name(1))", String(decoding: try file(entries[0]), as: UTF8.self))
    try folder.write("new/\(name(2))", "another program's file")
    let taken = DeliveryError.nameTaken(path: "\(folder.path)/new/\(name(2))")
    #expect(await sink.deliver(entries) == [.delivered, .refused(.permanent(taken))])
    #expect(try folder.bytes("new/\(name(2))") == Array("another program's file".utf8))
    // The staged file must stay until the refusal is committed: its absence would count as published.
    #expect(folder.names("staging") == [name(2)])
  }

  @Test func `a file in new with the same beginning is a different file`() async throws {
    let sink = try await prepared()
    let entry = sampleEntry()
    try folder.write("new/\(name(1))", String(decoding: try file(entry), as: UTF8.self) + " ")
    let taken = DeliveryError.nameTaken(path: "\(folder.path)/new/\(name(1))")
    #expect(await sink.deliver([entry]) == [.refused(.permanent(taken))])
  }

  @Test(arguments: ["folder", "link", "fifo"])
  func `a folder, link or pipe with the file's name is refused and not followed`(kind: String) async throws {
    let sink = try await prepared()
    let path = "\(folder.path)/new/\(name(1))"
    switch kind {
    case "folder": try folder.make("new/\(name(1))")
    case "link": try #require(symlink("/etc/passwd", path) == 0)
    default: try #require(mkfifo(path, 0o600) == 0)
    }
    #expect(await sink.deliver(sampleEntries(1)) == [.refused(.permanent(.nameTaken(path: path)))])
  }

  @Test(arguments: ["../escape", "a/b", ".hidden", "", "tab\t", String(repeating: "a", count: 201)])
  func `an id that is unsafe as a file name is refused`(id: String) async throws {
    let sink = try await prepared()
    let entry = sampleEntry(notice: sampleNotice(id: id))
    #expect(await sink.stage([entry]) == [.refused(.permanent(.unsafeName(notice: id)))])
  }

  @Test func `a missing folder is a failure with advice and is not created`() async throws {
    let path = "\(folder.path)/absent"
    await #expect(throws: SinkError.temporary(.folderMissing(path: path))) {
      try await sink(path: path).prepare(staged: [])
    }
    #expect(folder.names(".") == [])
    #expect("\(DeliveryError.folderMissing(path: path))".hasSuffix("create it, or correct Directory= of this sink"))
  }

  @Test func `a link or a file in place of the folder is refused`() async throws {
    try folder.make("real")
    try #require(symlink("real", "\(folder.path)/link") == 0)
    try folder.write("file", "")
    for name in ["link", "file"] {
      let path = "\(folder.path)/\(name)"
      await #expect(throws: SinkError.temporary(.notAFolder(path: path))) {
        try await sink(path: path).prepare(staged: [])
      }
    }
  }

  @Test func `a staging folder lost with entries in it is not recreated`() async throws {
    let path = "\(folder.path)/staging"
    await #expect(throws: SinkError.temporary(.stagingLost(path: path, waiting: 2))) {
      try await sink().prepare(staged: ["a", "b"])
    }
    #expect(folder.names(".") == [])
  }

  @Test(arguments: ["", "staging", "new"])
  func `a folder replaced while in use is detected before a write`(part: String) async throws {
    try folder.make("drop")
    let path = "\(folder.path)/drop"
    let sink = sink(path: path)
    try await sink.prepare(staged: [])
    let replaced = part.isEmpty ? "drop" : "drop/\(part)"
    try #require(rename("\(folder.path)/\(replaced)", "\(folder.path)/aside") == 0)
    try folder.make(replaced)
    let full = "\(folder.path)/\(replaced)"
    #expect(await sink.stage(sampleEntries(1)) == [.stalled(.temporary(.folderReplaced(path: full)))])
    try folder.remove(replaced)
    #expect(await sink.stage(sampleEntries(1)) == [.stalled(.temporary(.folderMissing(path: full)))])
    // The lane prepares the sink again after its pause, and it continues in the new folder.
    try folder.make(replaced)
    try await sink.prepare(staged: [])
    #expect(await sink.deliver(sampleEntries(1)) == [.delivered])
    #expect(folder.names("drop/new") == [name(1)])
  }

  @Test func `a full drop folder stalls the sink until its consumer takes files`() async throws {
    let sink = FileDropSink(name: "drop", path: folder.path, source: "/poolflow/test", bounds: .init(maxFiles: 3))
    try await sink.prepare(staged: [])
    #expect(await sink.deliver(sampleEntries(3)) == Array(repeating: .delivered, count: 3))
    let full = DeliveryError.folderFull(path: "\(folder.path)/new", files: 3, limit: 3)
    #expect(await sink.deliver([sampleEntry(4)]) == [.stalled(.temporary(full))])
    try folder.remove("new/\(name(1))")
    #expect(await sink.deliver([sampleEntry(4)]) == [.delivered])
  }

  @Test func `a file in place of a folder in use is reported`() async throws {
    try folder.make("drop")
    let path = "\(folder.path)/drop"
    let sink = sink(path: path)
    try await sink.prepare(staged: [])
    try #require(rename(path, "\(folder.path)/aside") == 0)
    try folder.write("drop", "")
    #expect(await sink.stage(sampleEntries(1)) == [.stalled(.temporary(.notAFolder(path: path)))])
  }

  @Test(arguments: [(ENOSYS, 1), (EIO, 3)])
  func `a failed shared sync is tried again, an unsupported one is not`(code: Int32, asked: Int) async throws {
    let calls = GatedFileCalls(faults: [.init(step: .syncAll, code: code, calls: 1...1)])
    let sink = FileDropSink(
      name: "drop", path: folder.path, source: "/poolflow/test", bounds: .init(sharedSync: 1), calls: calls)
    try await sink.prepare(staged: [])
    // The failed batch is written again at once, file by file; so are the following batches.
    for number in 1...Int64(Limits.batchesWithoutSharedSync) + 2 {
      #expect(await sink.deliver([sampleEntry(number)]) == [.delivered])
    }
    #expect(calls.count(.syncAll) == asked)
  }

  @Test func `if the folder sync fails, written files stay unstaged and refused ones stay refused`() async throws {
    var said: [[SinkVerdict]] = []
    for number in 1...8 {
      let sink = sink(GatedFileCalls(faults: [.init(step: .sync, code: EIO, calls: number...number)]))
      do { try await sink.prepare(staged: []) } catch { continue }
      said.append(await sink.stage([sampleEntry(notice: sampleNotice(id: "../escape")), sampleEntry(2)]))
    }
    let refused = SinkVerdict.refused(.permanent(.unsafeName(notice: "../escape")))
    let path = "\(folder.path)/staging"
    #expect(said.contains([refused, .stalled(.temporary(.file(.sync, path: path, code: EIO)))]), "\(said)")
    #expect(said.allSatisfy { $0.first == refused })
  }

  @Test func `sidecar files count toward the folder's limit`() async throws {
    let signature = try WebhookSignature(secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", credential: "key")
    let sink = FileDropSink(
      name: "drop", path: folder.path, source: "/poolflow/test", bounds: .init(maxFiles: 4),
      attachments: DropFolderOptions(signature: signature))
    try await sink.prepare(staged: [])
    for number in [Int64(1), 2] { #expect(await sink.deliver([sampleEntry(number)]) == [.delivered]) }
    #expect(folder.names("new").count == 4)
    let full = DeliveryError.folderFull(path: "\(folder.path)/new", files: 4, limit: 4)
    #expect(await sink.deliver([sampleEntry(3)]) == [.stalled(.temporary(full))])
  }

  @Test func `a disk too slow for a whole batch still makes progress`() async throws {
    let outbox = MemoryOutbox(sampleEntries(5))
    let sink = FileDropSink(name: "drop", path: folder.path, source: "/poolflow/test", bounds: .init(batchTime: .zero))
    let time = ManualTime()
    await Dispatcher(store: outbox, sinks: [sink], wallClock: time.wallClock, clock: time).drain(clock: time)
    #expect(await outbox.states == Array(repeating: .sent, count: 5))
    #expect(await outbox.all.allSatisfy { $0.attempts == 0 })
  }

  @Test func `staging and new on two file systems are refused at start or publishing`() async throws {
    let two = DeliveryError.differentFileSystems(staging: "\(folder.path)/staging", new: "\(folder.path)/new")
    await #expect(throws: SinkError.temporary(two)) {
      try await sink(GatedFileCalls(newIsElsewhere: true)).prepare(staged: [])
    }
    let moving = try await prepared(GatedFileCalls(faults: [.init(step: .move, code: EXDEV, calls: 1...1)]))
    #expect(await moving.deliver(sampleEntries(1)) == [.stalled(.temporary(two))])
  }

  @Test(arguments: GatedFileCalls.Step.allCases) func `an opening that fails halfway closes each descriptor once`(
    step: GatedFileCalls.Step
  ) async throws {
    for number in 1...5 {
      let calls = GatedFileCalls(faults: [.init(step: step, code: EIO, calls: number...number)])
      do {
        let sink = sink(calls)
        // Some calls do not happen during opening; then the folder simply opens.
        do { try await sink.prepare(staged: []) } catch { #expect(calls.openDescriptors == 0) }
      }
      closesAll(calls)
    }
  }

  /// The sink's thread may keep a descriptor for a moment after its last reply.
  private func closesAll(_ calls: GatedFileCalls, at location: SourceLocation = #_sourceLocation) {
    for _ in 0..<180_000 where calls.openDescriptors != 0 { poll(nil, 0, 1) }
    #expect(calls.openDescriptors == 0, sourceLocation: location)
  }

  @Test func `every descriptor is closed after failures and at the end`() async throws {
    let calls = GatedFileCalls(faults: [.init(step: .sync, code: EIO, calls: 2...3)])
    do {
      let sink = try await prepared(calls)
      _ = await sink.deliver(sampleEntries(4))
      try await sink.prepare(staged: [])
      #expect(calls.openDescriptors == 3)
    }
    closesAll(calls)
  }
}
