// RFC 3339 instants without a calendar library; the store, the journal and every `--json` reply use them.

extension Timestamp: CustomStringConvertible {
  /// `2026-03-02T14:00:00Z`; milliseconds (`…00.250Z`) appear only if they are not zero.
  package var description: String { formatted(dash: UInt8(ascii: "-"), colon: UInt8(ascii: ":")) }

  /// `20260302T140000Z`, which sorts by time and is safe in a file name.
  package var compact: String { formatted(dash: nil, colon: nil) }

  private func formatted(dash: UInt8?, colon: UInt8?) -> String {
    let local = LocalDateTime(secondsAsIfUTC: seconds)
    var digits = DigitWriter()
    digits.put(local.date, dash: dash)
    digits.put(UInt8(ascii: "T"))
    digits.put(local.time, colon: colon)
    if millisecondOfSecond != 0 {
      digits.put(UInt8(ascii: "."))
      digits.put(Int(millisecondOfSecond), width: 3)
    }
    digits.put(UInt8(ascii: "Z"))
    return digits.text
  }

  /// Parses the format of `compact`; nil for any other format.
  package init?(compact text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 16, bytes[8] == UInt8(ascii: "T") else { return nil }
    func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    let date = "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
    let time = "\(part(9..<11)):\(part(11..<13)):\(part(13..<15))\(part(15..<bytes.count))"
    guard let instant = Timestamp(rfc3339: "\(date)T\(time)"), instant.compact == text else { return nil }
    self = instant
  }

  /// The years 0000 to 9999 in seconds.
  private static let fourDigitYears: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

  /// Parses an RFC 3339 instant: `2026-03-02T14:00:00Z`, `2026-03-02 07:00:00.5-07:00`.
  ///
  /// Fractions beyond milliseconds are cut off. Nil for any other format, for dates that do not exist, and for leap seconds.
  package init?(rfc3339 text: some StringProtocol) {
    var reader = DigitReader(text.utf8)
    guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
      let day = reader.number(2), reader.take("T") || reader.take("t") || reader.take(" "),
      let hour = reader.number(2), reader.take(":"), let minute = reader.number(2), reader.take(":"),
      let second = reader.number(2)
    else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    guard date.exists, let time = TimeOfDay(hour: hour, minute: minute, second: second) else { return nil }
    var milliseconds: Int64 = 0
    if reader.take(".") {
      guard let fraction = reader.fractionInMilliseconds() else { return nil }
      milliseconds = fraction
    }
    var offset = 0
    if !(reader.take("Z") || reader.take("z")) {
      let sign: Int
      if reader.take("+") { sign = 1 } else if reader.take("-") { sign = -1 } else { return nil }
      guard let hours = reader.number(2), hours < 24, reader.take(":"), let minutes = reader.number(2), minutes < 60
      else { return nil }
      offset = sign * (hours * 3_600 + minutes * 60)
    }
    guard reader.isAtEnd else { return nil }
    let seconds = LocalDateTime(date: date, time: time).secondsAsIfUTC - Int64(offset)
    // The UTC offset may lead out of the four-digit years, which could not be written and parsed again.
    guard Self.fourDigitYears.contains(seconds) else { return nil }
    self.init(milliseconds: seconds * 1_000 + milliseconds)
  }
}

/// Parses decimal digits and separators from bytes.
private struct DigitReader {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  var isAtEnd: Bool { index == bytes.count }

  /// Consumes the next character if it is `character`; returns whether it was.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.count, UInt32(bytes[index]) == character.value else { return false }
    index += 1
    return true
  }

  /// Consumes exactly `width` digits; nil if there are fewer.
  mutating func number(_ width: Int) -> Int? {
    guard index + width <= bytes.count else { return nil }
    var value = 0
    for byte in bytes[index..<index + width] {
      guard (48...57).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 48)
    }
    index += width
    return value
  }

  /// Consumes a fraction of a second, truncated to milliseconds; nil without a digit.
  mutating func fractionInMilliseconds() -> Int64? {
    var value: Int64 = 0
    var digits = 0
    while index < bytes.count, (48...57).contains(bytes[index]) {
      if digits < 3 { value = value * 10 + Int64(bytes[index] - 48) }
      digits += 1
      index += 1
    }
    guard digits > 0 else { return nil }
    for _ in digits..<max(digits, 3) { value *= 10 }
    return value
  }
}
