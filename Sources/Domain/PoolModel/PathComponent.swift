/// One part of a path that was made of data: a name that stands in the folder it is looked up in, and leads nowhere else.
///
/// Whatever a file or folder is called after a team, a technician, a photo, a notice or a backup goes through here. Names
/// come out of stores and files that somebody else may have written.
package struct PathComponent: Hashable, Sendable, CustomStringConvertible {
  package let text: String

  package var description: String { text }

  /// What Linux takes for one name.
  package static let longest = 255

  /// Takes a name as it is.
  ///
  /// - Throws: `UnsafeName` for one that is empty, too long, hidden, `..`, or holds a slash or a control character.
  package init(_ name: String) throws(UnsafeName) {
    let bytes = name.utf8
    guard !bytes.isEmpty, bytes.count <= Self.longest, bytes.first != UInt8(ascii: "."),
      bytes.allSatisfy(Self.isHarmless)
    else { throw UnsafeName(name: name) }
    text = name
  }

  /// Takes a name of ASCII letters, digits, `-`, `_` and `.` only, as identities are.
  ///
  /// - Throws: `UnsafeName` for any other, and for one that begins with `.` or `-`.
  package init(identity name: String) throws(UnsafeName) {
    guard name.utf8.first != UInt8(ascii: "-"), name.utf8.allSatisfy(Self.isPlain) else { throw UnsafeName(name: name) }
    try self.init(name)
  }

  /// Makes a name of any text: what could lead out of the folder is written as `%2F`. Two texts never make one name, as long
  /// as they are not cut off.
  ///
  /// - Parameter longest: bytes after which the rest is left out.
  package init(encoding text: String, longest: Int = PathComponent.longest) {
    var name: [UInt8] = []
    for scalar in text.unicodeScalars {
      var letter: [UInt8] = []
      for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
        let isHidden = name.isEmpty && byte == UInt8(ascii: ".")
        if isHidden || byte == UInt8(ascii: "%") || !Self.isHarmless(byte) {
          letter += [UInt8(ascii: "%"), Self.digit(byte >> 4), Self.digit(byte & 15)]
        } else {
          letter.append(byte)
        }
      }
      guard name.count + letter.count <= longest else { break }
      name += letter
    }
    // A lone percent sign is what no other text makes.
    self.text = name.isEmpty ? "%" : String(decoding: name, as: UTF8.self)
  }

  private static func isHarmless(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "/") }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 55 + value }
}

/// A name that could lead out of its folder.
package struct UnsafeName: Error, Hashable, CustomStringConvertible {
  package let name: String

  package var description: String { "'\(visible(name))' cannot be the name of a file" }
}
