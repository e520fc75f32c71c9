package import FlowModel

/// A customer's pool as in the PoolFlow app: imperial units, and the readings last measured or set.
package struct Pool: Hashable, Sendable {
  package var id: PoolID
  package var customerName: String
  package var address: String
  /// Free text. People write gate codes here, so it must not appear in a log, the journal or stdout.
  package var notes: String
  /// Degrees, unchecked; see `hasCoordinates`.
  package var latitude: Double
  package var longitude: Double
  /// The volume in US gallons.
  package var volumeGallons: Double
  package var monthlyServiceFee: Double
  package var serviceDay: Weekday
  /// The position in the day's route, lowest first.
  package var routeOrder: Int
  package var readings: WaterReadings
  package var cachedLSI: Double?
  package var createdAt: Timestamp
  package var updatedAt: Timestamp

  package init(
    id: PoolID, customerName: String, address: String, notes: String, latitude: Double, longitude: Double,
    volumeGallons: Double, monthlyServiceFee: Double, serviceDay: Weekday, routeOrder: Int, readings: WaterReadings,
    cachedLSI: Double?, createdAt: Timestamp, updatedAt: Timestamp
  ) {
    self.id = id
    self.customerName = customerName
    self.address = address
    self.notes = notes
    self.latitude = latitude
    self.longitude = longitude
    self.volumeGallons = volumeGallons
    self.monthlyServiceFee = monthlyServiceFee
    self.serviceDay = serviceDay
    self.routeOrder = routeOrder
    self.readings = readings
    self.cachedLSI = cachedLSI
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  /// Whether the coordinates are a location on Earth.
  package var hasCoordinates: Bool { isValidLocation(latitude: latitude, longitude: longitude) }

  /// The starting values of a new visit: the newest visit's readings, or the pool's own if there was no visit.
  ///
  /// Dissolved solids are always the pool's own, because visits do not record them. Free chlorine is left out, because it is
  /// used up within days. Source: product.md, Water; golden file `latest_readings.json`.
  package func latestReadings(visits: [ServiceEvent]) -> WaterReadings {
    var latest = visits.max(by: { $0.timestamp < $1.timestamp })?.readings ?? readings
    latest.totalDissolvedSolids = readings.totalDissolvedSolids
    latest.freeChlorine = nil
    return latest
  }
}

/// The test readings of one body of water.
package struct WaterReadings: Hashable, Sendable {
  package var pH: Double
  /// Degrees Fahrenheit.
  package var waterTempF: Double
  /// Parts per million as CaCO₃.
  package var calciumHardness: Double
  /// Parts per million as CaCO₃.
  package var totalAlkalinity: Double
  /// The concentration in parts per million.
  package var cyanuricAcid: Double
  /// Parts per million; nil if it was never measured.
  package var totalDissolvedSolids: Double?
  /// Parts per million; nil if it was not measured at the visit itself. The app does not know it.
  package var freeChlorine: Double?
  /// The concentration of salt for a chlorine generator in parts per million; nil if it was never measured. The app does not
  /// know it.
  package var salt: Double?

  package init(
    pH: Double, waterTempF: Double, calciumHardness: Double, totalAlkalinity: Double, cyanuricAcid: Double,
    totalDissolvedSolids: Double?, freeChlorine: Double? = nil, salt: Double? = nil
  ) {
    self.pH = pH
    self.waterTempF = waterTempF
    self.calciumHardness = calciumHardness
    self.totalAlkalinity = totalAlkalinity
    self.cyanuricAcid = cyanuricAcid
    self.totalDissolvedSolids = totalDissolvedSolids
    self.freeChlorine = freeChlorine
    self.salt = salt
  }

  /// Whether the readings include free chlorine or salt.
  package var hasSanitiser: Bool { freeChlorine != nil || salt != nil }

  /// The readings of the app.
  package var withoutSanitiser: WaterReadings {
    var readings = self
    (readings.freeChlorine, readings.salt) = (nil, nil)
    return readings
  }
}
