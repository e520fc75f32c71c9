import Foundation
import Glibc
import PoolDelivery
import PoolDeliveryKit
import PoolModel
import PoolNotices
import PoolTestKit
import Testing

/// Everything a drop folder owes its consumer when all is well, and when people move things about.
struct FileDropSinkTests {
  private let folder: TemporaryFolder
  private let event = NoticeEvent(source: "/poolflow/test")

  init() throws {
    folder = try TemporaryFolder(inMemory: true)
  }

  private func sink(_ calls: any FileCalls = LinuxFileCalls(), path: String? = nil) -> FileDropSink {
    FileDropSink(name: "drop", path: path ?? folder.path, source: "/poolflow/test", calls: calls)
  }

  private func prepared(_ calls: any FileCalls = LinuxFileCalls()) async throws -> FileDropSink {
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

  @Test func `a notice is first only in staging, then only in new, whole and readable by the group`() async throws {
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

  @Test func `in a folder that hands its group down, files have that group`() async throws {
    // A group of our own choice takes root; the bit that hands it down is what must stay.
    #expect(chmod(folder.path, 0o2750) == 0)
    _ = try await prepared()
    #expect(folder.mode("staging") & 0o2777 == 0o2700 && folder.mode("new") & 0o777 == 0o770)
  }

  @Test func `short writes still make whole files`() async throws {
    let sink = try await prepared(GatedFileCalls(longestWrite: 7))
    #expect(await sink.deliver(sampleEntries(2)) == [.delivered, .delivered])
    #expect(try folder.bytes("new/\(name(2))") == file(sampleEntry(2)))
  }

  @Test func `a batch shares its syncs: one for all it wrote, and those of the two folders for what it moved`()
    async throws
  {
    let calls = GatedFileCalls()
    let sink = try await prepared(calls)
    _ = await sink.deliver(sampleEntries(256))
    #expect(calls.count(.syncAll) == 1)
    #expect(calls.count(.sync) == 2)
  }

  @Test func `a few notices are synced by themselves`() async throws {
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

  @Test func `a file that somebody removed from staging between the two steps is made anew`() async throws {
    let sink = try await prepared()
    let entries = sampleEntries(2)
    _ = await sink.stage(entries)
    try folder.remove("staging/\(name(1))")
    #expect(await sink.publish(entries) == [.delivered, .delivered])
    #expect(folder.names("new") == [name(1), name(2)])
  }

  private struct Followed: Error {}

  /// Of two nodes of one store, as the first one was stopped between its two steps.
  @Test(arguments: [true, false])
  func `what was staged by a node that another has followed is moved once`(isFollowed: Bool) async throws {
    let extras = DropExtras(
      among: .init(own: "north", stillOurs: { if isFollowed { throw Followed() } }))
    let first = FileDropSink(
      name: "drop", path: folder.path, source: "/poolflow/test", extras: extras, calls: LinuxFileCalls())
    try await first.prepare(staged: [])
    let entries = sampleEntries(2)
    #expect(await first.stage(entries) == [.delivered, .delivered])
    #expect(folder.names("staging") == [".node-north", name(1), name(2)])
    // The other takes the store up, and a consumer what it delivers.
    let second = FileDropSink(
      name: "drop", path: folder.path, source: "/poolflow/test",
      extras: DropExtras(among: .init(own: "south", stillOurs: {})),
      calls: LinuxFileCalls())
    try await second.prepare(staged: Set(entries.map(\.notice.id)))
    #expect(await second.publish(entries) == [.delivered, .delivered])
    for name in folder.names("new") { try folder.remove("new/\(name)") }
    let verdicts = await first.publish(entries)
    if isFollowed {
      #expect(verdicts.allSatisfy { if case .stalled = $0 { true } else { false } }, "\(verdicts)")
      #expect(folder.names("new") == [] && folder.names("staging") == [".node-north", ".node-south"])
    } else {
      // Nobody else: somebody has emptied the folder.
      #expect(verdicts == [.delivered, .delivered] && folder.names("new") == [name(1), name(2)])
    }
  }

  @Test func `what is moved needs no word of whose it is by now`() async throws {
    let sink = FileDropSink(
      name: "drop", path: folder.path, source: "/poolflow/test",
      extras: DropExtras(among: .init(own: "north", stillOurs: { throw Followed() })), calls: LinuxFileCalls())
    try await sink.prepare(staged: [])
    let entries = sampleEntries(2)
    #expect(await sink.stage(entries) == [.delivered, .delivered])
    #expect(await sink.publish(entries) == [.delivered, .delivered])
    #expect(folder.names("new") == [name(1), name(2)])
  }

  @Test func `what two nodes stage at the same time is one of the two files, whole`() async throws {
    let sinks = ["north", "south", "west"].map { own in
      FileDropSink(
        name: "drop", path: folder.path, source: "/poolflow/test",
        extras: DropExtras(among: .init(own: own, stillOurs: {})),
        calls: GatedFileCalls(longestWrite: 7))
    }
    let entry = sampleEntry()
    for _ in 0..<50 {
      for sink in sinks { try await sink.prepare(staged: []) }
      async let one = sinks[0].stage([entry])
      async let other = sinks[1].stage([entry])
      // Moved as soon as it is there, whoever's it is.
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
  func `what a node had staged where it is stopped is moved from a shared folder, and written again beside its own`(
    isShared: Bool
  ) async throws {
    let other = isShared ? folder : try TemporaryFolder()
    let sinks = [("north", folder.path), ("south", other.path)].map { own, path in
      FileDropSink(
        name: "drop", path: path, source: "/poolflow/test", extras: DropExtras(among: .init(own: own, stillOurs: {})),
        calls: LinuxFileCalls())
    }
    for sink in sinks { try await sink.prepare(staged: []) }
    let entry = sampleEntry()
    #expect(await sinks[0].stage([entry]) == [.delivered])
    // What another is about is nobody's leftover.
    try await sinks[1].prepare(staged: [], others: [entry.notice.id])
    #expect(folder.names("staging").contains(name(1)))
    #expect(await sinks[0].publish([entry]) == [.delivered])
    try folder.remove("new/\(name(1))")
    // It was stopped before the store knew.
    #expect(await sinks[1].publish([entry]) == [.delivered])
    #expect(other.names("new") == (isShared ? [] : [name(1)]))
  }

  private func north(_ calls: any FileCalls) -> FileDropSink {
    FileDropSink(
      name: "drop", path: folder.path, source: "/poolflow/test",
      extras: DropExtras(among: .init(own: "north", stillOurs: {})), calls: calls)
  }

  @Test func `what another node half wrote is left to it, and what this one left half written is removed`() async throws
  {
    try await north(LinuxFileCalls()).prepare(staged: [])
    let drafts = (1...3).map { (number: Int64) in ".mark-\(name(number))" }
    for draft in drafts { try folder.write("staging/\(draft)", "{") }
    let ids = (1...3).map { (number: Int64) in sampleNotice(number).id }
    try await north(LinuxFileCalls()).prepare(staged: [ids[0]], others: [ids[1]])
    #expect(folder.names("staging").filter { $0 != ".node-north" } == [drafts[1]])
  }

  @Test(arguments: [(ENOENT, true), (EIO, false)])
  func `a draft that somebody took for a leftover is written again`(code: Int32, isDelivered: Bool) async throws {
    let sink = north(GatedFileCalls(faults: [.init(step: .replace, code: code, calls: 1...1)]))
    try await sink.prepare(staged: [])
    let path = "\(folder.path)/staging/\(name(1))"
    let refused = Verdict.stalled(.temporary(.file(.move, path: path, code: code)))
    #expect(await sink.deliver(sampleEntries(1)) == [isDelivered ? .delivered : refused])
    #expect(folder.names("staging") == [".node-north"])
  }

  @Test(arguments: [ENOENT, ENOTDIR, EIO, EACCES])
  func `a folder in use that cannot be looked at is not called missing`(code: Int32) async throws {
    var said: Set<DeliveryError> = []
    for number in 1...12 {
      let sink = sink(GatedFileCalls(faults: [.init(step: .identity, code: code, calls: number...number)]))
      // While it is opened is another matter.
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

  @Test func `preparing removes what no entry refers to and keeps the rest`() async throws {
    _ = await (try await prepared()).stage(sampleEntries(2))
    try folder.write("staging/left-over.json", "{")
    try await sink().prepare(staged: [sampleNotice(2).id])
    #expect(folder.names("staging") == [name(2)])
  }

  @Test func `the same file in new is success, another one is refused and left alone`() async throws {
    let sink = try await prepared()
    let entries = sampleEntries(2)
    try folder.write("new/\(name(1))", String(decoding: try file(entries[0]), as: UTF8.self))
    try folder.write("new/\(name(2))", "somebody's own")
    let taken = DeliveryError.nameTaken(path: "\(folder.path)/new/\(name(2))")
    #expect(await sink.deliver(entries) == [.delivered, .refused(.permanent(taken))])
    #expect(try folder.bytes("new/\(name(2))") == Array("somebody's own".utf8))
    // Until the store knows the refusal, the token must not look as if it had been moved.
    #expect(folder.names("staging") == [name(2)])
  }

  @Test func `a file in new that only begins like ours is another one`() async throws {
    let sink = try await prepared()
    let entry = sampleEntry()
    try folder.write("new/\(name(1))", String(decoding: try file(entry), as: UTF8.self) + " ")
    let taken = DeliveryError.nameTaken(path: "\(folder.path)/new/\(name(1))")
    #expect(await sink.deliver([entry]) == [.refused(.permanent(taken))])
  }

  @Test(arguments: ["folder", "link", "fifo"])
  func `something that is no file under the name is refused and never followed`(kind: String) async throws {
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
  func `an id that cannot safely name a file is refused`(id: String) async throws {
    let sink = try await prepared()
    let entry = sampleEntry(notice: sampleNotice(id: id))
    #expect(await sink.stage([entry]) == [.refused(.permanent(.unsafeName(notice: id)))])
  }

  @Test func `a missing folder is trouble with a sentence, and is not made`() async throws {
    let path = "\(folder.path)/absent"
    await #expect(throws: SinkError.temporary(.folderMissing(path: path))) {
      try await sink(path: path).prepare(staged: [])
    }
    #expect(folder.names(".") == [])
    #expect("\(DeliveryError.folderMissing(path: path))".hasSuffix("create it, or correct Directory= of this sink"))
  }

  @Test func `a symbolic link or a file in place of the folder is refused`() async throws {
    try folder.make("real")
    try #require(symlink("real", "\(folder.path)/link") == 0)
    try folder.write("file", "")
    for name in ["link", "file"] {
      let path = "\(folder.path)/\(name)"
      await #expect(throws: SinkError.temporary(.folderIsNoFolder(path: path))) {
        try await sink(path: path).prepare(staged: [])
      }
    }
  }

  @Test func `staging that vanished while notices lie in it is not made anew`() async throws {
    let path = "\(folder.path)/staging"
    await #expect(throws: SinkError.temporary(.stagingLost(path: path, waiting: 2))) {
      try await sink().prepare(staged: ["a", "b"])
    }
    #expect(folder.names(".") == [])
  }

  @Test(arguments: ["", "staging", "new"])
  func `a folder replaced while in use is noticed before anything is written`(part: String) async throws {
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
    // Prepared anew, as the lane does after its pause, it goes on in the new folder.
    try folder.make(replaced)
    try await sink.prepare(staged: [])
    #expect(await sink.deliver(sampleEntries(1)) == [.delivered])
    #expect(folder.names("drop/new") == [name(1)])
  }

  @Test func `a consumer that never takes anything stops the sink at its bound, and taking starts it again`()
    async throws
  {
    let sink = FileDropSink(name: "drop", path: folder.path, source: "/poolflow/test", maxFiles: 3)
    try await sink.prepare(staged: [])
    #expect(await sink.deliver(sampleEntries(3)) == Array(repeating: .delivered, count: 3))
    let full = DeliveryError.folderFull(path: "\(folder.path)/new", files: 3, bound: 3)
    #expect(await sink.deliver([sampleEntry(4)]) == [.stalled(.temporary(full))])
    try folder.remove("new/\(name(1))")
    #expect(await sink.deliver([sampleEntry(4)]) == [.delivered])
  }

  @Test func `a folder in use whose place a file has taken is no folder`() async throws {
    try folder.make("drop")
    let path = "\(folder.path)/drop"
    let sink = sink(path: path)
    try await sink.prepare(staged: [])
    try #require(rename(path, "\(folder.path)/aside") == 0)
    try folder.write("drop", "")
    #expect(await sink.stage(sampleEntries(1)) == [.stalled(.temporary(.folderIsNoFolder(path: path)))])
  }

  @Test(arguments: [(ENOSYS, 1), (EIO, 3)])
  func `a kernel that cannot bring all to the disk at once is not asked again, a disk that failed is`(
    code: Int32, asked: Int
  ) async throws {
    let calls = GatedFileCalls(faults: [.init(step: .syncAll, code: code, calls: 1...1)])
    let sink = FileDropSink(name: "drop", path: folder.path, source: "/poolflow/test", sharedFrom: 1, calls: calls)
    try await sink.prepare(staged: [])
    // The batch that failed is written again at once, file by file, and the next ones are, too.
    for number in 1...Int64(Limits.batchesSyncedAlone) + 2 {
      #expect(await sink.deliver([sampleEntry(number)]) == [.delivered])
    }
    #expect(calls.count(.syncAll) == asked)
  }

  @Test func `where the names cannot be brought to the disk, what was written is not ready, and what was refused is`()
    async throws
  {
    var said: [[Verdict]] = []
    for number in 1...8 {
      let sink = sink(GatedFileCalls(faults: [.init(step: .sync, code: EIO, calls: number...number)]))
      do { try await sink.prepare(staged: []) } catch { continue }
      said.append(await sink.stage([sampleEntry(notice: sampleNotice(id: "../escape")), sampleEntry(2)]))
    }
    let refused = Verdict.refused(.permanent(.unsafeName(notice: "../escape")))
    let path = "\(folder.path)/staging"
    #expect(said.contains([refused, .stalled(.temporary(.file(.sync, path: path, code: EIO)))]), "\(said)")
    #expect(said.allSatisfy { $0.first == refused })
  }

  @Test func `what comes beside a notice takes up room, too`() async throws {
    let signature = try WebhookSignature(secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", credential: "key")
    let sink = FileDropSink(
      name: "drop", path: folder.path, source: "/poolflow/test", maxFiles: 4, extras: DropExtras(signature: signature))
    try await sink.prepare(staged: [])
    for number in [Int64(1), 2] { #expect(await sink.deliver([sampleEntry(number)]) == [.delivered]) }
    #expect(folder.names("new").count == 4)
    let full = DeliveryError.folderFull(path: "\(folder.path)/new", files: 4, bound: 4)
    #expect(await sink.deliver([sampleEntry(3)]) == [.stalled(.temporary(full))])
  }

  @Test func `a disk too slow for the whole batch still makes progress`() async throws {
    let outbox = MemoryOutbox(sampleEntries(5))
    let sink = FileDropSink(name: "drop", path: folder.path, source: "/poolflow/test", allowance: .zero)
    let time = ManualTime()
    await Dispatcher(store: outbox, sinks: [sink], wallClock: time.wallClock, clock: time).drain(clock: time)
    #expect(await outbox.states == Array(repeating: .sent, count: 5))
    #expect(await outbox.all.allSatisfy { $0.attempts == 0 })
  }

  @Test func `two file systems are refused with a sentence, at the start or at the move`() async throws {
    let two = DeliveryError.twoFileSystems(staging: "\(folder.path)/staging", new: "\(folder.path)/new")
    await #expect(throws: SinkError.temporary(two)) {
      try await sink(GatedFileCalls(newIsElsewhere: true)).prepare(staged: [])
    }
    let moving = try await prepared(GatedFileCalls(faults: [.init(step: .move, code: EXDEV, calls: 1...1)]))
    #expect(await moving.deliver(sampleEntries(1)) == [.stalled(.temporary(two))])
  }

  @Test(arguments: GatedFileCalls.Step.allCases) func `opening that fails half way closes each descriptor once`(
    step: GatedFileCalls.Step
  ) async throws {
    for number in 1...5 {
      let calls = GatedFileCalls(faults: [.init(step: step, code: EIO, calls: number...number)])
      do {
        let sink = sink(calls)
        // Not every call is made while opening; where none fails the folder is simply open.
        do { try await sink.prepare(staged: []) } catch { #expect(calls.openDescriptors == 0) }
      }
      closesAll(calls)
    }
  }

  /// The sink's own thread may hold it for a moment after its last answer; then everything is closed.
  private func closesAll(_ calls: GatedFileCalls, at location: SourceLocation = #_sourceLocation) {
    for _ in 0..<180_000 where calls.openDescriptors != 0 { poll(nil, 0, 1) }
    #expect(calls.openDescriptors == 0, sourceLocation: location)
  }

  @Test func `no descriptor is left open, come what may`() async throws {
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
