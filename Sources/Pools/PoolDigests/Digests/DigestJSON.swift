package import FlowModel
internal import FoundationEssentials
import PoolChemistry

/// Digests as JSON: one object with sorted keys, so that equal digests have equal bytes.
package enum DigestJSON {
  package static func text(_ digest: some JSONWritable) -> String {
    var json = JSONText()
    json.object(digest)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// Nil if the JSON is the data of another kind of notice, or has the format of an incompatible version.
  package static func morning(_ json: String) -> MorningDigest? {
    try? UntrustedJSON.decode(MorningDigest.self, from: Array(json.utf8))
  }

  package static func reminder(_ json: String) -> ReminderDigest? {
    try? UntrustedJSON.decode(ReminderDigest.self, from: Array(json.utf8))
  }

  package static func week(_ json: String) -> WeekDigest? {
    try? UntrustedJSON.decode(WeekDigest.self, from: Array(json.utf8))
  }
}

extension MorningDigest: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("as_of", asOf)
    if let changedStops { json.member("changed_stops", changedStops) }
    if let changedTomorrow { json.member("changed_tomorrow", changedTomorrow) }
    json.member("changes", changes)
    json.member("data_as_of", dataAsOf)
    json.member("date", date)
    json.member("late", late)
    json.member("low_stock", lowStock)
    json.member("preview", isPreview)
    json.member("run", run)
    json.member("sections", sections)
    json.member("speaks", speaks)
    json.member("stop_minutes", stopMinutes)
    json.member("team", team)
    json.member("technician", technician)
    json.member("water_changes", waterChanges)
    if let weather { json.member("weather", weather) }
    json.member("weekday", weekday.rawValue)
  }
}

extension MorningDigest.Section: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("away", isAway)
    json.member("better", better)
    json.member("done", done)
    if let doneDays { json.member("done_days", doneDays) }
    json.member("load", load)
    json.member("miles", miles)
    json.member("planned", isPlanned)
    json.member("stops", stops)
    json.member("technician", technician)
  }
}

extension MorningDigest.RouteImprovement: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("late_minutes", late)
    json.member("miles", miles)
    json.member("minutes", minutes)
  }
}

extension MorningDigest.StopLine: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("address", address)
    json.member("arrives", arrives)
    json.member("asides", asides)
    json.member("attention", attention)
    if let changed { json.member("changed", changed) }
    json.member("closes", closes)
    json.member("customer", customer)
    json.member("days_since_visit", daysSinceVisit)
    json.member("eta", eta)
    if let etaDays { json.member("eta_days", etaDays) }
    json.member("latitude", latitude)
    json.member("longitude", longitude)
    json.member("lsi", lsi)
    json.member("opens", opens)
    json.member("order", order)
    json.member("pool_id", poolID)
    json.member("readings", readings)
    if let usual { json.member("usual", usual) }
    json.member("volume_gal", volumeGallons)
    json.member("water", water)
  }
}

extension MorningDigest.StopChange: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("from", from)
    json.member("reason", reason)
    json.member("technician", technician)
  }
}

extension MorningDigest.ChangedStop: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("after", after)
    json.member("before", before)
    json.member("changed", changed)
    json.member("customer", customer)
    json.member("to", to)
  }
}

extension MorningDigest.Readings: JSONWritable {
  package func members(_ json: inout JSONText) {
    if let assumed { json.member("assumed", assumed.map(\.rawValue)) }
    json.member("calcium_hardness", calciumHardness)
    if let carried { json.member("carried", carried.map(\.rawValue)) }
    json.member("cyanuric_acid", cyanuricAcid)
    json.member("days", days)
    if let freeChlorine { json.member("free_chlorine", freeChlorine) }
    json.member("ph", pH)
    if let salt { json.member("salt", salt) }
    json.member("total_alkalinity", totalAlkalinity)
    json.member("water_temp_f", waterTempF)
  }
}

extension MorningDigest.Dose: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("dry", isDry)
    if let equilibrium { json.member("equilibrium", equilibrium) }
    json.member("load_place", loadPlace)
    json.member("name", name)
    json.member("oz", ounces)
    json.member("type", type)
  }
}

extension MorningDigest.Attention: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("after", after)
    json.member("before", before)
    json.member("date", date)
    json.member("days", days)
    json.member("doses", doses)
    json.member("drain", drain)
    json.member("kind", kind)
    json.member("lsi", lsi)
    json.member("name", name)
  }
}

extension MorningDigest.LowStockLine: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("days_left", daysLeft)
    json.member("dry", isDry)
    json.member("name", name)
    json.member("needs_on", needsOn)
    if let shortFor { json.member("short_for", shortFor) }
    json.member("stock_oz", stockOz)
    json.member("threshold_oz", thresholdOz)
    json.member("tomorrow_oz", tomorrowOz)
    json.member("type", type)
  }
}

extension MorningDigest.WaterLine: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("after", after)
    json.member("before", before)
    json.member("customer", customer)
    json.member("lsi", lsi)
    json.member("pool_id", poolID)
  }
}

extension RouteChanges: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("changes", changes)
    json.member("since", since)
  }
}

extension RouteChanges.Change: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("customer", customer)
    json.member("day", day?.rawValue)
    json.member("from_technician", fromTechnician)
    json.member("kind", kind)
    json.member("place", place)
    json.member("place_before", placeBefore)
    json.member("technician", technician)
  }
}

extension WeekDigest: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("balance", balance)
    if let changedStops { json.member("changed_stops", changedStops) }
    json.member("chemicals", chemicals)
    json.member("data_as_of", dataAsOf)
    json.member("date", date)
    json.member("days_off", daysOff)
    json.member("late", late)
    json.member("missing_coordinates", missingCoordinates)
    json.member("missing_fee", missingFee)
    json.member("money", money)
    json.member("next_week", nextWeek)
    json.member("pools", pools)
    json.member("run", run)
    json.member("speaks", speaks)
    json.member("stale", stale)
    json.member("team", team)
    json.member("technicians", technicians)
    if let unlocated { json.member("unlocated", unlocated) }
    if let unpriced { json.member("unpriced", unpriced) }
  }
}

extension WeekDigest.TechnicianLine: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("days", days)
    json.member("technician", technician)
  }
}

extension WeekDigest.TechnicianLine.Day: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("before", before)
    json.member("date", date)
    json.member("visits", visits)
  }
}

extension WeekDigest.StopLine: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("customer", customer)
    json.member("from", from)
    json.member("reason", reason)
    json.member("technician", technician)
    json.member("to", to)
  }
}

extension WeekDigest.DaysOffLine: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("first", first)
    json.member("last", last)
    json.member("note", note)
    json.member("technician", technician)
  }
}

extension WeekDigest.Money: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("chemicals", chemicals)
    json.member("loser_count", loserCount)
    json.member("losers", losers)
    json.member("margin", margin)
    json.member("period_days", periodDays)
    json.member("profit", profit)
    json.member("revenue", revenue)
  }
}

extension WeekDigest.Loser: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("chemicals", chemicals)
    json.member("customer", customer)
    json.member("fee", fee)
    json.member("profit", profit)
  }
}

extension LoadLine: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("dry", isDry)
    json.member("name", name)
    json.member("needed_oz", neededOz)
    if let shortFor { json.member("short_for", shortFor) }
    json.member("short_oz", shortOz)
    json.member("take_oz", takeOz)
    json.member("truck_oz", truckOz)
    json.member("type", type)
    json.member("usual", isUsual)
  }
}

extension DigestLocale: JSONWritable {
  package func members(_ json: inout JSONText) {
    if let showsBothUnits { json.member("both_units", showsBothUnits) }
    json.member("clock", clock)
    json.member("currency", currency)
    json.member("doses", doses)
    if let isIndexByPH { json.member("index_by_ph", isIndexByPH) }
    json.member("language", language)
    json.member("units", units)
  }
}
