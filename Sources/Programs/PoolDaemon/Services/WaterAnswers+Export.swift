import PoolControl
import PoolInterchange
import PoolModel
import PoolStore

extension WaterAnswers {
  /// Lines of one answer: notes of 4,000 characters in each still fit a frame.
  private static let linesPerAnswer = 500

  func export(_ call: WaterCall.Export, _ caller: Caller) async throws -> WaterCall.Export.Reply {
    let team = try await finder.team(named: call.team)
    guard let start = call.after.map({ Int($0) }) ?? 0, start >= 0 else {
      throw ControlError.badValue(field: "after", value: call.after ?? "", why: "it is what the answer before said")
    }
    guard call.pool == nil || call.table == .visits else {
      throw ControlError.badValue(
        field: "pool", value: call.pool ?? "", why: "only visits are told of one pool; leave it out, or export visits")
    }
    var only: PoolID?
    if let name = call.pool { only = try await finder.pool(name, of: team).id }
    return try await refusing { [only] in
      let lines: [String]
      let header: String
      switch call.table {
      case .pools:
        header = CSVExport.poolHeader
        let profiles = Dictionary(
          try await store.profiles(of: team.id).map { ($0.poolID, $0) }, uniquingKeysWith: { first, _ in first })
        lines = try await store.allPools(of: team.id).dropFirst(start).prefix(Self.linesPerAnswer).map {
          CSVExport.line(of: $0, profile: profiles[$0.id])
        }
      case .visits:
        header = CSVExport.visitHeader
        lines = try await store.oldestVisits(of: team.id, pool: only, after: start, limit: Self.linesPerAnswer).map {
          CSVExport.line(of: $0.event, customer: $0.customer)
        }
      case .stock:
        header = CSVExport.stockHeader
        lines = try await store.stock(of: team.id).dropFirst(start).prefix(Self.linesPerAnswer).map {
          CSVExport.line(of: $0.item, technician: $0.technician)
        }
      }
      return WaterCall.Export.Reply(
        lines: (start == 0 ? [header] : []) + lines,
        next: lines.count == Self.linesPerAnswer ? String(start + lines.count) : nil)
    }
  }
}
