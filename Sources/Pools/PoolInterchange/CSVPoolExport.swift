package import FlowCalendar
package import FlowModel
import PoolChemistry
package import PoolModel

/// Writes the pools or profiles of a team as CSV lines, which an import reads back without loss.
package struct CSVPoolExport: Sendable {
  /// A pool together with the other data of its line.
  package struct Row: Sendable {
    package let pool: Pool
    package let profile: CustomerProfile?
    /// The rank in its technician's day, from 1.
    package let stop: Int
    /// True if a visit has measured the water.
    package let isMeasured: Bool
    /// The dates of service; nil for every week.
    package let rule: CalendarDates?

    package init(
      pool: Pool, profile: CustomerProfile?, stop: Int, isMeasured: Bool, rule: CalendarDates? = nil
    ) {
      self.pool = pool
      self.profile = profile
      self.stop = stop
      self.isMeasured = isMeasured
      self.rule = rule
    }
  }

  private let currency: Currency
  /// The readings that poolflow assumes for a new pool; equal readings of an unmeasured pool are not exported.
  private let assumed: WaterReadings
  private let index: LSIMethod
  private let includesAccessData: Bool
  private let includesFrequency: Bool
  private let includesSanitiser: Bool

  /// Creates an exporter.
  ///
  /// - Parameters:
  ///   - includesAccessData: true adds e-mail addresses, gate codes and the telephone numbers of profiles.
  ///   - includesFrequency: true adds the dates of service of pools; false if every pool is served each week.
  ///   - includesSanitiser: true adds free chlorine and salt; false if no pool has such readings.
  package init(
    of team: Team, includesAccessData: Bool, includesFrequency: Bool = false, includesSanitiser: Bool = false
  ) {
    self.includesFrequency = includesFrequency
    self.includesSanitiser = includesSanitiser
    currency = team.currency
    index = team.settings.lsiMethod
    assumed = RegionDefaults(of: team).readings
    self.includesAccessData = includesAccessData
  }

  // MARK: Pools

  package var poolHeader: String {
    CSVExport.line(
      (CSVColumn.exported + (includesFrequency ? [.frequency] : [])
        + (includesSanitiser ? [.freeChlorine, .salt] : [])
        + (includesAccessData ? [.contactEmail, .gateCode] : [])).map(\.rawValue))
  }

  /// The line of a pool, under `poolHeader`.
  package func poolLine(of row: Row) -> String {
    let (pool, profile) = (row.pool, row.profile)
    let cells =
      [
        pool.customerName, pool.address, pool.serviceDay.abbreviation, CSVExport.money(pool.monthlyServiceFee),
        CSVExport.measure(pool.volumeGallons), pool.notes,
        pool.hasCoordinates ? CSVExport.number(pool.latitude) : "",
        pool.hasCoordinates ? CSVExport.number(pool.longitude) : "", profile?.contactName ?? "",
        profile?.contactPhone ?? "", Self.tags(of: profile), profile?.technicianTag ?? "",
        profile?.preferredArrivalWindow ?? "", pool.id.description, String(pool.routeOrder), String(row.stop),
      ] + water(of: row) + [currency.rawValue]
      + (includesFrequency ? [row.rule?.description ?? ServiceRule.weeklyWord] : [])
      + (includesSanitiser
        ? [pool.readings.freeChlorine, pool.readings.salt].map { $0.map(CSVExport.number) ?? "" } : [])
    return CSVExport.line(
      cells + (includesAccessData ? [profile?.contactEmail ?? "", profile?.gateAccessType ?? ""] : []))
  }

  /// The readings and their saturation index; empty cells if they are only the assumed readings of a new pool.
  private func water(of row: Row) -> [String] {
    let readings = row.pool.readings
    guard row.isMeasured || readings.withoutSanitiser != assumed else { return Array(repeating: "", count: 7) }
    return [
      readings.pH, readings.waterTempF, readings.calciumHardness, readings.totalAlkalinity, readings.cyanuricAcid,
    ].map(CSVExport.number) + [
      readings.totalDissolvedSolids.map(CSVExport.number) ?? "",
      CSVExport.number(LSIResult(readings, by: index).lsiValue),
    ]
  }

  // MARK: Profiles

  package var profileHeader: String {
    let columns: [CSVColumn] =
      [.customerName, .address, .contactName, .arrivalWindow, .tags, .technician, .poolID]
      + (includesAccessData ? [.contactPhone, .contactEmail, .gateCode] : [])
    return CSVExport.line(columns.map(\.rawValue))
  }

  /// The line of a profile, under `profileHeader`.
  package func profileLine(of pool: Pool, _ profile: CustomerProfile) -> String {
    CSVExport.line(
      [
        pool.customerName, pool.address, profile.contactName, profile.preferredArrivalWindow, Self.tags(of: profile),
        profile.technicianTag ?? "", pool.id.description,
      ] + (includesAccessData ? [profile.contactPhone, profile.contactEmail, profile.gateAccessType] : []))
  }

  /// The tags without the technician's tag, which has its own column.
  private static func tags(of profile: CustomerProfile?) -> String {
    (profile?.storedTags ?? "").split(separator: ",").map { trimmingSpaces($0) }
      .filter { !$0.lowercased().hasPrefix("tech:") && !$0.isEmpty }.joined(separator: ",")
  }
}
