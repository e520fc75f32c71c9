import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowStore
import FlowTestKit
import Foundation
import Glibc
import PoolDigests
import PoolModel
import TradeStores

/// A store with three pending notices for a drop folder, one of them with a page, and daemons that deliver them and are
/// killed at given calls.
final class CrashCase {
  /// The result for the three notices.
  struct Outcome: CustomStringConvertible {
    var lost = 0
    var repeated = 0
    var torn = 0
    var unsent = 0
    /// Files left in the drop and staging folders.
    var left: [String] = []

    var isPerfect: Bool { lost + repeated + torn + unsent == 0 && left.isEmpty }
    var description: String { "\(lost) lost, \(repeated) repeated, \(torn) torn, \(unsent) unsent, left \(left)" }
  }

  static let notices = 3

  private let scratch: Scratch
  private let state: String
  private let place: StoreLocation
  private let faults: FaultPoints
  private let manager: NotifySocket
  private let consumer: QuickConsumer

  /// The state directory that every case copies, made by a daemon without work.
  static func template() async throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write("poolflow.conf", "[Sink drop]\nType = file-drop\n".utf8)
    let place = try ServerStores.place(for: scratch.path + "/state", in: scratch, like: nil)
    let manager = try NotifySocket(path: scratch.path + "/notify")
    let daemon = try launch(in: scratch, state: scratch.path + "/state", manager)
    try manager.wait(for: "READY=1", from: daemon)
    daemon.send(SIGTERM)
    guard try daemon.end() == .exit(0) else { throw CannotStart(description: "no clean end") }
    let store = try Store(place: place, now: now, version: "test")
    for number in 0..<notices {
      let notice = OperatorNotice.test(sink: "drop", by: "case \(number)").notice(
        at: now.advanced(by: .milliseconds(number)), install: store.install)
      try await store.notify(number == 1 ? withPage(notice) : notice, only: "drop", now: now)
    }
    try await store.endEpoch(at: now)
    return scratch
  }

  /// The weekly digest of a team without pools, under the id of `notice`.
  private static func withPage(_ notice: Notice) -> Notice {
    let team = Team(
      id: TeamID(1), name: "desert-blue", trade: .poolService, zone: "UTC", language: .english, units: .imperial,
      objective: .time,
      plan: .paid, settings: TeamSettings(), createdAt: now)
    let facts = TeamFacts(team: team, technicians: [], poolCount: 0, stopsByDay: [:], stock: [], waterChanges: [])
    return Notice(
      id: notice.id, teamID: nil, teamName: "", jobID: nil, job: notice.job, slot: notice.slot,
      identifier: pageIdentifier,
      title: notice.title, body: notice.body, lines: [],
      dataJSON: DigestJSON.text(WeekDigest(facts, at: DigestMoment(zone: .utc, asOf: now))), lateness: .zero,
      createdAt: notice.createdAt, expiresAt: nil)
  }

  private static let pageIdentifier = "poolflow.notification.weeklyDigest"

  private static let now = Timestamp(seconds: Int64(time(nil)))

  init(_ template: Scratch) throws {
    scratch = try Scratch()
    state = scratch.path + "/state"
    try FileManager.default.copyItem(atPath: template.path + "/state", toPath: state)
    try FileManager.default.copyItem(atPath: template.path + "/poolflow.conf", toPath: scratch.path + "/poolflow.conf")
    place = try ServerStores.place(for: state, in: scratch, like: template.path + "/state")
    faults = try FaultPoints(in: scratch)
    manager = try NotifySocket(path: scratch.path + "/notify")
    // The folder exists before the daemon starts, so that it can be watched from the first file on.
    try FileManager.default.createDirectory(atPath: state + "/outbox/new", withIntermediateDirectories: true)
    consumer = try QuickConsumer(state + "/outbox/new")
  }

  deinit { ServerStores.forget(state) }

  private static func launch(
    in scratch: Scratch, state: String, _ manager: NotifySocket, environment: [String: String] = [:]
  ) throws -> RunningProgram {
    manager.forget()
    let own = ["PATH": "/usr/bin:/bin", "NOTIFY_SOCKET": manager.path, "CONFIGURATION_DIRECTORY": scratch.path]
    return try RunningProgram(
      Checkout.daemon, ["--state-dir", state], environment: own.merging(environment) { $1 },
      output: .writing(scratch.path + "/stdout"), errors: scratch.path + "/stderr")
  }

  /// Runs the daemon from start to end; without a kill it delivers everything and stops.
  ///
  /// - Returns: the number of calls it made, and whether it was killed.
  func live(killAt number: Int?) throws -> (calls: Int, wasKilled: Bool) {
    let environment = try faults.environment(killAt: number)
    let daemon = try Self.launch(in: scratch, state: state, manager, environment: environment)
    let deadline = Deadline(.patience)
    var wasToldToStop = false
    while daemon.wait(by: Deadline(.zero)) == nil {
      guard !deadline.hasPassed else { throw TooLate(description: "a life took 30 s: \(log)") }
      consumer.take(waiting: .milliseconds(2))
      manager.takeAll()
      // A stop delivers due entries before the daemon ends.
      if !wasToldToStop, manager.lines.contains("READY=1") {
        daemon.send(SIGTERM)
        wasToldToStop = true
      }
    }
    consumer.take(waiting: .zero)
    switch daemon.ending {
    case .exit(0): return (faults.count, false)
    case .signal(SIGKILL) where number != nil: return (faults.count, true)
    default: throw CannotStart(description: "a life ended with \(daemon.ending as Any): \(log)")
    }
  }

  private var log: String {
    // Empty if the daemon logged nothing.
    (try? Files.text(scratch.path + "/stderr")) ?? ""
  }

  /// The result after a final run without a kill.
  func outcome() async throws -> Outcome {
    var outcome = Outcome()
    let store = try Store(reading: place)
    let entries = try await store.outbox(OutboxQuery())
    outcome.unsent = entries.count { $0.state != .sent } + abs(entries.count - Self.notices)
    for entry in entries {
      let seen = consumer.files.filter { $0.name == "\(entry.notice.id).json" }
      outcome.lost += seen.isEmpty ? 1 : 0
      outcome.repeated += max(seen.count - 1, 0)
      for file in seen where !Self.isWhole(file.bytes, id: entry.notice.id) { outcome.torn += 1 }
      guard entry.notice.identifier == Self.pageIdentifier else { continue }
      // A page without its event may be delivered again together with the event.
      let pages = consumer.files.filter { $0.name == "\(entry.notice.id).html" }
      outcome.lost += pages.isEmpty ? 1 : 0
      outcome.torn += pages.count {
        let page = String(decoding: $0.bytes, as: UTF8.self)
        return !page.hasPrefix("<!doctype html>") || !page.hasSuffix("</html>\n")
      }
    }
    outcome.left = Files.names(in: state + "/outbox/staging") + Files.names(in: state + "/outbox/new")
    return outcome
  }

  private static func isWhole(_ bytes: [UInt8], id: String) -> Bool {
    guard bytes.last == 0x0A, let object = try? JSONSerialization.jsonObject(with: Data(bytes)),
      let event = object as? [String: Any]
    else { return false }
    return event["id"] as? String == id && event["data"] is [String: Any]
  }
}

/// A fast consumer: takes every file as soon as it appears and keeps its bytes.
final class QuickConsumer {
  private(set) var files: [(name: String, bytes: [UInt8])] = []
  private let folder: String
  private let descriptor: Int32

  /// - Parameter folder: an existing folder.
  init(_ folder: String) throws {
    self.folder = folder
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0, inotify_add_watch(descriptor, folder, UInt32(IN_MOVED_TO | IN_CREATE)) >= 0 else {
      throw CannotStart(description: "cannot watch '\(folder)': \(errno)")
    }
  }

  deinit {
    close(descriptor)
  }

  /// Takes all files, waiting up to `limit` for the first one.
  func take(waiting limit: Duration) {
    guard isReadable(descriptor, by: Deadline(limit)) else { return }
    var events = [UInt8](repeating: 0, count: 16 << 10)
    // The event only wakes this function; the folder is listed for the names.
    while read(descriptor, &events, events.count) > 0 {}
    for name in Files.names(in: folder) {
      guard let bytes = try? Files.bytes("\(folder)/\(name)") else { continue }
      unlink("\(folder)/\(name)")
      files.append((name, bytes))
    }
  }
}
