/// Zone names that users type but that the tz database reads differently, or that lack daylight-saving time.
///
/// A team's zone should be a city's. `GMT+5` means five hours east to people and five hours west to POSIX, which the tz
/// database follows (`etcetera`, tz database 2025b). `EST` and `MST` are winter time all year.
package enum ZoneChoice {
  /// Error message if `name` must not become a team's zone, with cities that may be meant; nil for acceptable names.
  ///
  /// Some refused names exist in the tz database. A team that already uses such a zone keeps it: only a new choice is checked.
  package static func refusal(of name: String) -> String? {
    if let (east, isPOSIX) = offset(in: name) { return refusal(of: name, east: east, isPOSIX: isPOSIX) }
    guard let cities = abbreviations[name.uppercased()] else { return nil }
    let what = fixed.contains(name.uppercased()) ? "never changes its clocks" : "is an abbreviation, not a time zone"
    return "'\(name)' \(what); name a city: \(cities)"
  }

  /// True if the name may be suggested after a typo: neither an offset from UTC nor an abbreviation.
  package static func isSuggested(_ name: String) -> Bool {
    if name.contains("/") { return !name.hasPrefix("Etc/") }
    return name == "UTC" || name.utf8.contains { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
  }

  // MARK: Distances from UTC

  /// Minutes east of UTC as people read `GMT+5`, `UTC-3:30`, `+0530` or `Etc/GMT+5`; nil for other names and for offset 0.
  /// `isPOSIX` is true for `GMT` names, whose sign POSIX and the tz database invert.
  private static func offset(in name: String) -> (east: Int, isPOSIX: Bool)? {
    var rest = name.uppercased().filter { $0 != " " }[...]
    if rest.hasPrefix("ETC/") { rest = rest.dropFirst(4) }
    let prefix = ["GMT", "UTC", "UT"].first(where: rest.hasPrefix) ?? ""
    rest = rest.dropFirst(prefix.count)
    guard let sign = rest.first, ["+", "-", "\u{2212}"].contains(sign) else { return nil }
    let digits = rest.dropFirst().filter { $0 != ":" && $0 != "." }
    guard (1...4).contains(digits.count), digits.utf8.allSatisfy(CalendarParser.isDigit), let number = Int(digits)
    else {
      return nil
    }
    let minutes = digits.count <= 2 ? number * 60 : number / 100 * 60 + number % 100
    guard minutes > 0, minutes <= 14 * 60 + 59 else { return nil }
    return (sign == "+" ? minutes : -minutes, prefix == "GMT")
  }

  private static func refusal(of name: String, east: Int, isPOSIX: Bool) -> String {
    let cities = [east, -east].compactMap { minutes in
      isPOSIX || minutes == east ? Self.cities[minutes].map { "\($0) (\(text(minutes)))" } : nil
    }
    let advice = "name a city" + (cities.isEmpty ? ", as Area/City" : ", such as \(cities.joined(separator: " or "))")
    guard isPOSIX else {
      return "'\(name)' is a fixed distance from UTC, not a time zone with its clock changes; \(advice)"
    }
    return "'\(name)' means \(text(east)) to people and \(text(-east)) to the tz database; \(advice)"
  }

  /// The offset as text, such as `UTC-03:30`.
  private static func text(_ minutes: Int) -> String {
    let digits = String(10_000 + abs(minutes) / 60 * 100 + abs(minutes) % 60).dropFirst()
    return "UTC\(minutes < 0 ? "-" : "+")\(digits.prefix(2)):\(digits.suffix(2))"
  }

  /// Cities by their standard-time offset in minutes east of UTC.
  private static let cities: [Int: String] = [
    -600: "Pacific/Honolulu", -540: "America/Anchorage", -480: "America/Los_Angeles", -420: "America/Denver",
    -360: "America/Chicago", -300: "America/New_York", -240: "America/Halifax", -210: "America/St_Johns",
    -180: "America/Sao_Paulo", 60: "Europe/Berlin", 120: "Europe/Athens", 180: "Europe/Istanbul", 240: "Asia/Dubai",
    270: "Asia/Kabul", 300: "Asia/Karachi", 330: "Asia/Kolkata", 345: "Asia/Kathmandu", 360: "Asia/Dhaka",
    420: "Asia/Bangkok", 480: "Asia/Singapore", 540: "Asia/Tokyo", 570: "Australia/Adelaide", 600: "Australia/Sydney",
    660: "Pacific/Noumea", 720: "Pacific/Auckland", 780: "Pacific/Tongatapu",
  ]

  // MARK: Abbreviations

  /// Abbreviations that are zones of the tz database, without daylight-saving time.
  private static let fixed: Set<String> = ["EST", "MST", "HST"]

  /// Cities that use each abbreviation; in "A, or B for a place without summer time", B has none.
  private static let abbreviations: [String: String] = {
    let cities: [(names: [String], cities: String)] = [
      (["EST", "EDT", "ET"], "America/New_York, or America/Panama for a place without summer time"),
      (["CST", "CDT", "CT"], "America/Chicago, or America/Regina for a place without summer time"),
      (["MST", "MDT", "MT"], "America/Denver, or America/Phoenix for a place without summer time"),
      (["PST", "PDT", "PT"], "America/Los_Angeles"), (["AKST", "AKDT"], "America/Anchorage"),
      (["HST", "HDT", "HAST"], "Pacific/Honolulu"),
      (["AST", "ADT"], "America/Halifax, or America/Puerto_Rico for a place without summer time"),
      (["NST", "NDT"], "America/St_Johns"), (["BRT"], "America/Sao_Paulo"), (["BST"], "Europe/London"),
      (["CEST"], "Europe/Berlin"), (["EEST"], "Europe/Athens"), (["WEST"], "Europe/Lisbon"), (["MSK"], "Europe/Moscow"),
      (["IST"], "Asia/Kolkata, Asia/Jerusalem or Europe/Dublin"), (["SAST"], "Africa/Johannesburg"),
      (["JST"], "Asia/Tokyo"), (["AWST"], "Australia/Perth"), (["NZST", "NZDT"], "Pacific/Auckland"),
      (["AEST", "AEDT"], "Australia/Sydney, or Australia/Brisbane for a place without summer time"),
      (["ACST", "ACDT"], "Australia/Adelaide, or Australia/Darwin for a place without summer time"),
    ]
    return Dictionary(uniqueKeysWithValues: cities.flatMap { row in row.names.map { ($0, row.cities) } })
  }()
}
