import FoundationEssentials

/// Looks for a key that stands twice in one object of a JSON text.
///
/// Foundation's decoder silently takes the first of two equal keys (tried on 6.3.1) where other readers take the last:
/// what was meant cannot be known, so no door of ours lets such a text in. Archives have a stricter reader of their own.
package struct RepeatedKey {
  private enum Level {
    case object(keys: Set<String>, current: String)
    case list(index: Int)
  }

  private let bytes: [UInt8]
  private var index = 0
  private var levels: [Level] = []
  /// The next text is a key: the innermost level is an object in which one begins.
  private var expectsKey = false

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Where the first key stands that its object has already: `parameters.changes.0.key`; nil where none does.
  ///
  /// Texts are compared as the decoder compares them: without their escapes, and by what they mean rather than by their
  /// code points. Bytes that are no JSON have no answer worth having; the decoder refuses them.
  package static func path(in bytes: [UInt8]) -> String? {
    var search = RepeatedKey(bytes)
    return search.run()
  }

  private mutating func run() -> String? {
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "{"):
        levels.append(.object(keys: [], current: ""))
        expectsKey = true
      case UInt8(ascii: "["):
        levels.append(.list(index: 0))
        expectsKey = false
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        _ = levels.popLast()
        expectsKey = false
      case UInt8(ascii: ","): nextMember()
      case UInt8(ascii: "\""):
        let isKey = expectsKey
        expectsKey = false
        guard isKey, case .object(var keys, _) = levels.popLast() else {
          skipText()
          continue
        }
        let key = text()
        let isNew = keys.insert(key).inserted
        levels.append(.object(keys: keys, current: key))
        if !isNew { return path }
      default: break
      }
    }
    return nil
  }

  private mutating func nextMember() {
    switch levels.last {
    case .list(let index): levels[levels.count - 1] = .list(index: index + 1)
    case .object: expectsKey = true
    case nil: break
    }
  }

  private var path: String {
    levels.map { level in
      switch level {
      case .object(_, let current): current
      case .list(let index): String(index)
      }
    }.joined(separator: ".")
  }

  /// What a text from elsewhere says, where it says each thing once.
  ///
  /// - Throws: `Found`; what `JSONDecoder` throws.
  package static func decodeRefusing<T: Decodable>(_ type: T.Type, from bytes: [UInt8]) throws -> T {
    if let path = path(in: bytes) { throw Found(path: path) }
    return try JSONDecoder().decode(type, from: Data(bytes))
  }

  package struct Found: Error, Equatable, CustomStringConvertible {
    package let path: String

    package var description: String {
      "it says '\(visible(path))' twice, and which of the two is meant cannot be known"
    }
  }

  // MARK: Texts

  /// Steps behind the end of the text whose quotation mark was read.
  private mutating func skipText() {
    let end = Self.end(ofTextAt: index, in: bytes.span)
    index = end
  }

  /// A call has texts of a megabyte: an archive.
  private static func end(ofTextAt start: Int, in bytes: Span<UInt8>) -> Int {
    var place = start
    while place < bytes.count {
      let byte = bytes[place]
      place += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { break }
    }
    return place
  }

  /// The text whose quotation mark was read, without its escapes.
  private mutating func text() -> String {
    let start = index
    // Most keys have no escape, and need no bytes of their own.
    var unescaped: [UInt8]?
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "\"") {
        return String(decoding: unescaped ?? Array(bytes[start..<index - 1]), as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\") {
        var content = unescaped ?? Array(bytes[start..<index - 1])
        unescaped = nil
        escape(into: &content)
        unescaped = content
      } else {
        unescaped?.append(byte)
      }
    }
    return ""
  }

  private mutating func escape(into content: inout [UInt8]) {
    guard index < bytes.count else { return }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "u"):
      var units = [hex4()]
      // The other half of a letter beyond the first 65,536.
      if units[0] & 0xFC00 == 0xD800, bytes[index...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
        index += 2
        units.append(hex4())
      }
      content.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
    default: content.append(byte)
    }
  }

  private mutating func hex4() -> UInt16 {
    var unit: UInt16 = 0
    for byte in bytes[index...].prefix(4) {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { break }
      unit = unit << 4 | UInt16(digit)
      index += 1
    }
    return unit
  }
}
