import FlowModel
import FlowNotices
import FlowTestKit
import Testing

/// Notices by the server to its operator.
struct OperatorNoticeTests {
  private static let all: [OperatorNotice] = [
    .sinkSick(sink: "drop", trouble: "no folder"), .sinkWell(sink: "drop"),
    .deadLetters(sink: "drop", count: 2, reason: "expired"), .backupFailed(reason: "no space"),
    .diskLow(path: "/var/lib/poolflow", freeBytes: 100 << 20),
    .clockImplausible(now: Timestamp(seconds: 60)), .teamsInTrouble(lines: ["team 'a', backup: no"], count: 3),
    .test(sink: "drop", by: "anna"),
    .diskWasFull(path: "/var/lib/poolflow", since: Timestamp(seconds: 60)),
    .serverWasAway(name: "PostgreSQL, poolflow on db", since: Timestamp(seconds: 60)),
    .clockRolledBack(words: "3 jobs"),
    .sinkDegraded(sink: "web", lines: ["'/srv/www/index.html' is a folder"], count: 2),
    .nodeFollowed(node: "south", last: Timestamp(seconds: 60)),
    .senderFailed(sink: "post", lines: ["[Channel mail] delivers nothing: why."]),
    .senderWorks(sink: "post", titles: ["[Channel mail] works again"]),
  ]

  @Test func `each operator notice has a unique name, identifier and file-safe id`() {
    let notices = Self.all.map { $0.notice(at: Samples.mondayMorning, install: "f3a91c02") }
    #expect(Set(notices.map(\.id)).count == notices.count)
    #expect(Set(notices.map(\.identifier)).count == notices.count)
    for (notice, made) in zip(Self.all, notices) {
      #expect(made.identifier == OperatorNotice.identifier(notice.word, sink: notice.sink))
      #expect(made.id.utf8.allSatisfy { $0 < 0x7F && $0 != UInt8(ascii: "/") })
      #expect(made.teamID == nil && made.job == "operator" && !made.title.isEmpty && made.body.hasSuffix("."))
    }
  }

  @Test func `low disk space is a warning, and an error if the store may stop`() {
    func severity(_ free: Int) -> Severity { OperatorNotice.diskLow(path: "/", freeBytes: free).severity }
    #expect(severity(Limits.freeSpaceWarning - 1) == .warning)
    #expect(severity(Limits.freeSpaceError - 1) == .error)
    let body = Self.all[4].notice(at: Samples.mondayMorning, install: "x").body
    #expect(body.hasPrefix("Only 100 MiB are free in '/var/lib/poolflow'."))
    #expect(
      Self.all[5].notice(at: Samples.mondayMorning, install: "x").body.hasPrefix(
        "The clock says 1970-01-01T00:01:00Z, so nothing is scheduled."))
  }
}
