import FlowModel
import FoundationEssentials
import PoolInterchange
import PoolModel

/// Bytes as a customers file, read in one of the languages and unit systems, planned into an empty team, and then again over
/// the result, under each rule for repeated rows.
enum CSVInput {
  static func check(_ bytes: [UInt8], _ limit: TimeLimit) throws(BrokenLaw) {
    let language = Language.allCases[bytes.count % Language.allCases.count]
    let units = UnitSystem.allCases[bytes.count / 5 % UnitSystem.allCases.count]
    let promise: Duration = .milliseconds(1) + .microseconds(5 * bytes.count)
    let table: CSVTable? = try limit.call("reading", promise) {
      do throws(CSVError) { return try CSVImport.read(bytes: bytes, locale: language, units: units) } catch {
        return nil
      }
    }
    let headings = try limit.call("reading the headings", promise) { CSVImport.headings(of: bytes) }
    guard let table else { return }
    for repeats in [CSVRepeats.keepFirst, .update] {
      let first = try limit.call("planning", promise) { plan(table, repeats, [], []) }
      try check(first, of: table, existing: 0)
      try require(first.columns.map(\.heading) == headings, "a heading is lost")
      try require(
        first.notices.count { isRepeat($0.fault) } == first.updates,
        "a second row of a customer is added without a word")
      let second = plan(table, repeats, first.pools, first.profiles)
      try check(second, of: table, existing: first.pools.count)
      try require(second.creates == 0, "the same file again creates \(second.creates) pools")
      try require(second.pools == first.pools, "the same file again changes pools")
      try require(second.updatedIDs.isEmpty && second.profiles.isEmpty, "the same file again changes something")
      try require(second.issues == first.issues, "the same file again has other issues")
    }
  }

  private static func isRepeat(_ fault: RowFault) -> Bool {
    switch fault {
    case .repeats, .contradicts: true
    default: false
    }
  }

  private static func check(_ plan: CSVPlan, of table: CSVTable, existing: Int) throws(BrokenLaw) {
    try require(
      plan.creates + plan.updates + plan.skips + plan.inactive == table.rowCount, "a row is lost or counted twice")
    try require(plan.preview.count == min(5, table.rowCount), "a preview of \(plan.preview.count) rows")
    try require(plan.pools.count == existing + plan.creates, "\(plan.pools.count) pools after \(plan.creates) creates")
    try require(
      plan.issues.count(where: { $0.severity == .error }) == plan.skips, "a row is left out without a reason")
    // Our own export contains the pools' existing volumes.
    let hasIDs = plan.columns.contains { $0.column == .poolID }
    for pool in plan.pools {
      try require(!pool.customerName.isEmpty && !pool.address.isEmpty, "a pool has no name or no address")
      try require(
        NumberRule.monthlyFee.accepts(pool.monthlyServiceFee) && NumberRule.volume.accepts(pool.volumeGallons)
          && (pool.volumeGallons >= 100 || hasIDs) && pool.latitude.magnitude <= 90 && pool.longitude.magnitude <= 180,
        "a pool has an impossible number")
      for (text, rule) in [(pool.customerName, TextRule.name), (pool.address, .name), (pool.notes, .notes)] {
        try require(rule.lengthFault(in: text) == nil && !hasControls(text), "a text is taken that breaks its rule")
      }
    }
  }

  private static func plan(
    _ table: CSVTable, _ repeats: CSVRepeats, _ pools: [Pool], _ profiles: [CustomerProfile]
  ) -> CSVPlan {
    var number: UInt16 = 0
    func makeID(on _: Weekday) -> UUID {
      number += 1
      let (high, low) = (UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number))
      return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, high, low))
    }
    return CSVImport.plan(
      table, existing: pools, profiles: profiles, repeats: repeats, now: Timestamp(seconds: 1_800_000_000),
      makeID: makeID)
  }
}
