import PoolChemistry
package import PoolModel

/// The pools or the profiles of a team as lines of a CSV file, which an import takes back without loss.
package struct CSVPoolExport: Sendable {
  /// A pool with what its row says besides.
  package struct Row: Sendable {
    package let pool: Pool
    package let profile: CustomerProfile?
    /// In the day of its technician, from 1.
    package let stop: Int
    /// A visit has measured something.
    package let isMeasured: Bool

    package init(pool: Pool, profile: CustomerProfile?, stop: Int, isMeasured: Bool) {
      self.pool = pool
      self.profile = profile
      self.stop = stop
      self.isMeasured = isMeasured
    }
  }

  private let currency: Currency
  /// What a new pool of the team is assumed to have: no reading of a pool that was never measured.
  private let assumed: WaterReadings
  private let reveals: Bool

  /// - Parameter reveals: e-mail addresses and gate codes are written, and the telephone numbers of profiles.
  package init(of team: Team, reveals: Bool) {
    currency = team.currency
    assumed = RegionDefaults(of: team).readings
    self.reveals = reveals
  }

  // MARK: Pools

  package var poolHeader: String {
    CSVExport.line((CSVColumn.exported + (reveals ? [.contactEmail, .gateCode] : [])).map(\.rawValue))
  }

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
    return CSVExport.line(cells + (reveals ? [profile?.contactEmail ?? "", profile?.gateAccessType ?? ""] : []))
  }

  /// The readings and their index; empty where they are only what a new pool is assumed to have.
  private func water(of row: Row) -> [String] {
    let readings = row.pool.readings
    guard row.isMeasured || readings != assumed else { return Array(repeating: "", count: 7) }
    return [
      readings.pH, readings.waterTempF, readings.calciumHardness, readings.totalAlkalinity, readings.cyanuricAcid,
    ].map(CSVExport.number) + [
      readings.totalDissolvedSolids.map(CSVExport.number) ?? "", CSVExport.number(LSIResult(readings).lsiValue),
    ]
  }

  // MARK: Profiles

  package var profileHeader: String {
    let columns: [CSVColumn] =
      [.customerName, .address, .contactName, .arrivalWindow, .tags, .technician, .poolID]
      + (reveals ? [.contactPhone, .contactEmail, .gateCode] : [])
    return CSVExport.line(columns.map(\.rawValue))
  }

  package func profileLine(of pool: Pool, _ profile: CustomerProfile) -> String {
    CSVExport.line(
      [
        pool.customerName, pool.address, profile.contactName, profile.preferredArrivalWindow, Self.tags(of: profile),
        profile.technicianTag ?? "", pool.id.description,
      ] + (reveals ? [profile.contactPhone, profile.contactEmail, profile.gateAccessType] : []))
  }

  /// The tags except that of the technician, who has a column.
  private static func tags(of profile: CustomerProfile?) -> String {
    (profile?.storedTags ?? "").split(separator: ",").map { trimmingSpaces($0) }
      .filter { !$0.lowercased().hasPrefix("tech:") && !$0.isEmpty }.joined(separator: ",")
  }
}
