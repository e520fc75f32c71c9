import FlowDelivery
import FlowModel
import FlowNotices
import FlowTestKit
import Foundation
import Glibc
import Synchronization
import Testing

struct JournalSinkTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder(inMemory: true)
    path = folder.path + "/journal"
  }

  private func sink() -> JournalSink {
    JournalSink(name: "journal", path: path, maxWait: .milliseconds(30))
  }

  @Test func `a notice arrives in the journal with the documented fields`() async throws {
    let journal = try FakeJournal(path: path)
    #expect(await sink().deliver(sampleEntries(1)) == [.delivered])
    let fields = try #require(try journal.next())
    #expect(
      fields.map(\.name) == [
        "MESSAGE", "MESSAGE_ID", "PRIORITY", "SYSLOG_IDENTIFIER", "POOLFLOW_NOTICE", "POOLFLOW_TEAM", "POOLFLOW_JOB",
        "POOLFLOW_SLOT",
      ])
    #expect(
      fields.map { String(decoding: $0.value, as: UTF8.self) } == [
        "Desert Blue: 3 stops today\n  First stop: Alder Court\n  1. Alder Court\n  2. \"The Grove\"",
        JournalMessageID.teamNotice.rawValue, "5", "poolflowd", sampleNotice().id, "Desert Blue", "morning-summary",
        "2026-03-02T14:00:00Z",
      ])
    #expect(!journal.cameAsFile)
  }

  @Test(arguments: ["x\nPRIORITY=0", "x\nMESSAGE_ID\n", "a=b", "\n", "Zoë\r\n=\n"])
  func `no user text can forge a journal field`(text: String) async throws {
    let journal = try FakeJournal(path: path)
    let base = sampleNotice()
    let notice = Notice(
      id: base.id, teamID: base.teamID, teamName: text, jobID: base.jobID, job: base.job, slot: slot,
      identifier: base.identifier, title: text, body: text, lines: [text], dataJSON: "", lateness: .zero,
      createdAt: slot, expiresAt: nil)
    #expect(await sink().deliver([sampleEntry(notice: notice)]) == [.delivered])
    let fields = try #require(try journal.next())
    #expect(fields.count == 8)
    #expect(fields.filter { $0.name == "PRIORITY" }.map(\.value) == [Array("5".utf8)])
    #expect(fields.filter { $0.name == "POOLFLOW_TEAM" }.map(\.value) == [Array(text.utf8)])
  }

  @Test func `a message too large for a datagram is sent as a sealed file`() async throws {
    let journal = try FakeJournal(path: path)
    let notice = sampleNotice(title: String(repeating: "é", count: 100_000))
    let bytes = JournalMessage(of: notice).bytes
    #expect(bytes.count < Limits.journalFieldBytes + 1_000)
    #expect(await sink().deliver([sampleEntry(notice: notice)]) == [.delivered])
    let message = try #require(try journal.all().first)
    #expect(message["MESSAGE"]?.hasSuffix("é…") == true)
    #expect(message["MESSAGE"].map { $0.utf8.count <= Limits.journalFieldBytes } == true)

    // Truncated fields fit into a datagram with default system buffers.
    let socket = try JournalSocket(path: path)
    let large = Array("MESSAGE=\(String(repeating: "z", count: 600_000))\n".utf8)
    try socket.send(large)
    #expect(try journal.all().first?["MESSAGE"]?.utf8.count == 600_000)
    #expect(journal.cameAsFile)
  }

  @Test func `a missing journal is a failure`() async throws {
    #expect(
      await sink().deliver(sampleEntries(2))
        == Array(repeating: .stalled(.temporary(.journalAbsent(path: path))), count: 2))
  }

  @Test func `a journal that died is a failure, and a restarted journal is used`() async throws {
    let sink = sink()
    do {
      let first = try FakeJournal(path: path)
      #expect(await sink.deliver(sampleEntries(1)) == [.delivered])
      #expect(try first.all().count == 1)
    }
    #expect(await sink.deliver(sampleEntries(1)) == [.stalled(.temporary(.journalAbsent(path: path)))])
    let second = try FakeJournal(path: path)
    #expect(await sink.deliver(sampleEntries(1)) == [.delivered])
    #expect(try second.all().count == 1)
  }

  @Test func `a stopped journal never blocks, and queued messages are not repeated`() async throws {
    let journal = try FakeJournal(path: path)
    let sink = sink()
    let entries = sampleEntries(2_000)
    var taken = 0
    var busy = false
    for start in stride(from: 0, to: entries.count, by: 250) where !busy {
      let verdicts = await sink.deliver(Array(entries[start..<start + 250]))
      taken += verdicts.count { $0 == .delivered }
      busy = verdicts.contains(.stalled(.temporary(.journalBusy(path: path))))
    }
    #expect(busy)
    #expect(try journal.all().count == taken)
    #expect(await sink.deliver([entries[taken]]) == [.delivered])
  }

  @Test func `a burst larger than the queue is delivered while the journal reads`() async throws {
    let journal = try FakeJournal(path: path)
    // Far more than needed: on a busy machine the reader may not run for seconds.
    let patient = JournalSink(name: "journal", path: path, maxWait: .seconds(300), timeout: .seconds(300))
    let entries = sampleEntries(1_500)
    let delivered = Delivered()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        let count = await patient.deliver(entries).count { $0 == .delivered }
        delivered.count.withLock { $0 = count }
      }
      var read = 0
      // Messages read after the sink's reply were sent before it.
      while delivered.count.withLock({ $0 }) == nil {
        // Blocks in the kernel: a yield loop would keep the processor from the sink's thread.
        journal.waitForMessage()
        read += try journal.all().count
        await Task.yield()
      }
      read += try journal.all().count
      #expect(delivered.count.withLock { $0 } == entries.count)
      #expect(read == entries.count)
    }
  }
}

/// The number of delivered entries, once the sink has replied.
private final class Delivered: Sendable {
  let count = Mutex<Int?>(nil)
}
