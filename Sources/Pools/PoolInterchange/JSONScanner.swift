import FlowModel

/// Reads JSON one value at a time, more strictly than Foundation.
///
/// Foundation silently takes the first of two equal keys and accepts unescaped control characters in strings (tested on
/// 6.3.1); this scanner refuses both. Escaped control characters are accepted here and checked by the rule of each
/// field (`TextRule`). A UTF-8 byte order mark at the start is skipped, as RFC 8259 §8.1 allows.
package struct JSONScanner {
  /// The maximum nesting depth; records need two levels.
  static let deepest = 16
  /// The nesting depth of the records in a list.
  private static let recordDepth = 1
  /// The largest record has 20 values. The limit leaves space for unknown fields and keeps the search for equal keys
  /// short.
  package static let valuesPerRecord = 64

  private let bytes: [UInt8]
  private var index: Int
  private var valuesLeft: Int
  private let valuesPerRecord: Int
  /// True if the caller compares string values with known texts, as it does with keys. Strings with endless combining
  /// marks are then refused.
  package var comparesTexts = false
  /// The distinct keys of an earlier record, with their bytes. Most records have the same keys in the same order, so
  /// their key strings need not be made or compared again.
  private var knownKeys: [(bytes: [UInt8], text: String)] = []

  /// Creates a scanner.
  ///
  /// - Parameter values: the maximum number of values in a document, or in each record of a list. Objects are always
  ///   limited to `valuesPerRecord` members, to keep the search for equal keys short.
  package init(_ bytes: [UInt8], values: Int = JSONScanner.valuesPerRecord) {
    self.bytes = bytes
    valuesPerRecord = values
    valuesLeft = values
    index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// Reads the whole text as one value.
  package mutating func document() throws(JSONFault) -> JSONValue {
    let value = try value(depth: 0)
    try end()
    return value
  }

  /// Reads the text as a list and passes each element to `body` as soon as it is read, so that only one is in memory.
  ///
  /// - Returns: false, without having called `body`, if the text is not a list.
  mutating func elements<Failure: Error>(
    _ body: (JSONValue) throws(Failure) -> Void, fault: (JSONFault) -> Failure
  ) throws(Failure) -> Bool {
    do throws(JSONFault) {
      guard try next() == UInt8(ascii: "[") else { return false }
      index += 1
      if try next() == UInt8(ascii: "]") {
        index += 1
        try end()
        return true
      }
    } catch { throw fault(error) }
    while true {
      let element: JSONValue
      let isLast: Bool
      do throws(JSONFault) {
        valuesLeft = valuesPerRecord
        element = try value(depth: 1)
        isLast = try !comma(orEnd: UInt8(ascii: "]"))
        if isLast { try end() }
      } catch { throw fault(error) }
      try body(element)
      if isLast { return true }
    }
  }

  /// Reads the text as an object and passes its members to `body` one by one. A member that is a list is passed element
  /// by element, so that only one is in memory; any other member is passed whole.
  ///
  /// - Parameter body: receives the key, the number of the element from 1 (0 if the member is not a list), and the
  ///   value.
  /// - Returns: false, without having called `body`, if the text is not an object.
  package mutating func members<Failure: Error>(
    _ body: (String, Int, JSONValue) throws(Failure) -> Void, fault: (JSONFault) -> Failure
  ) throws(Failure) -> Bool {
    var keys: Set<String> = []
    var isFirst = true
    while true {
      let key: String
      let isList: Bool
      do throws(JSONFault) {
        if isFirst {
          guard try next() == UInt8(ascii: "{") else { return false }
          index += 1
          if try next() == UInt8(ascii: "}") {
            index += 1
            try end()
            return true
          }
          isFirst = false
        } else if try !comma(orEnd: UInt8(ascii: "}")) {
          try end()
          return true
        }
        key = try memberKey()
        guard keys.insert(key).inserted else { throw self.fault(.repeatedKey(key)) }
        guard keys.count <= Self.valuesPerRecord else { throw self.fault(.tooManyValues(Self.valuesPerRecord)) }
        isList = try next() == UInt8(ascii: "[")
        // Each list has records with different keys.
        knownKeys = []
      } catch { throw fault(error) }
      var number = 0
      repeat {
        let value: JSONValue?
        do throws(JSONFault) {
          valuesLeft = valuesPerRecord
          value = isList ? try element(number) : try self.value(depth: Self.recordDepth)
        } catch { throw fault(error) }
        guard let value else { break }
        number += 1
        try body(key, isList ? number : 0, value)
      } while isList
    }
  }

  /// Reads a key of an object and the colon after it.
  private mutating func memberKey() throws(JSONFault) -> String {
    let byte = try next()
    guard byte == UInt8(ascii: "\"") else { throw fault(.unexpected(byte)) }
    let key = try key()
    let colon = try next()
    guard colon == UInt8(ascii: ":") else { throw fault(.unexpected(colon)) }
    index += 1
    return key
  }

  /// The next element of the list at the current position; nil, after stepping over the end, if there is none.
  ///
  /// - Parameter before: the number of elements already read.
  private mutating func element(_ before: Int) throws(JSONFault) -> JSONValue? {
    if before == 0 {
      index += 1
      if try next() == UInt8(ascii: "]") {
        index += 1
        return nil
      }
    } else if try !comma(orEnd: UInt8(ascii: "]")) {
      return nil
    }
    return try value(depth: Self.recordDepth)
  }

  // MARK: Values

  private mutating func value(depth: Int) throws(JSONFault) -> JSONValue {
    guard depth < Self.deepest else { throw fault(.tooDeep(Self.deepest)) }
    guard valuesLeft > 0 else { throw fault(.tooManyValues(valuesPerRecord)) }
    valuesLeft -= 1
    switch try next() {
    case UInt8(ascii: "{"): return .object(try object(depth: depth))
    case UInt8(ascii: "["): return .list(try list(depth: depth))
    case UInt8(ascii: "\""):
      let text = try text()
      if comparesTexts, hasTooManyCombiningMarks(text) { throw fault(.endlessMarks) }
      return .text(text)
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    case let byte: throw fault(.unexpected(byte))
    }
  }

  private mutating func object(depth: Int) throws(JSONFault) -> JSONObject {
    index += 1
    var object = JSONObject()
    if try next() == UInt8(ascii: "}") {
      index += 1
      return object
    }
    var position = 0
    var hasUnknownKey = depth != Self.recordDepth
    repeat {
      let byte = try next()
      guard byte == UInt8(ascii: "\"") else { throw fault(.unexpected(byte)) }
      let known = depth == Self.recordDepth ? takeKnownKey(from: &position) : nil
      let key: String
      if let known { key = known } else { key = try self.key() }
      if known == nil { hasUnknownKey = true }
      if hasUnknownKey, object.contains(key) { throw fault(.repeatedKey(key)) }
      guard object.members.count < Self.valuesPerRecord else { throw fault(.tooManyValues(Self.valuesPerRecord)) }
      let colon = try next()
      guard colon == UInt8(ascii: ":") else { throw fault(.unexpected(colon)) }
      index += 1
      object.append(key, try value(depth: depth + 1))
    } while try comma(orEnd: UInt8(ascii: "}"))
    if depth == Self.recordDepth, hasUnknownKey, object.members.count > knownKeys.count {
      knownKeys = object.members.map { (Array($0.key.utf8), $0.key) }
    }
    return object
  }

  /// Steps over the key at the current position if it equals a known key at `position` or later, and returns it; nil
  /// otherwise. The known keys in between are absent from this record.
  private mutating func takeKnownKey(from position: inout Int) -> String? {
    for candidate in position..<max(position, knownKeys.count) {
      let key = knownKeys[candidate].bytes
      let end = index + 1 + key.count
      // A key written with escapes does not match a known key here; the caller reads it as an ordinary string.
      guard end < bytes.count, bytes[end] == UInt8(ascii: "\""), bytes[index + 1..<end].elementsEqual(key) else {
        continue
      }
      index = end + 1
      position = candidate + 1
      return knownKeys[candidate].text
    }
    return nil
  }

  private mutating func list(depth: Int) throws(JSONFault) -> [JSONValue] {
    index += 1
    var list: [JSONValue] = []
    if try next() == UInt8(ascii: "]") {
      index += 1
      return list
    }
    repeat { list.append(try value(depth: depth + 1)) } while try comma(orEnd: UInt8(ascii: "]"))
    return list
  }

  /// Steps over a comma (returns true) or over `end` (returns false).
  private mutating func comma(orEnd end: UInt8) throws(JSONFault) -> Bool {
    let byte = try next()
    guard byte == UInt8(ascii: ",") || byte == end else { throw fault(.unexpected(byte)) }
    index += 1
    return byte != end
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONFault) -> JSONValue {
    for byte in "\(word)".utf8 {
      guard index < bytes.count else { throw fault(.unexpectedEnd) }
      guard bytes[index] == byte else { throw fault(.unexpected(bytes[index])) }
      index += 1
    }
    return value
  }

  /// Reads a number `-? (0 | 1-9 digits) (. digits)? ([eE] [+-]? digits)?`, rounded to the nearest double. A number
  /// that is too large is refused.
  private mutating func number() throws(JSONFault) -> Double {
    let start = index
    if bytes[index] == UInt8(ascii: "-") { index += 1 }
    let first = index
    try digits()
    if bytes[first] == UInt8(ascii: "0"), index - first > 1 { throw fault(.badNumber) }
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      try digits()
    }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
      try digits()
    }
    if let value = shortDecimal(bytes[first..<index]) { return first == start ? value : -value }
    guard let value = Double(String(decoding: bytes[start..<index], as: UTF8.self)) else { throw fault(.badNumber) }
    guard value.isFinite else { throw fault(.numberOutOfRange) }
    return value
  }

  private mutating func digits() throws(JSONFault) {
    let start = index
    while index < bytes.count, bytes[index] >= 48, bytes[index] < 58 { index += 1 }
    guard index > start else { throw fault(.badNumber) }
  }

  // MARK: Bytes

  /// The next byte that is not white space; `index` stays on it.
  private mutating func next() throws(JSONFault) -> UInt8 {
    while index < bytes.count {
      let byte = bytes[index]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      index += 1
    }
    throw fault(.unexpectedEnd)
  }

  private mutating func end() throws(JSONFault) {
    while index < bytes.count {
      let byte = bytes[index]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { throw fault(.textAfterEnd) }
      index += 1
    }
  }

  private func fault(_ kind: JSONFault.Kind) -> JSONFault {
    let before = bytes[..<min(index, bytes.count)]
    let line = before.count(where: { $0 == 0x0A }) + 1
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return JSONFault(kind: kind, line: line, column: before.count - lineStart + 1)
  }

  // MARK: Texts

  /// Reads a key. Keys are compared with others, so endless combining marks are refused.
  private mutating func key() throws(JSONFault) -> String {
    let key = try text()
    guard !hasTooManyCombiningMarks(key) else { throw fault(.endlessMarks) }
    return key
  }

  private mutating func text() throws(JSONFault) -> String {
    index += 1
    let start = index
    var seen: UInt8 = 0
    while index < bytes.count {
      let byte = bytes[index]
      seen |= byte
      if byte == UInt8(ascii: "\"") {
        let content = bytes[start..<index]
        // ASCII needs no validation, and most strings are ASCII.
        if seen < 0x80 {
          index += 1
          return String(decoding: content, as: UTF8.self)
        }
        guard let text = String(validating: content, as: UTF8.self) else { throw fault(.notUTF8) }
        index += 1
        return text
      }
      if byte == UInt8(ascii: "\\") { return try escapedText(from: start) }
      if byte < 0x20 { throw fault(.controlCharacter(UInt32(byte))) }
      index += 1
    }
    throw fault(.unexpectedEnd)
  }

  private mutating func escapedText(from start: Int) throws(JSONFault) -> String {
    var decoded = Array(bytes[start..<index])
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        guard let text = String(validating: decoded, as: UTF8.self) else { throw fault(.notUTF8) }
        index += 1
        return text
      }
      if byte < 0x20 { throw fault(.controlCharacter(UInt32(byte))) }
      index += 1
      if byte == UInt8(ascii: "\\") { try escape(into: &decoded) } else { decoded.append(byte) }
    }
    throw fault(.unexpectedEnd)
  }

  /// Decodes the escape after a backslash.
  private mutating func escape(into decoded: inout [UInt8]) throws(JSONFault) {
    guard index < bytes.count else { throw fault(.unexpectedEnd) }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(byte)
    case UInt8(ascii: "n"): decoded.append(0x0A)
    case UInt8(ascii: "r"): decoded.append(0x0D)
    case UInt8(ascii: "t"): decoded.append(0x09)
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "f"): decoded.append(0x0C)
    case UInt8(ascii: "u"):
      var code = try hex4()
      if code & 0xFC00 == 0xD800 {
        guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
        else { throw fault(.badEscape) }
        index += 2
        let low = try hex4()
        guard low & 0xFC00 == 0xDC00 else { throw fault(.badEscape) }
        code = 0x10000 + (code & 0x3FF) << 10 + low & 0x3FF
      }
      guard let scalar = Unicode.Scalar(code) else { throw fault(.badEscape) }
      decoded.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
    default: throw fault(.badEscape)
    }
  }

  private mutating func hex4() throws(JSONFault) -> UInt32 {
    guard index + 4 <= bytes.count else { throw fault(.unexpectedEnd) }
    var code: UInt32 = 0
    for byte in bytes[index..<index + 4] {
      switch byte {
      case 48...57: code = code << 4 | UInt32(byte - 48)
      case 65...70: code = code << 4 | UInt32(byte - 55)
      case 97...102: code = code << 4 | UInt32(byte - 87)
      default: throw fault(.badEscape)
      }
    }
    index += 4
    return code
  }
}
