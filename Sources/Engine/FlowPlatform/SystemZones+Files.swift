import FlowCalendar
import FlowModel
import Glibc
import Synchronization

/// The time zones read so far. The lock is held only for look-ups, never while a file is read.
final class ZoneCache: Sendable {
  private let zones = Mutex<[String: CachedZone]>([:])

  func entry(_ name: String) -> CachedZone? { zones.withLock { $0[name] } }
  func store(_ name: String, _ zone: CachedZone) { zones.withLock { $0[name] = zone } }
  func all() -> [(String, CachedZone)] { zones.withLock { $0.map { ($0.key, $0.value) } } }
}

extension SystemZones {
  /// The result of reading a zone file.
  enum FileContent {
    case success([UInt8], FileStamp)
    case missing
    case failure(String)
  }

  /// The largest accepted file; `Zone.parse` refuses larger ones anyway.
  private static let largestFile = 64 << 10

  /// Reads a zone file; `missing` also for paths that are not regular files.
  static func readFile(_ path: String) -> FileContent {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      let code = errno
      return code == ENOENT || code == ENOTDIR ? .missing : .failure("it cannot be opened (\(Self.text(code)))")
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .missing }
    guard status.st_size <= largestFile else { return .failure("it is larger than \(largestFile) bytes") }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
    var count = 0
    while count < bytes.count {
      let got = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress?.advanced(by: count), $0.count - count) }
      if got < 0 {
        if errno == EINTR { continue }
        return .failure("it cannot be read (\(Self.text(errno)))")
      }
      if got == 0 { break }
      count += got
    }
    return .success(Array(bytes[..<count]), FileStamp(status))
  }

  private static func text(_ code: Int32) -> String { String(cString: strerror(code)) }

  /// Whether the place that names a zone lies south of the equator, by `zone.tab`: the country, the coordinates as
  /// `-3652+17446`, and the name, separated by tabs.
  ///
  /// - Returns: nil for a name that is not in the file, such as `UTC`, or without the file.
  package func isSouthern(_ name: String) -> Bool? {
    guard case .success(let bytes, _) = Self.readFile("\(folder)/zone.tab") else { return nil }
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
      if fields.count >= 3, fields[2].elementsEqual(name.utf8) { return fields[1].first == UInt8(ascii: "-") }
    }
    return nil
  }

  /// The names of all zones, sorted, without the `posix/` and `right/` copies and the system's own links.
  package func zoneNames() -> [String] {
    var names: [String] = []
    collect("", depth: 0, into: &names)
    return names.sorted()
  }

  private func collect(_ prefix: String, depth: Int, into names: inout [String]) {
    // Three levels suffice for America/Argentina/Buenos_Aires.
    guard depth < 3, let directory = opendir(prefix.isEmpty ? folder : "\(folder)/\(prefix)") else { return }
    defer { closedir(directory) }
    while let entry = readdir(directory), names.count < 5_000 {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      let path = prefix.isEmpty ? name : "\(prefix)/\(name)"
      guard Self.isSafe(path), !Self.isExcludedName(path) else { continue }
      var status = stat()
      guard stat("\(folder)/\(path)", &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        collect(path, depth: depth + 1, into: &names)
      } else if status.st_mode & S_IFMT == S_IFREG, Self.startsAsZone("\(folder)/\(path)") {
        names.append(path)
      }
    }
  }

  private static func startsAsZone(_ path: String) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    var magic = [UInt8](repeating: 0, count: 4)
    return read(file, &magic, 4) == 4 && magic.elementsEqual("TZif".utf8)
  }

  /// The zone that the user probably meant: the original of a copy (`posix/…`), a name that differs only in case, a
  /// zone with this last part (`Berlin`), or the nearest spelling.
  func suggestion(for name: String) -> String? {
    let names = zoneNames()
    if let original = Self.original(of: name) { return names.contains(original) ? original : suggestion(for: original) }
    let wanted = name.lowercased()
    if let same = names.first(where: { $0.lowercased() == wanted }) { return same }
    if let city = names.first(where: { $0.lowercased().hasSuffix("/" + wanted) && ZoneChoice.isSuggested($0) }) {
      return city
    }
    return Suggestion.nearest(to: name, among: names.filter(ZoneChoice.isSuggested), completing: false)
  }
}
