package import FlowModel

/// A time zone: its UTC offset at every instant.
///
/// Cheap to copy; all copies share one immutable table of segments, from the first recorded change to the year 2200. Zones are
/// equal if their names and all changes are equal, so a zone from newer tzdata differs exactly if something changed.
package struct Zone: Hashable, Sendable {
  /// The tz database name, such as `Europe/Berlin`.
  package let name: String
  let table: ZoneTable

  init(name: String, table: ZoneTable) {
    self.name = name
    self.table = table
  }

  /// Coordinated Universal Time, built without a tzdata file.
  package static let utc = Zone(
    name: "UTC",
    table: ZoneTable(types: [ZoneType(offset: 0, abbreviation: "UTC")], initial: 0, changes: [], footer: nil))

  /// Parses a TZif file (RFC 8536, versions 1 to 4, including the POSIX footer).
  ///
  /// Files with leap seconds (those in `right/`) are rejected, because poolflow uses POSIX time.
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

  /// Abbreviation at `instant`, such as `EST`, `EDT` or `+0545`.
  package func abbreviation(at instant: Timestamp) -> String {
    table.type(at: instant.seconds).abbreviation
  }

  /// Local time at `instant`, truncated to seconds.
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

/// The instants at which clocks show a given local time.
package enum LocalResolution: Hashable, Sendable {
  /// The local time occurs once.
  case once(Timestamp)
  /// The local time does not exist: at `firstAfter`, clocks jump from `from` to `to`.
  case gap(firstAfter: Timestamp, from: LocalDateTime, to: LocalDateTime)
  /// The local time occurs twice, because clocks go back.
  case twice(first: Timestamp, second: Timestamp)

  /// The instant chosen by the standard policy: after a gap, or the first of two.
  package var standard: Timestamp {
    switch self {
    case .once(let instant), .gap(let instant, _, _), .twice(let instant, _): instant
    }
  }
}

extension Zone {
  /// Resolves a local time to the instants at which clocks show it.
  package func resolve(_ local: LocalDateTime) -> LocalResolution {
    let wanted = local.secondsAsIfUTC
    let window = table.segments(around: wanted)
    var first: Int64?
    for index in window {
      let segment = table.segments[index]
      guard segment.contains(wanted) else { continue }
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
    // Reached only beyond the table's horizon, outside the range of rules.
    return .once(Timestamp(seconds: wanted - Int64(table.type(at: wanted).offset)))
  }

  /// Offset changes in `start < change <= end`, oldest first; changes of the abbreviation alone are left out.
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

/// One offset change of a zone.
package struct ZoneTransition: Hashable, Sendable {
  /// First instant with the new offset.
  package let instant: Timestamp
  /// Seconds east of UTC before `instant`; `offsetAfter` from `instant` on.
  package let offsetBefore: Int
  package let offsetAfter: Int
  package let abbreviationBefore: String
  package let abbreviationAfter: String

  /// True if clocks jump forward, so that some local times do not exist.
  package var isGap: Bool { offsetAfter > offsetBefore }
  /// Local time at the change by the old offset; `localAfter` by the new one.
  package var localBefore: LocalDateTime {
    LocalDateTime(secondsAsIfUTC: instant.seconds + Int64(offsetBefore))
  }
  package var localAfter: LocalDateTime {
    LocalDateTime(secondsAsIfUTC: instant.seconds + Int64(offsetAfter))
  }
}

extension Zone {
  /// The instant `days` calendar days after `instant` at the same local time; milliseconds are kept.
  ///
  /// A local time that a clock change skips or repeats resolves by the standard policy (`LocalResolution.standard`). Example:
  /// in New York, 7 days after 2026-03-05 08:00 EST is 2026-03-12 08:00 EDT, 167 hours later.
  package func sameTime(_ days: Int, daysAfter instant: Timestamp) -> Timestamp {
    let local = local(at: instant)
    return resolve(LocalDateTime(date: local.date.adding(days: days), time: local.time)).standard
      .advanced(by: .milliseconds(instant.millisecondOfSecond))
  }
}
