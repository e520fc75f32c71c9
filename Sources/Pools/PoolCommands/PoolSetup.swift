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
    technicianNeedsRecords: true, officeSubjects: "every route",
    access: Access(
      option: .init(
        "show-access", "yes|no",
        "whether mail and published pages show gate codes, phone numbers and notes to everyone who can read them; "
          + "default: no, or as it is set"),
      data: "gate codes, phone numbers and notes",
      meaning:
        "Mail and published pages can show gate codes, phone numbers and notes of customers. With yes, everyone who can "
        + "read a mail, or knows the secret address of a page, sees them. With no, they are left out, and people look "
        + "them up with `pfctl pool show POOL --reveal`.",
      question: "Show gate codes, phone numbers and notes in mail and on published pages?"))
}
