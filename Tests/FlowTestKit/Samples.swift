package import FlowModel
package import FoundationEssentials
package import PoolModel

/// Ordinary sample values; a test sets only the values that it is about.
package enum Samples {
  /// 2026-03-02T14:00:00Z, Monday 07:00 in Phoenix.
  package static let mondayMorning = Timestamp(seconds: 1_772_460_000)

  /// The `number`th of a series of different UUIDs.
  package static func uuid(_ number: Int) -> UUID {
    let digits = String(number, radix: 16)
    let text = String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    return UUID(uuidString: "5A3E17B0-0000-4000-8000-\(text)") ?? UUID()
  }

  package static func pool(
    _ number: Int = 1, customer: String = "Steve Baird", day: Weekday = .monday, order: Int = 0
  ) -> Pool {
    Pool(
      id: PoolID(uuid(number)), customerName: customer, address: "\(number) E Juniper St, Mesa, AZ 85203", notes: "",
      latitude: 33.45293, longitude: -111.803895, volumeGallons: 21_000, monthlyServiceFee: 145, serviceDay: day,
      routeOrder: order,
      readings: WaterReadings(
        pH: 7.7, waterTempF: 54, calciumHardness: 325, totalAlkalinity: 80, cyanuricAcid: 70,
        totalDissolvedSolids: 1_100),
      cachedLSI: -0.18, createdAt: mondayMorning.advanced(by: .hours(-24 * 100)),
      updatedAt: mondayMorning.advanced(by: .hours(-24 * 7)))
  }

  package static func visit(
    _ number: Int = 1_000, to pool: PoolID, at instant: Timestamp = mondayMorning, readings: WaterReadings? = nil
  ) -> ServiceEvent {
    ServiceEvent(
      id: ServiceEventID(uuid(number)), poolID: pool, timestamp: instant,
      readings: readings
        ?? WaterReadings(
          pH: 7.5, waterTempF: 80, calciumHardness: 300, totalAlkalinity: 90, cyanuricAcid: 50,
          totalDissolvedSolids: nil),
      lsiValue: 0.1, totalChemicalCost: 2.5, techNotes: "", photoFileName: nil)
  }

  package static func dose(_ number: Int = 2_000, for visit: ServiceEventID, of item: InventoryItemID?) -> ChemicalDose
  {
    ChemicalDose(id: ChemicalDoseID(uuid(number)), serviceEventID: visit, chemicalID: item, quantityOz: 28, cost: 1.4)
  }

  package static func item(_ number: Int = 3_000, name: String = "Muriatic Acid", stock: Double, threshold: Double)
    -> InventoryItem
  {
    InventoryItem(
      id: InventoryItemID(uuid(number)), name: name, chemicalType: "acid", concentration: 31.45, costPerOz: 0.05,
      currentStockOz: stock, lowStockThresholdOz: threshold, unitLabel: "oz")
  }

  package static func profile(of pool: PoolID, tags: String = "") -> CustomerProfile {
    CustomerProfile(
      poolID: pool, contactName: "Steve Baird", contactPhone: "480-555-0140", contactEmail: "steve@example.com",
      gateAccessType: "Keypad 4417", preferredArrivalWindow: "", tagsCSV: tags)
  }

  package static func equipment(_ number: Int = 4_000, at pool: PoolID) -> Equipment {
    Equipment(
      id: EquipmentID(uuid(number)), poolID: pool, equipmentType: "pump", name: "Variable speed pump",
      manufacturer: "Hydroline", modelNumber: "VS-220", serialNumber: "HY569511", installDate: nil,
      warrantyExpiryDate: nil, lastServiceDate: nil, nextServiceDate: nil, notes: "", createdAt: mondayMorning,
      updatedAt: mondayMorning)
  }

  package static func team(
    _ name: String = "desert-blue", zone: String = "America/Phoenix", plan: Plan = .paid,
    settings: TeamSettings = TeamSettings()
  ) -> Team {
    Team(
      id: TeamID(1), name: name, trade: .poolService, zone: zone, language: .english, units: .imperial,
      objective: .time, plan: plan,
      settings: settings, createdAt: mondayMorning)
  }
}
