/// One file or folder of a ZIP, as its directory describes it and its local header confirms.
package struct ZIPEntry: Hashable, Sendable {
  package enum Method: Hashable, Sendable { case stored, deflated }

  /// A relative path of plain parts joined by `/`; a folder's has no slash at the end.
  package let name: String
  package let isFolder: Bool
  package let method: Method
  package let compressedSize: Int
  package let uncompressedSize: Int
  /// CRC-32 of the uncompressed bytes.
  package let checksum: UInt32
  /// Where the compressed bytes begin.
  let dataOffset: Int
}

/// The rules for names. Nobody may use a name as a path all the same: names are only compared with known ones.
enum ZIPName {
  static let longest = 512

  /// - Returns: the name without `.` parts (`./x` is `x`) and without a folder's last slash; empty for the folder `./`, which
  ///   is the archive itself.
  static func check(_ bytes: [UInt8]) throws(ZIPError) -> (name: String, isFolder: Bool) {
    guard let name = String(validating: bytes, as: UTF8.self) else {
      throw .unsafeName(String(decoding: bytes, as: UTF8.self), .notUTF8)
    }
    if bytes.isEmpty { throw .unsafeName(name, .empty) }
    if bytes.count > longest { throw .unsafeName(name, .tooLong) }
    if bytes.contains(UInt8(ascii: "\\")) { throw .unsafeName(name, .backslash) }
    if hasControl(bytes) { throw .unsafeName(name, .controlCharacter) }
    if bytes[0] == UInt8(ascii: "/") { throw .unsafeName(name, .absolute) }
    if bytes.count >= 2, bytes[1] == UInt8(ascii: ":") { throw .unsafeName(name, .absolute) }
    let isFolder = bytes[bytes.count - 1] == UInt8(ascii: "/")
    let plain = isFolder ? bytes.dropLast() : bytes[...]
    let parts = plain.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if goesOut(parts) { throw .unsafeName(name, .leavesTheArchive) }
    var kept: [ArraySlice<UInt8>] = []
    for (place, part) in parts.enumerated() {
      guard let last = part.last else { throw .unsafeName(name, .emptyPart) }
      if part.elementsEqual(back) { throw .unsafeName(name, .goesBack) }
      // A file's name that ends in `/.` names a folder to some readers.
      if part.elementsEqual(here), isFolder || place < parts.count - 1 { continue }
      if last == UInt8(ascii: ".") || last == UInt8(ascii: " ") { throw .unsafeName(name, .endsInDotOrSpace) }
      // Behind `./` a drive's letter begins a name, too.
      if kept.isEmpty, part.dropFirst().first == UInt8(ascii: ":") { throw .unsafeName(name, .absolute) }
      kept.append(part)
    }
    return (String(decoding: Array(kept.joined(separator: [UInt8(ascii: "/")])), as: UTF8.self), isFolder)
  }

  private static let here = Array(".".utf8)
  private static let back = Array("..".utf8)

  /// Whether a reader that follows each part is outside of the archive at some point.
  private static func goesOut(_ parts: [ArraySlice<UInt8>]) -> Bool {
    var depth = 0
    for part in parts where !part.isEmpty && !part.elementsEqual(here) {
      depth += part.elementsEqual(back) ? -1 : 1
      if depth < 0 { return true }
    }
    return false
  }

  /// C0, DEL and C1; the latter are two bytes in UTF-8.
  private static func hasControl(_ bytes: [UInt8]) -> Bool {
    var previous: UInt8 = 0
    for byte in bytes {
      if byte < 0x20 || byte == 0x7F || (previous == 0xC2 && byte < 0xA0) { return true }
      previous = byte
    }
    return false
  }

  /// The same for names that some file system takes for one: whatever their letters' case and composition.
  ///
  /// Both mappings, because each alone leaves pairs apart (ß and ẞ, k and the Kelvin sign); `String`'s own equality
  /// covers the composition.
  static func key(_ name: String) -> String { name.lowercased().uppercased() }
}
