import FlowCommandKit
import FlowControl

extension RecordNouns {
  static let horses = RecordNouns("horse", "horses") { $0.horses ?? 0 }
}

extension TradeSetup {
  /// The setup of a stable, in which everyone gets the same notices.
  static let stable = TradeSetup(
    answers: ["horses", "horse", "barn"],
    list: RecordList(
      option: .init("horses", "FILE", "a stable's list of horses (CSV)"), noun: "list of horses",
      archive: "a stable's archive", question: "The stable's archive (ZIP) or a list of horses (CSV) [later]"),
    morning: Morning(
      job: "barn-digest",
      time: .rules([
        SetupTime(
          job: "barn-digest", option: SetupTime.morningOption, question: "Time of the stable's morning notice",
          standard: "06:00"),
        SetupTime(
          job: "feed-am", option: "feed-am",
          help: "for a stable: when morning feeds that are still open are reported",
          question: "Time to report open morning feeds", standard: "09:00"),
        SetupTime(
          job: "feed-pm", option: "feed-pm", help: "the same of evening feeds",
          question: "Time to report open evening feeds", standard: "19:30"),
      ]), notice: "the stable's morning notice", next: "the barn's next morning", none: "no morning"),
    technicianNeedsRecords: false, officeSubjects: "everything")
}
