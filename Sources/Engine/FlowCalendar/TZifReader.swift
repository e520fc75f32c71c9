/// Fault of a TZif file; `why` completes the sentence after a colon.
struct TZifFault: Error {
  let why: String
  init(_ why: String) { self.why = why }
}

/// Parser for TZif files (RFC 8536 and its successor RFC 9636, versions 1 to 4).
///
/// Every value is validated before use: counts against the file's size, indices against the tables, times for ascending order.
/// Any input gives a table or a `TZifFault`.
struct TZifReader {
  private let bytes: [UInt8]
  private var index = 0

  /// Size limit in bytes; the largest file of tzdata 2025b has 3,923.
  static let largestFile = 64 << 10
  /// Limit of changes per zone; the largest in tzdata is 243.
  static let mostChanges = 2_000
  /// Limit of changes within `ZoneTable.reach`, because each lookup of a local time near a change scans them. No installed zone
  /// has two.
  static let mostNearChanges = 16
  /// Limit for abbreviations: POSIX guarantees 6 bytes, Linux 255; tzdata needs 6. Abbreviations are compared at every change,
  /// so long ones made a 64 KiB file take 27 ms.
  static let longestAbbreviation = 16

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Parses a file; from version 2 on, the block with 64-bit times is used.
  /// - Throws: `TZifFault` for any invalid input.
  static func read(_ bytes: [UInt8]) throws(TZifFault) -> ZoneTable {
    guard bytes.count <= largestFile else { throw TZifFault("it is larger than \(largestFile) bytes") }
    var reader = TZifReader(bytes)
    let first = try reader.header()
    guard first.version > 1 else { return try reader.table(first, wide: false) }
    try reader.skip(first.size(wide: false))
    return try reader.table(try reader.header(), wide: true)
  }

  /// The six counts of a TZif header.
  private struct Header {
    let version: Int
    let utcMarks, standardMarks, leaps, changes, types, characters: Int

    /// Size in bytes of the block after the header; `wide` for 64-bit times.
    func size(wide: Bool) -> Int {
      let width = wide ? 8 : 4
      return changes * width + changes + types * 6 + characters + leaps * (width + 4) + standardMarks + utcMarks
    }
  }

  private mutating func header() throws(TZifFault) -> Header {
    guard bytes.count - index >= 44 else { throw TZifFault("it ends within its header") }
    guard bytes[index..<index + 4].elementsEqual("TZif".utf8) else { throw TZifFault("it is not a TZif file") }
    let mark = bytes[index + 4]
    // Version 1 is a zero byte; unknown later versions stay readable (RFC 8536 §3.1).
    guard mark == 0 || (UInt8(ascii: "2")...UInt8(ascii: "9")).contains(mark) else {
      throw TZifFault("its version is unknown")
    }
    let version = mark == 0 ? 1 : Int(mark) - 48
    index += 20
    var counts: [Int] = []
    for _ in 0..<6 { counts.append(Int(UInt32(truncatingIfNeeded: try integer(wide: false)))) }
    return Header(
      version: version, utcMarks: counts[0], standardMarks: counts[1], leaps: counts[2], changes: counts[3],
      types: counts[4], characters: counts[5])
  }

  private mutating func skip(_ count: Int) throws(TZifFault) {
    guard count <= bytes.count - index else { throw TZifFault("it ends too early") }
    index += count
  }

  /// Reads a signed big-endian integer of 4 or 8 bytes.
  private mutating func integer(wide: Bool) throws(TZifFault) -> Int64 {
    let width = wide ? 8 : 4
    guard bytes.count - index >= width else { throw TZifFault("it ends too early") }
    var value: Int64 = bytes[index] >= 0x80 ? -1 : 0
    for byte in bytes[index..<index + width] { value = value << 8 | Int64(byte) }
    index += width
    return value
  }

  private mutating func byte() throws(TZifFault) -> Int {
    guard index < bytes.count else { throw TZifFault("it ends too early") }
    index += 1
    return Int(bytes[index - 1])
  }

  /// Parses the block after a header: changes, types and, in a wide block, the footer.
  private mutating func table(_ header: Header, wide: Bool) throws(TZifFault) -> ZoneTable {
    guard header.size(wide: wide) <= bytes.count - index else { throw TZifFault("it ends too early") }
    guard (1...256).contains(header.types) else { throw TZifFault("it has \(header.types) types of local time") }
    guard header.characters > 0 else { throw TZifFault("it has no abbreviations") }
    guard header.changes <= Self.mostChanges else { throw TZifFault("it has \(header.changes) changes") }
    guard header.leaps == 0 else {
      throw TZifFault("it counts leap seconds, like the copies in right/, but poolflow needs POSIX time")
    }

    var times: [Int64] = []
    for _ in 0..<header.changes { times.append(try integer(wide: wide)) }
    guard zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }) else { throw TZifFault("its changes are out of order") }
    var kinds: [Int] = []
    for _ in 0..<header.changes { kinds.append(try byte()) }
    guard kinds.allSatisfy({ $0 < header.types }) else {
      throw TZifFault("a change names a type of local time that is missing")
    }
    let types = try self.types(header)
    try skip(header.standardMarks + header.utcMarks)
    let footer = wide ? try self.footer() : nil

    var initial = 0
    var changes: [ZoneChange] = []
    changes.reserveCapacity(times.count)
    for (time, kind) in zip(times, kinds) {
      // Some files start with a change at -2^59; changes before the year -32,000 are irrelevant.
      if time < -(1 << 40) {
        initial = kind
      } else if time < 1 << 40 {
        changes.append(ZoneChange(time: time, type: kind))
      }
    }
    guard
      zip(changes, changes.dropFirst(Self.mostNearChanges)).allSatisfy({ $1.time - $0.time > ZoneTable.reach })
    else { throw TZifFault("it has more than \(Self.mostNearChanges) changes within three days") }
    return ZoneTable(types: types, initial: initial, changes: changes, footer: footer)
  }

  private mutating func types(_ header: Header) throws(TZifFault) -> [ZoneType] {
    var raw: [(offset: Int, name: Int)] = []
    for _ in 0..<header.types {
      let offset = Int(try integer(wide: false))
      guard (-89_999...93_599).contains(offset) else { throw TZifFault("it is \(offset) seconds away from UTC") }
      guard try byte() <= 1 else { throw TZifFault("its daylight marks are damaged") }
      raw.append((offset, try byte()))
    }
    let start = index
    try skip(header.characters)
    let characters = bytes[start..<index]
    var types: [ZoneType] = []
    for (offset, name) in raw {
      guard name < header.characters else { throw TZifFault("an abbreviation is missing") }
      let rest = characters[(start + name)...].prefix(Self.longestAbbreviation + 1)
      guard let end = rest.firstIndex(of: 0) else {
        throw TZifFault(
          rest.count > Self.longestAbbreviation ? "an abbreviation is too long" : "an abbreviation is missing")
      }
      // Abbreviations are printed beside times: reject control characters and non-ASCII lookalikes.
      let text = rest[..<end]
      guard text.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw TZifFault("an abbreviation is not ASCII") }
      types.append(ZoneType(offset: offset, abbreviation: String(decoding: text, as: UTF8.self)))
    }
    return types
  }

  private mutating func footer() throws(TZifFault) -> PosixRule? {
    guard try byte() == 10 else { throw TZifFault("its footer is missing") }
    guard let end = bytes[index...].firstIndex(of: 10) else { throw TZifFault("its footer has no end") }
    let text = bytes[index..<end]
    index = end + 1
    return text.isEmpty ? nil : try PosixRuleReader.read(text)
  }
}
