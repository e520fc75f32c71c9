// RFC 3339 instants, read and written without a calendar library: the store, the journal and every `--json` answer use them.

extension Timestamp: CustomStringConvertible {
  /// `2026-03-02T14:00:00Z`, with milliseconds (`…00.250Z`) only where there are any.
  package var description: String {
    let local = LocalDateTime(secondsAsIfUTC: seconds)
    let (date, time) = (local.date, local.time)
    guard (0...9_999).contains(date.year) else { return "\(date)T\(clock(time))\(fraction)Z" }
    // Archives, answers and logs are full of instants: bytes are put together ten times as fast as texts.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    func put(_ number: Int) {
      bytes.append(UInt8(truncatingIfNeeded: 48 + number / 10))
      bytes.append(UInt8(truncatingIfNeeded: 48 + number % 10))
    }
    put(date.year / 100)
    put(date.year % 100)
    bytes.append(UInt8(ascii: "-"))
    put(date.month)
    bytes.append(UInt8(ascii: "-"))
    put(date.day)
    bytes.append(UInt8(ascii: "T"))
    put(time.hour)
    bytes.append(UInt8(ascii: ":"))
    put(time.minute)
    bytes.append(UInt8(ascii: ":"))
    put(time.second)
    bytes.append(contentsOf: fraction.utf8)
    bytes.append(UInt8(ascii: "Z"))
    return String(decoding: bytes, as: UTF8.self)
  }

  private var fraction: String { millisecondOfSecond == 0 ? "" : ".\(padded(Int(millisecondOfSecond), 3))" }

  /// `20260302T140000Z`: sorts by time and is safe in a file name.
  package var compact: String {
    let local = LocalDateTime(secondsAsIfUTC: seconds)
    let day = "\(padded(local.date.year, 4))\(padded(local.date.month, 2))\(padded(local.date.day, 2))"
    let time = "\(padded(local.time.hour, 2))\(padded(local.time.minute, 2))\(padded(local.time.second, 2))"
    return "\(day)T\(time)\(fraction)Z"
  }

  /// Reads what `compact` writes; nil for anything else.
  package init?(compact text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 16, bytes[8] == UInt8(ascii: "T") else { return nil }
    func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    let date = "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
    let time = "\(part(9..<11)):\(part(11..<13)):\(part(13..<15))\(part(15..<bytes.count))"
    guard let instant = Timestamp(rfc3339: "\(date)T\(time)"), instant.compact == text else { return nil }
    self = instant
  }

  /// Reads an RFC 3339 instant: `2026-03-02T14:00:00Z`, `2026-03-02 07:00:00.5-07:00`.
  ///
  /// Fractions beyond milliseconds are cut off. Nil for anything else, dates that do not exist and leap seconds included.
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
    self.init(milliseconds: seconds * 1_000 + milliseconds)
  }
}

private func clock(_ time: TimeOfDay) -> String {
  "\(padded(time.hour, 2)):\(padded(time.minute, 2)):\(padded(time.second, 2))"
}

private struct DigitReader {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  var isAtEnd: Bool { index == bytes.count }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.count, UInt32(bytes[index]) == character.value else { return false }
    index += 1
    return true
  }

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
