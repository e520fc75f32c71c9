/// One component of a path that was built from data: a name that stays inside its folder.
///
/// Every file or folder named after a team, technician, photo, notice or backup goes through this type, because names come
/// from stores and files that other programs may have written.
package struct PathComponent: Hashable, Sendable, CustomStringConvertible {
  package let text: String

  package var description: String { text }

  /// The longest file name on Linux, in bytes.
  package static let longest = 255

  /// Accepts a file name unchanged.
  ///
  /// - Throws: `UnsafeName` for a name that is empty, too long, hidden or `..`, or that contains a slash or a control
  ///   character.
  package init(_ name: String) throws(UnsafeName) {
    let bytes = name.utf8
    guard !bytes.isEmpty, bytes.count <= Self.longest, bytes.first != UInt8(ascii: "."),
      bytes.allSatisfy(Self.isHarmless)
    else { throw UnsafeName(name: name) }
    text = name
  }

  /// Accepts a name of ASCII letters, digits, `-`, `_` and `.`, as used for ids.
  ///
  /// - Throws: `UnsafeName` for any other name, and for one that begins with `.` or `-`.
  package init(identity name: String) throws(UnsafeName) {
    guard name.utf8.first != UInt8(ascii: "-"), name.utf8.allSatisfy(Self.isPlain) else { throw UnsafeName(name: name) }
    try self.init(name)
  }

  /// Encodes any text as a file name; unsafe bytes are written as `%2F`. Different texts give different names unless they are
  /// truncated.
  ///
  /// - Parameter longest: the largest length in bytes; the rest is cut off.
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
    // A lone percent sign is the name of the empty text; no other text is encoded like that.
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

/// The error for a name that could refer to a path outside its folder.
package struct UnsafeName: Error, Hashable, CustomStringConvertible {
  package let name: String

  package var description: String { "'\(visible(name))' cannot be the name of a file" }
}
