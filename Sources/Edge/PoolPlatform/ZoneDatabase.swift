import PoolCalendar
package import PoolModel

/// Which edition of the tz database the system has, and how old it is at least.
package struct ZoneDatabase: Hashable, Sendable {
  /// `2026b`; nil where the folder does not say.
  package let version: String?
  /// When it was published, as far as its files tell.
  package let published: CivilDate

  /// - Parameters:
  ///   - version: what the folder says of itself.
  ///   - modified: when the files were written: by who packed them, or by who copied them later.
  init(version: String?, modified: CivilDate) {
    self.version = version
    guard let year = version.flatMap({ Int($0.prefix(4)) }) else {
      published = modified
      return
    }
    // An edition is of its own year, whenever its files were copied.
    published = min(
      max(modified, CivilDate(year: year, month: 1, day: 1)), CivilDate(year: year, month: 12, day: 31))
  }

  /// The edition that a first line names: `# version 2026b` of tzdata.zi, `2026b` of +VERSION; nil for anything else.
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
  /// Nil where the folder has none of the files that every package of the database has.
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
