package import FlowModel

extension Limits {
  /// Maximum bytes of the `words` member of a receipt.
  package static let receiptTextBytes = 300
  /// Maximum lines of a loss report.
  static let lossesListed = 20
  /// Maximum bytes of one text in a sender's report.
  package static let senderReportText = 1_000
  /// Failures that begin within this time after the last failure report are collected for the next one; a network outage
  /// stops every channel.
  package static let failureReportDelay: Duration = .minutes(1)
}
