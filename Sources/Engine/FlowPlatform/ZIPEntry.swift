/// A file or folder in a ZIP, as described by the directory and confirmed by its local header.
package struct ZIPEntry: Hashable, Sendable {
  /// The compression method.
  package enum Method: Hashable, Sendable { case stored, deflated }

  /// A relative path with plain components separated by `/`; a folder's has no trailing slash.
  package let name: String
  package let isFolder: Bool
  package let method: Method
  package let compressedSize: Int
  package let uncompressedSize: Int
  /// CRC-32 of the uncompressed bytes.
  package let checksum: UInt32
  /// The offset of the compressed bytes in the archive.
  let dataOffset: Int
}

/// The rules for entry names. Names are never used as paths; they are only compared with known names.
enum ZIPName {
  static let longest = 512

  /// Checks a name.
  ///
  /// - Returns: the name without `.` components (`./x` becomes `x`) and without a folder's trailing slash; empty for
  ///   the folder `./`, which is the archive itself.
  /// - Throws: `unsafeName`.
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
    if leavesFolder(parts) { throw .unsafeName(name, .leavesTheArchive) }
    var kept: [ArraySlice<UInt8>] = []
    for (place, part) in parts.enumerated() {
      guard let last = part.last else { throw .unsafeName(name, .emptyPart) }
      if part.elementsEqual(parentFolder) { throw .unsafeName(name, .goesBack) }
      // A file's name that ends in `/.` is a folder to some readers.
      if part.elementsEqual(currentFolder), isFolder || place < parts.count - 1 { continue }
      if last == UInt8(ascii: ".") || last == UInt8(ascii: " ") { throw .unsafeName(name, .endsInDotOrSpace) }
      // A drive letter may also follow `./`.
      if kept.isEmpty, part.dropFirst().first == UInt8(ascii: ":") { throw .unsafeName(name, .absolute) }
      kept.append(part)
    }
    return (String(decoding: Array(kept.joined(separator: [UInt8(ascii: "/")])), as: UTF8.self), isFolder)
  }

  private static let currentFolder = Array(".".utf8)
  private static let parentFolder = Array("..".utf8)

  /// True if a reader that follows the components one by one would leave the archive at some point.
  private static func leavesFolder(_ parts: [ArraySlice<UInt8>]) -> Bool {
    var depth = 0
    for part in parts where !part.isEmpty && !part.elementsEqual(currentFolder) {
      depth += part.elementsEqual(parentFolder) ? -1 : 1
      if depth < 0 { return true }
    }
    return false
  }

  /// True for C0, DEL and C1 control characters; C1 are two bytes in UTF-8.
  private static func hasControl(_ bytes: [UInt8]) -> Bool {
    var previous: UInt8 = 0
    for byte in bytes {
      if byte < 0x20 || byte == 0x7F || (previous == 0xC2 && byte < 0xA0) { return true }
      previous = byte
    }
    return false
  }

  /// A key that is equal for names that a case-insensitive or Unicode-normalising file system treats as one.
  ///
  /// Both case mappings are needed, because each alone distinguishes some pairs (ß and ẞ, k and the Kelvin sign);
  /// `String` equality covers the Unicode composition.
  static func key(_ name: String) -> String { name.lowercased().uppercased() }
}
