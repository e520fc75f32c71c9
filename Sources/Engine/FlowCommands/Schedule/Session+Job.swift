internal import FlowCommandKit
import FlowWork

extension Session {
  /// The team that owns `job`; nil for a server job, and for an operand that includes its team, such as a run.
  func team(ofJob job: String?, _ arguments: Arguments) throws -> String? {
    if let named = arguments["team"] { return named }
    guard let job, let kind = catalogue.jobs.kind(named: job), !kind.isServerJob else { return nil }
    return try team(arguments)
  }
}
