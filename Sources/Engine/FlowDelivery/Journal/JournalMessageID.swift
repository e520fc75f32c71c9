internal import FlowModel
package import FlowNotices

/// The message ids of poolflow's journal entries, for `journalctl MESSAGE_ID=…`; `units/poolflow.catalog` explains each one.
/// They were made with `systemd-id128 new` and never change.
package enum JournalMessageID: String, Sendable, CaseIterable {
  case teamNotice = "7b1f0c52c5a34a86b7d3f0a4e1d96c08"
  case sinkSick = "4c0e1b5a96d947d8a0f2c7b3e85d1f64"
  case sinkWell = "b9d27f3e0c1846a5937ee4d0a6812b5c"
  case sinkDegraded = "d6c2f0a17e3b4b58921f6ad4c07be935"
  case deadLetters = "e35a8d914f7b4c02b6c9157d20fa3e8b"
  case sinkTest = "1f6d4a7bc2e8450391b0d5e7f8a3c926"
  case backupFailed = "0fbcd851b62f431ca88d31b1403efb03"
  case teamsInTrouble = "5f0e8c1d7a9b4e63b2d4c06f91a7e835"
  case diskLow = "0fbdace71ee54edeba7ede381b9b759f"
  case diskWasFull = "5d39366e97354bc583558ff064bb315a"
  case clockImplausible = "dbf77a0748c14f55b457355870b47356"
  // Messages of the daemon itself.
  case daemonReady = "0b791a353bb187c5a5a1e3668f56a4e6"
  case daemonStopped = "40a794646d252e20df2c96096a448a02"
  case daemonCrashed = "b8010e5a3c490a4d6edbbe32c01e4a5f"
  case settingsApplied = "2522ab7dd46ec6c0ab2a0d952b060f2d"
  case settingsRefused = "cc09d444f7b74dac155574160c37f51f"
  case backupMade = "68dac4312d878b0b8c5370139e2995f6"

  /// The message id for a notice: `teamNotice`, or the kind of operator notice.
  package init(of notice: Notice) {
    let kinds: [(OperatorNotice, JournalMessageID)] = [
      (.sinkSick(sink: "", trouble: ""), .sinkSick), (.sinkWell(sink: ""), .sinkWell),
      (.sinkDegraded(sink: "", lines: [], count: 1), .sinkDegraded),
      (.deadLetters(sink: "", count: 1, reason: ""), .deadLetters), (.test(sink: "", by: ""), .sinkTest),
      (.backupFailed(reason: ""), .backupFailed), (.diskLow(path: "", freeBytes: 0), .diskLow),
      (.diskWasFull(path: "", since: Timestamp(seconds: 0)), .diskWasFull),
      (.clockImplausible(now: Timestamp(seconds: 0)), .clockImplausible),
      (.teamsInTrouble(lines: [], count: 0), .teamsInTrouble),
    ]
    let kind = kinds.first { notice.identifier.hasPrefix(OperatorNotice.identifier($0.0.word, sink: "")) }
    self = notice.jobID == nil ? kind?.1 ?? .teamNotice : .teamNotice
  }
}
