import FoundationEssentials
import PoolInterchange
import PoolModel

/// Bytes as a customers file, read in one of the languages and planned into an empty team, then once more into the result.
enum CSVInput {
  static func check(_ bytes: [UInt8], _ limit: TimeLimit) throws(BrokenLaw) {
    let language = Language.allCases[bytes.count % Language.allCases.count]
    let promise: Duration = .milliseconds(1) + .microseconds(5 * bytes.count)
    let table: CSVTable? = try limit.call("reading", promise) {
      do throws(CSVError) { return try CSVImport.read(bytes: bytes, locale: language) } catch { return nil }
    }
    guard let table else { return }
    let first = try limit.call("planning", promise) { plan(table, [], []) }
    try check(first, of: table, existing: 0)
    let second = plan(table, first.pools, first.profiles)
    try check(second, of: table, existing: first.pools.count)
    try require(second.creates == 0, "the same file again creates \(second.creates) pools")
    try require(second.pools == first.pools, "the same file again changes pools")
    try require(second.updatedIDs.isEmpty && second.profiles.isEmpty, "the same file again changes something")
    try require(second.issues == first.issues, "the same file again has other issues")
  }

  private static func check(_ plan: CSVPlan, of table: CSVTable, existing: Int) throws(BrokenLaw) {
    try require(plan.creates + plan.updates + plan.skips == table.rowCount, "a row is lost or counted twice")
    try require(plan.pools.count == existing + plan.creates, "\(plan.pools.count) pools after \(plan.creates) creates")
    try require(
      plan.issues.count(where: { $0.severity == .error }) == plan.skips, "a row is left out without a reason")
    for pool in plan.pools {
      try require(!pool.customerName.isEmpty && !pool.address.isEmpty, "a pool has no name or no address")
      try require(
        NumberRule.monthlyFee.accepts(pool.monthlyServiceFee) && NumberRule.volume.accepts(pool.volumeGallons)
          && pool.latitude.magnitude <= 90 && pool.longitude.magnitude <= 180, "a pool has an impossible number")
      for (text, rule) in [(pool.customerName, TextRule.name), (pool.address, .name), (pool.notes, .notes)] {
        try require(rule.lengthFault(in: text) == nil && !hasControls(text), "a text is taken that breaks its rule")
      }
    }
  }

  private static func plan(_ table: CSVTable, _ pools: [Pool], _ profiles: [CustomerProfile]) -> CSVPlan {
    var number: UInt16 = 0
    func makeID(on _: Weekday) -> UUID {
      number += 1
      let (high, low) = (UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number))
      return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, high, low))
    }
    return CSVImport.plan(
      table, existing: pools, profiles: profiles, now: Timestamp(seconds: 1_800_000_000), makeID: makeID)
  }
}
