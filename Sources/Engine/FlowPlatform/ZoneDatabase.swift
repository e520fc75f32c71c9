import FlowCalendar
package import FlowModel

/// The release of the system's tz database and its minimum age.
package struct ZoneDatabase: Hashable, Sendable {
  /// For example `2026b`; nil if the folder does not name it.
  package let version: String?
  /// The date of publication, estimated from the release and the files' time stamps.
  package let published: CivilDate

  /// Estimates the date of publication.
  ///
  /// - Parameters:
  ///   - version: the release that the folder names.
  ///   - modified: the time stamp of its files, which the packager or a later copy may have set.
  init(version: String?, modified: CivilDate) {
    self.version = version
    guard let year = version.flatMap({ Int($0.prefix(4)) }) else {
      published = modified
      return
    }
    // A release is from the year in its name, whatever the time stamps of its files.
    published = min(
      max(modified, CivilDate(year: year, month: 1, day: 1)), CivilDate(year: year, month: 12, day: 31))
  }

  /// The release named in a file's first line: `# version 2026b` in tzdata.zi, `2026b` in +VERSION; nil for anything
  /// else.
  static func version(in text: some StringProtocol) -> String? {
    let line = text.prefix { $0 != "\n" && $0 != "\r\n" }
    guard let word = line.split(separator: " ").last else { return nil }
    let (year, letters) = (word.prefix(4), word.dropFirst(4))
    let isYear = year.count == 4 && year.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let isEdition =
      (1...2).contains(letters.count)
      && letters.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    return isYear && isEdition ? String(word) : nil
  }
}

extension SystemZones {
  /// The release of the database; nil if the folder has none of the files that each distribution includes.
  package var database: ZoneDatabase? {
    var modified: CivilDate?
    for name in ["tzdata.zi", "+VERSION", "tzdata/version", "zone1970.tab", "zone.tab", "UTC"] {
      let path = "\(folder)/\(name)"
      guard let text = SmallFile.beginning(of: path, bytes: 64), let stamp = FileStamp(path: path) else { continue }
      let date = Zone.utc.local(at: Timestamp(seconds: stamp.seconds)).date
      if let version = ZoneDatabase.version(in: text) { return ZoneDatabase(version: version, modified: date) }
      modified = modified ?? date
    }
    return modified.map { ZoneDatabase(version: nil, modified: $0) }
  }
}
