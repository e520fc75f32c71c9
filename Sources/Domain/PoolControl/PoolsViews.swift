// What org.poolflow.Pools tells about a pool. Storage is imperial; the team's unit system comes along.

/// One pool, as a route lists it.
package struct PoolView: Codable, Sendable {
  package let id: String
  package let customer: String
  package let address: String
  /// `Mon` … `Sun`.
  package let day: String
  package let order: Int
  package let technician: String
  package let volumeGallons: Double
  package let lsi: Double?
  package let lastVisit: String?
  package let lastVisitLocal: String?

  package init(
    id: String, customer: String, address: String, day: String, order: Int, technician: String,
    volumeGallons: Double, lsi: Double? = nil, lastVisit: String? = nil, lastVisitLocal: String? = nil
  ) {
    self.id = id
    self.customer = customer
    self.address = address
    self.day = day
    self.order = order
    self.technician = technician
    self.volumeGallons = volumeGallons
    self.lsi = lsi
    self.lastVisit = lastVisit
    self.lastVisitLocal = lastVisitLocal
  }

  private enum CodingKeys: String, CodingKey {
    case id, customer, address, day, order, technician, lsi
    case volumeGallons = "volume_gallons"
    case lastVisit = "last_visit"
    case lastVisitLocal = "last_visit_local"
  }
}

/// What a test kit said; °F and parts per million.
package struct ReadingsView: Codable, Sendable {
  package let ph: Double
  package let waterTempF: Double
  package let calciumHardness: Double
  package let totalAlkalinity: Double
  package let cyanuricAcid: Double
  package let totalDissolvedSolids: Double?

  package init(
    ph: Double, waterTempF: Double, calciumHardness: Double, totalAlkalinity: Double, cyanuricAcid: Double,
    totalDissolvedSolids: Double? = nil
  ) {
    self.ph = ph
    self.waterTempF = waterTempF
    self.calciumHardness = calciumHardness
    self.totalAlkalinity = totalAlkalinity
    self.cyanuricAcid = cyanuricAcid
    self.totalDissolvedSolids = totalDissolvedSolids
  }

  private enum CodingKeys: String, CodingKey {
    case ph
    case waterTempF = "water_temp_f"
    case calciumHardness = "calcium_hardness"
    case totalAlkalinity = "total_alkalinity"
    case cyanuricAcid = "cyanuric_acid"
    case totalDissolvedSolids = "total_dissolved_solids"
  }
}

/// Who is at the pool; the sensitive fields come only when they are asked for.
package struct ProfileView: Codable, Sendable {
  package let contactName: String
  package let contactPhone: String?
  package let contactEmail: String?
  package let gateAccess: String?
  package let arrivalWindow: String
  package let tags: [String]

  package init(
    contactName: String, contactPhone: String? = nil, contactEmail: String? = nil, gateAccess: String? = nil,
    arrivalWindow: String, tags: [String]
  ) {
    self.contactName = contactName
    self.contactPhone = contactPhone
    self.contactEmail = contactEmail
    self.gateAccess = gateAccess
    self.arrivalWindow = arrivalWindow
    self.tags = tags
  }

  private enum CodingKeys: String, CodingKey {
    case tags
    case contactName = "contact_name"
    case contactPhone = "contact_phone"
    case contactEmail = "contact_email"
    case gateAccess = "gate_access"
    case arrivalWindow = "arrival_window"
  }
}

/// A pump, filter or heater.
package struct EquipmentView: Codable, Sendable {
  package let name: String
  package let kind: String
  package let manufacturer: String
  package let model: String

  package init(name: String, kind: String, manufacturer: String, model: String) {
    self.name = name
    self.kind = kind
    self.manufacturer = manufacturer
    self.model = model
  }
}

/// One visit.
package struct VisitView: Codable, Sendable {
  package let at: String
  package let local: String
  package let lsi: Double
  package let chemicalCost: Double
  package let photo: Bool

  package init(at: String, local: String, lsi: Double, chemicalCost: Double, photo: Bool) {
    self.at = at
    self.local = local
    self.lsi = lsi
    self.chemicalCost = chemicalCost
    self.photo = photo
  }

  private enum CodingKeys: String, CodingKey {
    case at, local, lsi, photo
    case chemicalCost = "chemical_cost"
  }
}

/// Everything about one pool.
package struct PoolDetailsView: Codable, Sendable {
  package let pool: PoolView
  package let team: String
  /// How the team measures: `imperial` or `metric`.
  package let units: String
  package let latitude: Double?
  package let longitude: Double?
  package let monthlyFee: Double
  package let readings: ReadingsView
  package let profile: ProfileView?
  /// Only when asked for: people write gate codes here.
  package let notes: String?
  package let equipment: [EquipmentView]
  package let visits: Int
  package let recentVisits: [VisitView]

  package init(
    pool: PoolView, team: String, units: String, latitude: Double? = nil, longitude: Double? = nil,
    monthlyFee: Double, readings: ReadingsView, profile: ProfileView? = nil, notes: String? = nil,
    equipment: [EquipmentView], visits: Int, recentVisits: [VisitView]
  ) {
    self.pool = pool
    self.team = team
    self.units = units
    self.latitude = latitude
    self.longitude = longitude
    self.monthlyFee = monthlyFee
    self.readings = readings
    self.profile = profile
    self.notes = notes
    self.equipment = equipment
    self.visits = visits
    self.recentVisits = recentVisits
  }

  private enum CodingKeys: String, CodingKey {
    case pool, team, units, latitude, longitude, readings, profile, notes, equipment, visits
    case monthlyFee = "monthly_fee"
    case recentVisits = "recent_visits"
  }
}
