import StableControl
import FlowControl
import FlowModel
import FlowServices
import FlowStore
import StableInterchange
import StableModel
import StableStore

extension HorsesAnswers {
  /// Lines of one answer: with notes of 4,000 characters in each line they still fit a frame.
  private static let linesPerAnswer = 500

  func export(_ call: HorsesCall.Export, _ caller: Caller) async throws -> HorsesCall.Export.Reply {
    let team = try await barn.team(named: call.team)
    guard let start = call.after.map({ Int($0) }) ?? 0, start >= 0 else {
      throw ControlError.badValue(
        field: "after", value: call.after ?? "", why: "must be the value from the previous answer")
    }
    let kind: StableFileKind =
      switch call.list {
      case .horses: .horses
      case .feed: .feed
      case .care: .care
      }
    let records = try await mappingErrors { try await store.stableRecords(of: team.id) }
    let lines = StableExport.lines(of: kind, records).dropFirst(start).prefix(Self.linesPerAnswer)
    return HorsesCall.Export.Reply(
      lines: (start == 0 ? [StableExport.header(of: kind)] : []) + lines,
      next: lines.count == Self.linesPerAnswer ? String(start + lines.count) : nil)
  }
}
