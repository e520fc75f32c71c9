package import FlowCalendar
import Glibc

/// The system's tz database: TZif files in `$TZDIR` or `/usr/share/zoneinfo`.
///
/// A zone is read once and cached; `reload` detects files replaced by a tzdata update. Safe to use from any thread.
package final class SystemZones: ZoneSource, Sendable {
  /// The folder with the zone files.
  package let folder: String
  private let cache = ZoneCache()

  /// Opens a tz database.
  ///
  /// - Parameter folder: nil for `$TZDIR` or the system's folder.
  package init(folder: String? = nil) {
    self.folder = folder ?? Self.systemFolder
  }

  private static var systemFolder: String {
    guard let value = getenv("TZDIR"), value.pointee != 0 else { return "/usr/share/zoneinfo" }
    return String(cString: value)
  }

  /// The zone with this name in the tz database, from the cache or its file.
  package func zone(named name: String) throws(ZoneError) -> Zone {
    if name == "UTC" { return .utc }
    if let known = cache.entry(name) { return known.zone }
    let (zone, stamp) = try read(name)
    cache.store(name, CachedZone(zone: zone, stamp: stamp))
    return zone
  }

  /// The zone chosen for a team. Ambiguous names, which users and the tz database understand differently, are refused.
  package func zone(chosen name: String) throws(ZoneError) -> Zone {
    if let why = ZoneChoice.refusal(of: name) { throw .unclear(name: name, why: why) }
    return try zone(named: name)
  }

  /// Checks the file of every cached zone and reads changed ones again.
  ///
  /// - Returns: the zones whose data changed, before and after; and the errors of missing or broken files, whose cached
  ///   data stays in use.
  package func reload() -> (changed: [ZoneUpdate], errors: [ZoneError]) {
    var changed: [ZoneUpdate] = []
    var errors: [ZoneError] = []
    for (name, old) in cache.all() {
      guard FileStamp(path: path(name)) != old.stamp else { continue }
      do {
        let (zone, stamp) = try read(name)
        cache.store(name, CachedZone(zone: zone, stamp: stamp))
        if zone != old.zone { changed.append(ZoneUpdate(before: old.zone, after: zone)) }
      } catch {
        errors.append(error)
      }
    }
    return (changed, errors)
  }

  /// A hash that changes when the tz database is replaced: built from the time stamps of the version files and of every
  /// cached zone. Cheap enough to compute every minute. Valid within one process only.
  package var fingerprint: Int {
    var hasher = Hasher()
    for name in ["tzdata.zi", "+VERSION", "tzdata/version", "zone1970.tab"] {
      hasher.combine(FileStamp(path: "\(folder)/\(name)"))
    }
    for (name, _) in cache.all() { hasher.combine(FileStamp(path: path(name))) }
    return hasher.finalize()
  }

  private func path(_ name: String) -> String { "\(folder)/\(name)" }

  private func read(_ name: String) throws(ZoneError) -> (Zone, FileStamp?) {
    guard Self.isSafe(name), !Self.isExcludedName(name) else {
      throw missing(name)
    }
    switch Self.readFile(path(name)) {
    case .success(let bytes, let stamp): return (try Zone.parse(name: name, tzif: bytes), stamp)
    case .missing: throw missing(name)
    case .failure(let why): throw .broken(name: name, why: why)
    }
  }

  private func missing(_ name: String) -> ZoneError {
    ZoneChoice.refusal(of: name).map { .unclear(name: name, why: $0) }
      ?? .notFound(name: name, suggestion: suggestion(for: name))
  }

  /// The copies of the database (`right/` counts leap seconds), and files that are not a fixed zone: `localtime`
  /// depends on the machine, `posixrules` on the package, and `Factory` means that no zone is configured.
  private static let copies: Set<Substring> = ["posix", "right"]
  private static let notZones: Set<String> = ["posixrules", "localtime", "Factory", "leapseconds"]

  /// True for names in the tz database that are not time zones.
  static func isExcludedName(_ name: String) -> Bool {
    notZones.contains(name) || copies.contains(name.prefix { $0 != "/" })
  }

  /// The zone name behind a name in a copy of the database; nil for any other name.
  static func original(of name: String) -> String? {
    let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 && copies.contains(parts[0]) ? String(parts[1]) : nil
  }

  /// True for a relative path of plain names, without `..`, hidden files or a way out of the folder.
  static func isSafe(_ name: String) -> Bool {
    let bytes = name.utf8
    guard !bytes.isEmpty, bytes.count <= 255 else { return false }
    let allowed = bytes.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "/"):
        true
      default: false
      }
    }
    return allowed
      && name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty && !$0.hasPrefix("-") }
  }
}

/// A zone whose data a tzdata update has changed.
package struct ZoneUpdate: Hashable, Sendable {
  package let before: Zone
  package let after: Zone
}

/// A zone with the stamp of the file it was read from.
struct CachedZone {
  let zone: Zone
  let stamp: FileStamp?
}

/// Identifies a version of a file without reading it: inode, size and modification time.
struct FileStamp: Hashable, Sendable {
  let inode: UInt64
  let size: Int64
  let seconds: Int64
  let nanoseconds: Int64

  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    seconds = Int64(status.st_mtim.tv_sec)
    nanoseconds = Int64(status.st_mtim.tv_nsec)
  }
}
