import Glibc

/// The name of the machine's local time zone.
package enum LocalZone {
  /// `$TZ` if it names a zone, else the target of `/etc/localtime`, else UTC.
  package static func name(environment: [String: String]) -> String {
    if let given = environment["TZ"] {
      let name = given.hasPrefix(":") ? String(given.dropFirst()) : given
      if name.isEmpty { return "UTC" }
      if !name.hasPrefix("/") { return withoutPrefix(name) }
    }
    var target = [CChar](repeating: 0, count: 4_096)
    let count = readlink("/etc/localtime", &target, target.count - 1)
    guard count > 0 else { return "UTC" }
    let path = String(decoding: target.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // Example: …/zoneinfo/America/Phoenix, as timedatectl writes it.
    let parts = path.split(separator: "/")
    guard let folder = parts.lastIndex(of: "zoneinfo") else { return "UTC" }
    return withoutPrefix(parts[(folder + 1)...].joined(separator: "/"))
  }

  /// Removes the prefix of a copy of the database: `posix/Europe/Berlin` and `right/Europe/Berlin` are Europe/Berlin.
  private static func withoutPrefix(_ name: String) -> String {
    SystemZones.original(of: name) ?? name
  }
}
