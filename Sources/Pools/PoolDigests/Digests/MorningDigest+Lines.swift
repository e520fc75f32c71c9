import FlowModel
import FlowNotices

extension MorningDigest {
  /// The notice's text lines: one per stop in route order, without free-text fields.
  package var lines: [String] {
    let localizer = speaks.localizer
    let phrases = localizer.phrases
    var lines = weather?.lines(localizer, on: civilDate, of: team) ?? []
    for section in sections {
      let stops = localizer.say(phrases.stops, section.stops.count)
      lines.append(
        section.isAway == true
          ? phrases.uncovered(section.technician, stops) : phrases.sectionTitle(section.technician, stops))
      if let better = words(of: section.better, of: section.technician, localizer) { lines.append("     " + better) }
      for stop in section.stops {
        let number = String(stop.order)
        let changed = stop.changed.map { " (\(localizer.words(of: $0, on: civilDate)))" } ?? ""
        lines.append(
          "\(String(repeating: " ", count: max(0, 3 - number.count)))\(number)  \(stop.customer), \(stop.address)\(changed)"
        )
      }
    }
    if !lowStock.isEmpty {
      lines.append(phrases.lowStockTitle() + localizer.language.colon)
      lines += lowStock.map { "     " + $0.words(localizer) }
    }
    if let waterChanges {
      lines.append(phrases.waterTitle() + localizer.language.colon)
      lines += waterChanges.map {
        "     "
          + phrases.waterLine(
            $0.customer, localizer.condition($0.before), localizer.condition($0.after), localizer.index($0.lsi))
      }
    }
    return lines
  }

  /// The savings of a better order and the command that applies it; nil if there is none.
  func words(of better: RouteImprovement?, of technician: String, _ localizer: Localizer) -> String? {
    guard let better else { return nil }
    let phrases = localizer.phrases
    let late = better.late ?? 0
    let lateness = phrases.ofLateness("\(late.magnitude) min")
    let driving = "\(better.minutes.magnitude) min"
    let saved = [
      late > 0 ? lateness : nil, better.minutes > 0 ? driving : nil,
      better.miles > 0 ? localizer.format.distance(miles: better.miles) : nil,
    ].compactMap(\.self).joined(separator: ", ")
    let costs = better.minutes < 0 ? phrases.ofDriving(driving) : late < 0 ? lateness : nil
    let day = weekday.abbreviation
    return phrases.betterOrder(
      costs.map { phrases.atThePriceOf(saved, $0) } ?? saved,
      "pfctl route apply --team \(team) --day \(day) --technician \(shellWord(technician))")
  }
}

extension Localizer {
  /// `Moved from Tuesday: rain`, or `Instead of Maria: ill`.
  func words(of changed: MorningDigest.StopChange, on date: CivilDate) -> String {
    let from = changed.from.flatMap { CivilDate($0) }.map { from in
      let days = date.daysSince1970 - from.daysSince1970
      return phrases.stopMoved(abs(days) < 7 ? dateFormats.weekday(from.weekday) : dateFormats.shortDay(from))
    }
    let parts = [from, changed.technician.map { phrases.stopCovers($0) }].compactMap(\.self)
    let text = parts.joined(separator: " · ")
    if changed.reason.isEmpty { return text }
    return text.isEmpty ? changed.reason : phrases.sectionTitle(text, changed.reason)
  }
}
