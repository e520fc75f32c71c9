import FlowDelivery
import FlowDeliveryKit
import FlowModel
import FlowNotices
import FlowTestKit
import Foundation
import Glibc
import Testing

/// The disk fails, once or permanently, at each kind of call: nothing is lost, torn or marked sent too early.
struct FileDropFaultTests {
  private let folder: TemporaryFolder
  private let event = NoticeEvent(source: "/poolflow/test")

  init() throws {
    folder = try TemporaryFolder(inMemory: true)
  }

  private func wholeFiles() throws -> [String] {
    for entry in sampleEntries(3) where folder.names("new").contains(FileDropSink.fileName(entry.notice.id)) {
      let bytes = try folder.bytes("new/\(FileDropSink.fileName(entry.notice.id))")
      #expect(bytes == (try event.bytes(of: entry.notice)) + [0x0A])
    }
    return folder.names("new")
  }

  private func dispatcher(_ outbox: MemoryOutbox, _ calls: any FileSystemCalls, _ time: ManualTime) -> Dispatcher {
    let sink = FileDropSink(name: "drop", path: folder.path, source: "/poolflow/test", calls: calls)
    return Dispatcher(
      store: outbox, sinks: [sink], wallClock: time.wallClock, clock: time, random: SeededNumbers(seed: 5))
  }

  static let codes = [ENOSPC, EIO, EROFS, EDQUOT, EACCES, EMFILE]

  @Test(arguments: GatedFileCalls.Step.allCases, codes)
  func `a call that fails once is repaired by the next attempt`(step: GatedFileCalls.Step, code: Int32) async throws {
    for number in 1...9 {
      let outbox = MemoryOutbox(sampleEntries(3))
      let time = ManualTime()
      let calls = GatedFileCalls(faults: [.init(step: step, code: code, calls: number...number)])
      let dispatcher = dispatcher(outbox, calls, time)
      for _ in 1...4 {
        await dispatcher.drain(clock: time)
        #expect(try Set(wholeFiles()).count == wholeFiles().count)
        let sent = await outbox.states.count { $0 == .sent }
        #expect(sent <= folder.names("new").count, "sent without a file: \(step) \(code) at \(number)")
        time.advance(by: .seconds(72))
      }
      #expect(await outbox.states == [.sent, .sent, .sent], "\(step) \(code) at \(number)")
      #expect(try wholeFiles().count == 3)
      #expect(folder.names("staging").isEmpty)
      for name in folder.names("new") { try folder.remove("new/\(name)") }
    }
  }

  @Test(arguments: [GatedFileCalls.Step.create, .write, .sync, .close, .move], codes)
  func `a call that always fails marks nothing sent, and all arrive once it works`(
    step: GatedFileCalls.Step, code: Int32
  ) async throws {
    let outbox = MemoryOutbox(sampleEntries(3))
    let time = ManualTime()
    let calls = GatedFileCalls(faults: [.init(step: step, code: code, calls: 1...Int.max)])
    let dispatcher = dispatcher(outbox, calls, time)
    for _ in 1...20 {
      await dispatcher.drain(clock: time)
      #expect(await !outbox.states.contains(.sent))
      #expect(await !outbox.states.contains(.dead))
      #expect(folder.names("new").isEmpty)
      time.advance(by: .seconds(72))
    }
    let status = await dispatcher.statuses()[0]
    #expect(status.isPaused)
    #expect("\(try #require(status.trouble))".contains("(errno \(code))"))
    calls.heal()
    await dispatcher.drain(clock: time)
    #expect(await outbox.states == [.sent, .sent, .sent])
    #expect(try wholeFiles().count == 3)
  }

  @Test func `a file whose sync failed is deleted and written again from the first byte`() async throws {
    let calls = GatedFileCalls(faults: [.init(step: .sync, code: EIO, calls: 1...1)])
    let sink = FileDropSink(name: "drop", path: folder.path, source: "/poolflow/test", calls: calls)
    try await sink.prepare(staged: [])
    let verdicts = await sink.stage(sampleEntries(2))
    guard case .refused(.temporary(.file(.sync, _, EIO), _)) = verdicts[0] else {
      Issue.record("\(verdicts)")
      return
    }
    #expect(verdicts[1] == .delivered)
    #expect(folder.names("staging") == [FileDropSink.fileName(sampleNotice(2).id)])
    #expect(calls.count(.create) == 2)
    #expect(await sink.stage(sampleEntries(1)) == [.delivered])
    #expect(calls.count(.create) == 3)
  }

  @Test func `if the shared sync fails each file is rewritten and synced alone`() async throws {
    let calls = GatedFileCalls(faults: [.init(step: .syncAll, code: EIO, calls: 1...1)])
    let sink = FileDropSink(
      name: "drop", path: folder.path, source: "/poolflow/test", bounds: .init(sharedSync: 3), calls: calls)
    try await sink.prepare(staged: [])
    #expect(await sink.stage(sampleEntries(3)) == [.delivered, .delivered, .delivered])
    #expect(calls.count(.syncAll) == 1)
    #expect(calls.count(.create) == 6)
    // Each file, and the folder with their names.
    #expect(calls.count(.sync) == 4)
    // The whole-disk sync is not tried again for a while.
    #expect(await sink.stage(sampleEntries(3)) == [.delivered, .delivered, .delivered])
    #expect(calls.count(.syncAll) == 1)
  }

  @Test func `if no sync works nothing is published and the failure is reported`() async throws {
    let calls = GatedFileCalls(faults: [
      .init(step: .syncAll, code: EIO, calls: 1...9), .init(step: .sync, code: EIO, calls: 1...9),
    ])
    let sink = FileDropSink(
      name: "drop", path: folder.path, source: "/poolflow/test", bounds: .init(sharedSync: 3), calls: calls)
    try await sink.prepare(staged: [])
    for verdict in await sink.deliver(sampleEntries(3)) {
      #expect("\(verdict)".contains("\(EIO)") && verdict != .delivered, "\(verdict)")
    }
    #expect(folder.names("staging") + folder.names("new") == [])
    #expect(calls.count(.move) == 0)
  }

  @Test func `a slow shared sync is not repeated soon`() async throws {
    for (taken, calledTwice) in [(Limits.slowSharedSync, true), (Limits.slowSharedSync + .milliseconds(1), false)] {
      let time = ManualTime()
      let calls = GatedFileCalls(beforeSync: { time.advance(by: taken) })
      let sink = FileDropSink(
        name: "drop", path: folder.path, source: "/poolflow/test", bounds: .init(sharedSync: 1), calls: calls,
        clock: time)
      try await sink.prepare(staged: [])
      for _ in 1...2 { #expect(await sink.stage(sampleEntries(1)) == [.delivered]) }
      #expect(calls.count(.syncAll) == (calledTwice ? 2 : 1), "\(taken)")
    }
  }

  @Test func `a whole-file-system sync is used only where it is as safe as single syncs`() throws {
    let calls = LinuxFileSystemCalls()
    for (path, code) in [(folder.path, nil), (FileManager.default.temporaryDirectory.path, nil), ("/proc", ENOSYS)] {
      let descriptor = open(path, O_RDONLY | O_DIRECTORY)
      defer { close(descriptor) }
      var failure: Int32?
      do throws(SystemCallError) { try calls.syncAll(descriptor) } catch { failure = error.code }
      #expect(failure == code, "\(path)")
    }
  }

  @Test func `one file that cannot be written blocks no other`() async throws {
    let bad = FileDropSink.fileName(sampleNotice(2).id)
    let outbox = MemoryOutbox(sampleEntries(3))
    let time = ManualTime()
    let calls = GatedFileCalls(faults: [.init(step: .create, code: EIO, calls: 1...Int.max, name: bad)])
    await dispatcher(outbox, calls, time).drain(clock: time)
    #expect(await outbox.states == [.sent, .pending, .sent])
    #expect(await outbox.all[1].attempts == 1)
    #expect(await outbox.all[1].nextTryAt > slot)
  }

  @Test func `after a failed folder sync entries stay staged and are sent once later`() async throws {
    let outbox = MemoryOutbox(sampleEntries(3))
    let time = ManualTime()
    let consumer = Consumer("\(folder.path)/new")
    let calls = GatedFileCalls(faults: [.init(step: .sync, code: EIO, calls: 5...5)]) { consumer.take() }
    let dispatcher = dispatcher(outbox, calls, time)
    await dispatcher.drain(clock: time)
    #expect(await outbox.states == [.staged, .staged, .staged])
    await dispatcher.drain(clock: time)
    #expect(await outbox.states == [.sent, .sent, .sent])
    #expect(consumer.files.count == 3)
  }

  @Test func `after a failed shared sync several batches are synced alone, then shared syncs resume`() async throws {
    let calls = GatedFileCalls(MemoryDisk(), faults: [.init(step: .syncAll, code: EIO, calls: 1...1)])
    let sink = FileDropSink(
      name: "drop", path: "/drop", source: "/poolflow/test", bounds: .init(sharedSync: 1), calls: calls)
    try await sink.prepare(staged: [])
    // The failed batch is the first of them.
    for batch in 1...Limits.batchesWithoutSharedSync {
      #expect(await sink.stage([sampleEntry(Int64(batch))]) == [.delivered])
      #expect(calls.count(.syncAll) == 1, "batch \(batch)")
    }
    #expect(await sink.stage([sampleEntry(99)]) == [.delivered])
    #expect(calls.count(.syncAll) == 2)
  }

  @Test func `one staged entry detects a lost staging folder, and an id may have 200 bytes`() async throws {
    let sink = FileDropSink(name: "drop", path: folder.path, source: "/poolflow/test")
    await #expect(throws: SinkError.temporary(.stagingLost(path: folder.path + "/staging", waiting: 1))) {
      try await sink.prepare(staged: ["a"])
    }
    try await sink.prepare(staged: [])
    for (length, isSafe) in [(200, true), (201, false)] {
      var notice = sampleNotice(Int64(length))
      notice = Notice(
        id: String(repeating: "n", count: length), teamID: notice.teamID, teamName: notice.teamName,
        jobID: notice.jobID, job: notice.job, slot: notice.slot, identifier: notice.identifier, title: notice.title,
        body: notice.body, lines: notice.lines, dataJSON: notice.dataJSON, lateness: notice.lateness,
        createdAt: notice.createdAt, expiresAt: notice.expiresAt)
      let verdicts = await sink.stage([sampleEntry(Int64(length), notice: notice)])
      #expect((verdicts == [.delivered]) == isSafe, "\(length): \(verdicts)")
    }
  }
}
