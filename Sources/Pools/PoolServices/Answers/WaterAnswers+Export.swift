import PoolControl
import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import FlowStore
import PoolInterchange
import PoolModel
import PoolStore

extension WaterAnswers {
  /// Lines of one answer: with notes of 4,000 characters in each line they still fit a frame.
  private static let linesPerAnswer = 500

  func export(_ call: WaterCall.Export, _ caller: Caller) async throws -> WaterCall.Export.Reply {
    let team = try await finder.team(named: call.team)
    guard let start = call.after.map({ Int($0) }) ?? 0, start >= 0 else {
      throw ControlError.badValue(
        field: "after", value: call.after ?? "", why: "must be the value from the previous answer")
    }
    guard call.pool == nil || call.table == .visits else {
      throw ControlError.badValue(
        field: "pool", value: call.pool ?? "",
        why: "only visits can be exported for one pool; leave it out, or export visits")
    }
    guard call.reveal != true || call.table == .pools || call.table == .profiles else {
      throw ControlError.badValue(
        field: "reveal", value: "true",
        why: "only pools and profiles have e-mail addresses and gate codes; leave this out")
    }
    var only: PoolID?
    if let name = call.pool { only = try await finder.pool(name, of: team).id }
    return try await mappingErrors { [only] in
      let page = try await page(call, of: team, only: only, after: start)
      return WaterCall.Export.Reply(
        lines: (start == 0 ? [page.header] : []) + page.lines,
        next: page.records == Self.linesPerAnswer ? String(start + page.records) : nil)
    }
  }

  /// One page of a table.
  ///
  /// - Returns: `records` counts the records read; some profiles have no line.
  private func page(
    _ call: WaterCall.Export, of team: Team, only: PoolID?, after start: Int
  ) async throws -> (header: String, lines: [String], records: Int) {
    let limit = Self.linesPerAnswer
    let sanitiser = try await store.sanitiserUse(of: team.id)
    switch call.table {
    case .pools, .profiles:
      let services = try await store.services(of: team.id)
      let hasRules = services.pools.contains { services[$0]?.rule != nil }
      let export = CSVPoolExport(
        of: team, includesAccessData: call.reveal ?? false, includesFrequency: hasRules,
        includesSanitiser: sanitiser.pools)
      let profiles = Dictionary(
        try await store.profiles(of: team.id).map { ($0.poolID, $0) }, uniquingKeysWith: { first, _ in first })
      let found = try await store.pools(of: team.id, after: start, limit: limit, now: clock.now())
      guard call.table == .pools else {
        let lines = found.compactMap { line in profiles[line.pool.id].map { export.profileLine(of: line.pool, $0) } }
        return (export.profileHeader, lines, found.count)
      }
      let lines = found.map { line in
        export.poolLine(
          of: CSVPoolExport.Row(
            pool: line.pool, profile: profiles[line.pool.id], stop: line.place, isMeasured: line.water != nil,
            rule: services[line.pool.id]?.rule))
      }
      return (export.poolHeader, lines, found.count)
    case .visits:
      let lines = try await store.oldestVisits(of: team.id, pool: only, after: start, limit: limit).map {
        CSVExport.line(
          of: $0.event, customer: $0.customer, currency: team.currency, includesSanitiser: sanitiser.visits,
          index: team.settings.lsiMethod)
      }
      return (CSVExport.visitHeader(includesSanitiser: sanitiser.visits), lines, lines.count)
    case .stock:
      let lines = try await store.stock(of: team.id).dropFirst(start).prefix(limit).map {
        CSVExport.line(of: $0.item, technician: $0.technician, currency: team.currency)
      }
      return (CSVExport.stockHeader, lines, lines.count)
    }
  }
}
