import FlowControl
import FlowModel
import FlowPlatform
import Foundation
import Glibc
import StableControl
import Testing

extension Programs {
  /// A barn's day is closed once, at the first instant of the next date, whatever the clock does and wherever the daemon
  /// is killed.
  @Suite struct BarnDaysTests {
    /// A midnight at which a feed board is closed.
    struct Night: CustomTestStringConvertible, Sendable {
      let zone: String
      /// The instant at which the day ends.
      let end: String
      /// The date of the day that ends.
      let day: String
      let why: String

      var testDescription: String { "\(zone) \(day): \(why)" }
    }

    private static let isComplete = ProcessInfo.processInfo.environment["POOLFLOW_ALL_CRASH_POINTS"] != nil

    static let nights = [
      Night(zone: "America/Phoenix", end: "2026-03-03T07:00:00Z", day: "2026-03-02", why: "a night like any other"),
      Night(
        zone: "America/New_York", end: "2026-03-08T05:00:00Z", day: "2026-03-07", why: "the day before has 24 hours"),
      Night(zone: "America/New_York", end: "2026-03-09T04:00:00Z", day: "2026-03-08", why: "a day of 23 hours"),
      Night(zone: "America/New_York", end: "2026-11-02T05:00:00Z", day: "2026-11-01", why: "a day of 25 hours"),
      Night(zone: "Africa/Cairo", end: "2026-04-23T22:00:00Z", day: "2026-04-23", why: "no midnight: 01:00 follows"),
      Night(zone: "Asia/Beirut", end: "2026-03-28T22:00:00Z", day: "2026-03-28", why: "no midnight: 01:00 follows"),
      Night(zone: "America/Havana", end: "2026-03-08T05:00:00Z", day: "2026-03-07", why: "no midnight: 01:00 follows"),
      Night(zone: "America/Havana", end: "2026-11-01T04:00:00Z", day: "2026-10-31", why: "midnight twice: the first"),
      Night(zone: "Africa/Cairo", end: "2026-10-29T22:00:00Z", day: "2026-10-29", why: "23:00 to 24:00 twice"),
      Night(zone: "Asia/Beirut", end: "2026-10-24T22:00:00Z", day: "2026-10-24", why: "23:00 to 24:00 twice"),
    ]

    @Test(arguments: nights)
    func `a barn's day is closed once, at the first instant of the next date`(night: Night) throws {
      let end = try #require(Timestamp(rfc3339: night.end))
      let daemon = try Daemon(at: end.advanced(by: .minutes(-150)).description, empty: true).start()
      try daemon.addBarn(zone: night.zone)
      try daemon.change("feed", "mark", "Old Tom", "pm", "--team", "barn", "--by", "Chloe")
      // Until its last second, the day's own board is shown; where an hour occurs twice, in both passes.
      for minutes in [-90, -30, -1] {
        daemon.clock.set(to: end.advanced(by: .minutes(minutes)))
        try daemon.looks(by: "care-due", of: "barn")
        #expect(try daemon.board().date == night.day)
      }
      #expect(try daemon.closedDays().isEmpty)
      daemon.clock.set(to: end.advanced(by: .milliseconds(-300)))
      try eventually("\(night.day) is closed") { try daemon.closedDays() == [night.day] }
      let rows = try daemon.closedRows()
      #expect(rows == ["\(night.day) Juniper no-schedule missed", "\(night.day) Old Tom missed fed"])
      let board = try daemon.board()
      #expect(board.date == CivilDate(night.day)?.adding(days: 1).description)
      #expect(board.open == 3)

      // Set the clock back so that the same midnight, and the hour after it, occur again.
      try daemon.change("feed", "mark", "Juniper", "pm", "--team", "barn")
      daemon.clock.set(to: end.advanced(by: .minutes(-1)))
      try daemon.looks(by: "care-due", of: "barn")
      daemon.clock.set(to: end.advanced(by: .minutes(61)))
      try daemon.looks(by: "care-due", of: "barn")
      #expect(try daemon.closedRows() == rows)
      #expect(try daemon.board().open == 2)
      #expect(try daemon.runs("feed-reset").map(\.slot) == [night.end])
    }

    @Test func `a day that ended while the daemon was down is closed at start`() throws {
      let daemon = try Daemon(at: "2026-03-03T06:00:00Z", empty: true).start()
      try daemon.addBarn(zone: "America/Phoenix")
      try daemon.change("feed", "mark", "--all", "pm", "--team", "barn")
      try daemon.kill()
      daemon.clock.set(to: try #require(Timestamp(rfc3339: "2026-03-03T12:00:00Z")))
      try daemon.start()
      try eventually("it is closed late") { try daemon.closedDays() == ["2026-03-02"] }
      #expect(
        try daemon.closedRows() == ["2026-03-02 Juniper no-schedule fed", "2026-03-02 Old Tom missed fed"])
    }

    /// The board is closed at 03:00, when the new day already has marks.
    @Test func `a feed reset killed at any call closes the day exactly once`()
      throws
    {
      let template = try Daemon(at: "2026-03-03T06:00:00Z", empty: true).start()
      try template.addBarn(zone: "America/Phoenix")
      try template.change("job", "set", "feed-reset", "--team", "barn", "--rule", "*-*-* 03:00:00")
      try template.change("feed", "mark", "Old Tom", "pm", "--team", "barn")
      template.clock.set(to: try #require(Timestamp(rfc3339: "2026-03-03T08:00:00Z")))
      try template.looks(by: "care-due", of: "barn")
      try template.change("feed", "mark", "--all", "am", "--team", "barn")
      try template.stop()

      func live(_ daemon: Daemon, _ faults: FaultPoints, killAt number: Int?) throws -> Bool {
        var environment = try faults.environment(killAt: number)
        environment["LD_PRELOAD"] = [daemon.clock.environment, environment].compactMap { $0["LD_PRELOAD"] }
          .joined(separator: " ")
        daemon.clock.set(to: try #require(Timestamp(rfc3339: "2026-03-03T10:00:05Z")))
        try daemon.launch(environment: environment)
        guard let program = daemon.program else { return false }
        let deadline = Deadline(.patience)
        while program.wait(by: Deadline(.milliseconds(2))) == nil {
          guard !deadline.hasPassed else { throw TooLate(description: "a life without an end: \(daemon.log)") }
          daemon.manager.takeAll()
          guard daemon.manager.lines.contains("READY=1") else { continue }
          // The daemon may be killed while it answers; then ask again.
          guard let answer = try? daemon.closedDays(), answer == ["2026-03-02"] else { continue }
          program.send(SIGTERM)
        }
        return program.ending == .signal(SIGKILL)
      }

      func audit(_ daemon: Daemon, killedAt point: Int) throws {
        try daemon.start()
        try eventually("the day is closed") { try daemon.closedDays() == ["2026-03-02"] }
        #expect(
          try daemon.closedRows() == ["2026-03-02 Juniper no-schedule missed", "2026-03-02 Old Tom missed fed"],
          "killed at \(point)")
        let board = try daemon.board()
        #expect(board.date == "2026-03-03" && board.open == 2, "killed at \(point): \(board)")
        #expect(try daemon.runs("feed-reset").map(\.slot) == ["2026-03-03T10:00:00Z"], "killed at \(point)")
        try daemon.kill()
      }

      func copy() throws -> Daemon { try Daemon(at: "2026-03-03T10:00:05Z", like: template) }

      let whole = try copy()
      let faults = try FaultPoints(in: whole.scratch)
      #expect(try !live(whole, faults, killAt: nil))
      let points = faults.count
      try audit(whole, killedAt: 0)
      let step = Self.isComplete ? 1 : max(1, points / 40)
      var kills = 0
      for point in stride(from: 1, through: points, by: step) {
        let daemon = try copy()
        if try live(daemon, FaultPoints(in: daemon.scratch), killAt: point) { kills += 1 }
        try audit(daemon, killedAt: point)
      }
      print("feed-reset: \(points) calls from start to end, \(kills) kills")
      #expect(kills >= min(points, 30))
    }
  }
}

extension Daemon {
  /// Adds a barn with two horses, added today: Old Tom is fed twice a day, Juniper in the evening.
  fileprivate func addBarn(zone: String) throws {
    try change("team", "add", "barn", "--zone", zone, "--trade", "stable")
    for horse in ["Old Tom", "Juniper"] { try change("horse", "add", horse, "--team", "barn") }
    try change("feed", "set", "Old Tom", "am-grain=2 qt senior", "pm-grain=2 qt senior", "--team", "barn")
    try change("feed", "set", "Juniper", "pm-grain=1 qt oats", "--team", "barn")
  }

  fileprivate func board() throws -> (date: String, open: Int) {
    let board = try query(FeedCall.Board.Reply.self, "feed", "board", "--team", "barn")
    return (board.date, board.openAm + board.openPm)
  }

  /// Rows such as `2026-03-02 Old Tom missed fed`, in the history's order.
  fileprivate func closedRows() throws -> [String] {
    try query(FeedCall.History.Reply.self, "feed", "history", "--team", "barn").days
      .map { "\($0.date) \($0.horse) \($0.am) \($0.pm)" }
  }

  fileprivate func closedDays() throws -> [String] {
    Set(try closedRows().map { String($0.prefix(10)) }).sorted()
  }
}
