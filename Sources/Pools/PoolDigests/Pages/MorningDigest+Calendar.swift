import FlowModel
import FlowNotices
import PoolChemistry

extension MorningDigest {
  /// The stops as calendar events: iCalendar (RFC 5545), with lines of at most 75 bytes ended by CR LF.
  package var calendar: String {
    let lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//poolflow//morning digest//EN", "CALSCALE:GREGORIAN",
      "METHOD:PUBLISH", "X-WR-CALNAME:" + CalendarText.escaped("\(speaks.localizer.phrases.routeTitle()) · \(team)"),
    ]
    let stamp = Timestamp(rfc3339: asOf)?.compactSecond ?? ""
    return CalendarText.whole(lines + events(stamp: stamp, isDetailed: true) + ["END:VCALENDAR"])
  }

  /// One event for each stop of a technician who is not away.
  ///
  /// - Parameters:
  ///   - stamp: the `DTSTAMP` of the events.
  ///   - isDetailed: whether to include the facts and warnings of each stop.
  func events(stamp: String, isDetailed: Bool) -> [String] {
    var lines: [String] = []
    for section in document().stopsBySection(sections.map(\.technician)) {
      guard let own = sections.first(where: { $0.technician == section.technician }) else { continue }
      for (stop, entry) in zip(own.stops, section.entries) {
        let start = Timestamp(rfc3339: stop.arrives) ?? Timestamp(seconds: 0)
        // Clamped, because a stored digest may contain any number.
        let minutes = min(max(stopMinutes ?? TeamSettings.usualStopMinutes, 0), Limits.stopMinutes.upperBound)
        let end = start.advanced(by: .minutes(minutes))
        lines += [
          "BEGIN:VEVENT", "UID:\(stop.poolID)-\(date)@poolflow", "DTSTAMP:\(stamp)", "DTSTART:\(start.compact)",
          "DTEND:\(end.compact)", "SUMMARY:" + CalendarText.escaped("\(stop.order). \(stop.customer)"),
          "CATEGORIES:" + CalendarText.escaped(section.technician),
        ]
        if !stop.address.isEmpty { lines.append("LOCATION:" + CalendarText.escaped(stop.address)) }
        if let latitude = stop.latitude, let longitude = stop.longitude {
          lines.append("GEO:\(decimalText(latitude, places: 6));\(decimalText(longitude, places: 6))")
        }
        let words =
          ([entry.readingsText, entry.facts] + entry.alerts.map(\.text) + entry.tasks.map(\.sentence)).filter {
            !$0.isEmpty
          }
        if isDetailed, !words.isEmpty {
          lines.append("DESCRIPTION:" + words.map(CalendarText.escaped).joined(separator: "\\n"))
        } else if let changed = stop.changed {
          lines.append("DESCRIPTION:" + CalendarText.escaped(speaks.localizer.words(of: changed, on: civilDate)))
        }
        for case .navigate(_, let targets) in entry.actions { lines.append("URL:" + targets.web.target) }
        lines.append("END:VEVENT")
      }
    }
    return lines
  }
}

extension Document {
  /// The stops of each sheet, in the order of `technicians`.
  fileprivate func stopsBySection(_ technicians: [String]) -> [(technician: String, entries: [Card])] {
    let sheets = blocks.compactMap { block -> [Block]? in if case .sheet(let blocks) = block { blocks } else { nil } }
    return zip(technicians, sheets).map { name, blocks in
      (
        name,
        blocks.flatMap { block -> [Card] in if case .cards(let entries, _) = block { entries } else { [] } }
      )
    }
  }
}
