package import PoolModel

/// A time zone: how far its clocks stand from UTC at every instant.
///
/// A value that is cheap to copy; all copies share one immutable table of segments, from the first change on record to
/// the year 2200. Two zones are equal when name and every change are equal, so a zone read from a newer tzdata differs
/// from the old one exactly when something moved.
package struct Zone: Hashable, Sendable {
  /// The tz database name, such as `Europe/Berlin`.
  package let name: String
  let table: ZoneTable

  init(name: String, table: ZoneTable) {
    self.name = name
    self.table = table
  }

  /// Coordinated Universal Time, which needs no file.
  package static let utc = Zone(
    name: "UTC",
    table: ZoneTable(types: [ZoneType(offset: 0, abbreviation: "UTC")], initial: 0, changes: [], footer: nil))

  /// Reads one TZif file (RFC 8536, versions 1 to 4, POSIX footer included).
  ///
  /// A file with leap seconds (the copies in `right/`) is refused: poolflow counts POSIX time.
  /// - Throws: `ZoneError.broken` with the reason.
  package static func parse(name: String, tzif bytes: [UInt8]) throws(ZoneError) -> Zone {
    do {
      return Zone(name: name, table: try TZifReader.read(bytes))
    } catch {
      throw .broken(name: name, why: error.why)
    }
  }

  /// Seconds east of UTC at `instant`.
  package func offset(at instant: Timestamp) -> Int {
    table.type(at: instant.seconds).offset
  }

  /// What the zone's people call the time at `instant`: `EST`, `EDT`, `+0545`.
  package func abbreviation(at instant: Timestamp) -> String {
    table.type(at: instant.seconds).abbreviation
  }

  /// What the clocks on the wall show at `instant`, milliseconds cut off.
  package func local(at instant: Timestamp) -> LocalDateTime {
    LocalDateTime(secondsAsIfUTC: instant.seconds + Int64(offset(at: instant)))
  }

  package static func == (left: Zone, right: Zone) -> Bool {
    left.name == right.name && (left.table === right.table || left.table.hasSameContent(as: right.table))
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
  }
}

/// The instants at which clocks show a wanted reading.
package enum LocalResolution: Hashable, Sendable {
  /// The ordinary case.
  case once(Timestamp)
  /// The clocks jump over it: at `firstAfter` they go from `from` to `to`.
  case gap(firstAfter: Timestamp, from: LocalDateTime, to: LocalDateTime)
  /// The clocks go back and show it again.
  case twice(first: Timestamp, second: Timestamp)

  /// The instant a clock-time rule of the standard policy runs at.
  package var standard: Timestamp {
    switch self {
    case .once(let instant), .gap(let instant, _, _), .twice(let instant, _): instant
    }
  }
}

extension Zone {
  /// When the clocks show `local`.
  package func resolve(_ local: LocalDateTime) -> LocalResolution {
    let wanted = local.secondsAsIfUTC
    let window = table.segments(around: wanted)
    var first: Int64?
    for index in window {
      let segment = table.segments[index]
      guard segment.shows(wanted) else { continue }
      let instant = wanted - segment.offset
      if let first { return .twice(first: Timestamp(seconds: first), second: Timestamp(seconds: instant)) }
      first = instant
    }
    if let first { return .once(Timestamp(seconds: first)) }
    for index in window {
      guard let gap = table.gap(before: index), gap.contains(wanted) else { continue }
      return .gap(
        firstAfter: Timestamp(seconds: table.segments[index].start),
        from: LocalDateTime(secondsAsIfUTC: gap.lowerBound),
        to: LocalDateTime(secondsAsIfUTC: gap.upperBound))
    }
    // Only beyond the table's horizon, where no rule reaches.
    return .once(Timestamp(seconds: wanted - Int64(table.type(at: wanted).offset)))
  }

  /// The changes of the clocks after `start` and up to `end`, oldest first. Changes of the name alone are left out.
  package func transitions(from start: Timestamp, to end: Timestamp) -> [ZoneTransition] {
    var found: [ZoneTransition] = []
    var index = table.index(at: start.seconds) + 1
    while index < table.segments.count, table.segments[index].start <= end.seconds {
      let before = table.types[table.segments[index - 1].type]
      let after = table.types[table.segments[index].type]
      if before.offset != after.offset {
        found.append(
          ZoneTransition(
            instant: Timestamp(seconds: table.segments[index].start), offsetBefore: before.offset,
            offsetAfter: after.offset, abbreviationBefore: before.abbreviation,
            abbreviationAfter: after.abbreviation))
      }
      index += 1
    }
    return found
  }
}

/// One change of a zone's clocks.
package struct ZoneTransition: Hashable, Sendable {
  /// The first instant of the new time.
  package let instant: Timestamp
  /// Seconds east of UTC before and from the instant on.
  package let offsetBefore: Int
  package let offsetAfter: Int
  package let abbreviationBefore: String
  package let abbreviationAfter: String

  /// True when clocks jump forward, so that some readings do not exist.
  package var isGap: Bool { offsetAfter > offsetBefore }
  /// What the clocks would have shown, and what they show instead.
  package var clocksFrom: LocalDateTime {
    LocalDateTime(secondsAsIfUTC: instant.seconds + Int64(offsetBefore))
  }
  package var clocksTo: LocalDateTime {
    LocalDateTime(secondsAsIfUTC: instant.seconds + Int64(offsetAfter))
  }
}
