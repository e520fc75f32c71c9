import Glibc

/// The name of the machine's own time zone.
package enum LocalZone {
  /// `$TZ` where it names a zone, else what `/etc/localtime` points to, else UTC.
  package static func name(environment: [String: String]) -> String {
    if let given = environment["TZ"] {
      let name = given.hasPrefix(":") ? String(given.dropFirst()) : given
      if name.isEmpty { return "UTC" }
      if !name.hasPrefix("/") { return plain(name) }
    }
    var target = [CChar](repeating: 0, count: 4_096)
    let count = readlink("/etc/localtime", &target, target.count - 1)
    guard count > 0 else { return "UTC" }
    let path = String(decoding: target.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // …/zoneinfo/America/Phoenix, as timedatectl writes it.
    let parts = path.split(separator: "/")
    guard let folder = parts.lastIndex(of: "zoneinfo") else { return "UTC" }
    return plain(parts[(folder + 1)...].joined(separator: "/"))
  }

  /// Without the name of a copy of the database: `posix/Europe/Berlin` and `right/Europe/Berlin` show the same clocks.
  private static func plain(_ name: String) -> String {
    SystemZones.original(of: name) ?? name
  }
}
