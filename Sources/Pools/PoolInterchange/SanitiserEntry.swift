import FlowModel
import PoolModel

/// Free chlorine and salt of one visit or one pool, as one record of an archive.
struct SanitiserEntry {
  /// Nil for a pool.
  let eventID: ServiceEventID?
  /// Nil for a visit.
  let poolID: PoolID?
  /// Parts per million; nil if unknown.
  let freeChlorine: Double?
  let salt: Double?
  /// The readings taken at the visit; empty for a pool.
  let measured: ReadingSet

  init(eventID: ServiceEventID?, poolID: PoolID?, freeChlorine: Double?, salt: Double?, measured: ReadingSet) {
    self.eventID = eventID
    self.poolID = poolID
    self.freeChlorine = freeChlorine
    self.salt = salt
    self.measured = measured
  }

  private init(_ readings: WaterReadings, measured: ReadingSet = [], visit: ServiceEventID? = nil, pool: PoolID? = nil)
  {
    self.init(
      eventID: visit, poolID: pool, freeChlorine: readings.freeChlorine, salt: readings.salt,
      measured: measured.intersection(.sanitiser))
  }

  /// The entries of visits, then those of pools, in their order; those without a reading are left out.
  static func entries(of contents: ArchiveContents) -> [SanitiserEntry] {
    contents.serviceEvents.filter(\.readings.hasSanitiser).map {
      SanitiserEntry($0.readings, measured: $0.measured, visit: $0.id)
    } + contents.pools.filter(\.readings.hasSanitiser).map { SanitiserEntry($0.readings, pool: $0.id) }
  }

  /// Puts the readings into the visits and pools of the archive; entries of others are left out.
  static func put(_ entries: [SanitiserEntry], into contents: inout ArchiveContents) {
    let visits = Dictionary(
      entries.compactMap { entry in entry.eventID.map { ($0, entry) } }, uniquingKeysWith: { first, _ in first })
    let pools = Dictionary(
      entries.compactMap { entry in entry.poolID.map { ($0, entry) } }, uniquingKeysWith: { first, _ in first })
    for index in contents.serviceEvents.indices {
      guard let entry = visits[contents.serviceEvents[index].id] else { continue }
      contents.serviceEvents[index].readings.freeChlorine = entry.freeChlorine
      contents.serviceEvents[index].readings.salt = entry.salt
      contents.serviceEvents[index].measured.formUnion(entry.measured)
    }
    for index in contents.pools.indices {
      guard let entry = pools[contents.pools[index].id] else { continue }
      contents.pools[index].readings.freeChlorine = entry.freeChlorine
      contents.pools[index].readings.salt = entry.salt
    }
  }
}
