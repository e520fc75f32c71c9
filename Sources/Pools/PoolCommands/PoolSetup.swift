import FlowCommandKit
import FlowControl

extension RecordNouns {
  static let pools = RecordNouns("pool", "pools") { $0.pools }
}

extension TradeSetup {
  /// The setup of a pool service.
  static let poolService = TradeSetup(
    answers: ["pools", "pool"],
    list: RecordList(
      option: .init("customers", "FILE", "a customer list (CSV) instead"), noun: "customer list",
      archive: "the app's backup", question: "The app's archive (ZIP) or a customer list (CSV) [later]"),
    morning: Morning(
      job: "morning-summary", time: .setting(question: "Time of the morning's route"), notice: "the morning's route",
      next: "the next morning's route", none: "no morning's route"),
    technicianNeedsRecords: true, officeSubjects: "every route")
}
