import FoundationEssentials

/// Scans untrusted JSON for content that Foundation's decoder must not see (each item tested on Swift 6.3.1):
///
/// - A repeated key in one object. The decoder silently uses the first value and other readers the last, so the meaning is
///   unknown.
/// - A number of more than 64 characters. Some such integers crash the decoder.
/// - A text with thousands of combining marks on a character (`hasTooManyCombiningMarks`), which takes minutes to compare.
///
/// Archives and forecasts have a stricter parser of their own.
package struct UntrustedJSON {
  /// An open object or array, with the position of the scan in it.
  private enum Level {
    case object(keys: Set<String>, current: String)
    case list(index: Int)
  }

  private let bytes: [UInt8]
  private var index = 0
  private var levels: [Level] = []
  /// Whether the next string is a key of the innermost object.
  private var expectsKey = false

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The first fault; nil if there is none.
  ///
  /// Keys are compared as in the decoder: unescaped, by canonical equivalence of Unicode. For bytes that are not JSON the
  /// result is meaningless; the decoder rejects them.
  package static func fault(in bytes: [UInt8]) -> Fault? {
    var search = UntrustedJSON(bytes)
    return search.run()
  }

  private static let longestNumber = 64
  /// The limit for values is higher: they are compared once or twice, which takes a fraction of a second, and their consumer
  /// has a better error message.
  private static let mostMarksOfValue = 25_000

  /// Scans all bytes; returns the first fault.
  private mutating func run() -> Fault? {
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
        guard isKey, case .object(var keys, let before) = levels.popLast() else {
          if !skipText() { return .endlessMarks(path: path) }
          continue
        }
        let key = text()
        if hasTooManyCombiningMarks(key) {
          levels.append(.object(keys: keys, current: before))
          return .endlessMarks(path: path)
        }
        let isNew = keys.insert(key).inserted
        levels.append(.object(keys: keys, current: key))
        if !isNew { return .repeatedKey(path: path) }
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        let start = index
        while index < bytes.count, Self.isOfNumber(bytes[index]) { index += 1 }
        if index - start >= Self.longestNumber { return .longNumber(path: path) }
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

  /// Decodes untrusted JSON after a scan for faults.
  ///
  /// - Throws: `Fault`, and the errors of `JSONDecoder`.
  package static func decode<T: Decodable>(_ type: T.Type, from bytes: [UInt8]) throws -> T {
    if let fault = fault(in: bytes) { throw fault }
    return try JSONDecoder().decode(type, from: Data(bytes))
  }

  /// A fault with its path, such as `parameters.changes.0.key`; the path is empty for the top-level value.
  package enum Fault: Error, Equatable, CustomStringConvertible {
    case repeatedKey(path: String)
    case longNumber(path: String)
    case endlessMarks(path: String)

    package var path: String {
      switch self {
      case .repeatedKey(let path), .longNumber(let path), .endlessMarks(let path): path
      }
    }

    package var description: String {
      switch self {
      case .repeatedKey(let path): "it has the key '\(visible(path))' twice"
      case .longNumber(let path):
        "its number '\(visible(path))' has more than \(UntrustedJSON.longestNumber) characters, which is too long"
      case .endlessMarks(let path):
        "a text at '\(visible(path))' has thousands of accents on one character"
      }
    }
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  // MARK: Texts

  /// Skips the rest of a string whose opening quote was consumed; false if a character in it has too many marks.
  private mutating func skipText() -> Bool {
    let (end, mayHaveMarks) = Self.end(ofTextAt: index, in: bytes.span)
    guard mayHaveMarks else {
      index = end
      return true
    }
    return !hasTooManyCombiningMarks(text(), most: Self.mostMarksOfValue)
  }

  /// Finds the end of a string quickly, because a call may contain strings of a megabyte, such as an archive.
  private static func end(ofTextAt start: Int, in bytes: Span<UInt8>) -> (end: Int, mayHaveMarks: Bool) {
    var (place, mayHaveMarks) = (start, false)
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "\\") {
        mayHaveMarks = mayHaveMarks || place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: "u")
        place += 2
        continue
      }
      if byte >= 0xCC { mayHaveMarks = true }
      place += 1
      if byte == UInt8(ascii: "\"") { break }
    }
    return (place, mayHaveMarks)
  }

  /// The unescaped content of a string whose opening quote was consumed.
  private mutating func text() -> String {
    let start = index
    // Fast path: most keys have no escapes and need no copy.
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

  /// Appends the bytes of the escape sequence whose backslash was consumed.
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
      // The second half of a surrogate pair.
      if units[0] & 0xFC00 == 0xD800, bytes[index...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
        index += 2
        units.append(hex4())
      }
      content.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
    default: content.append(byte)
    }
  }

  /// Consumes up to four hexadecimal digits.
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
