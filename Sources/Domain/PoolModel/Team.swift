/// A business: its own trade, zone, language, units, plan and settings.
package struct Team: Hashable, Sendable {
  package var id: TeamID
  /// Unique, see `TeamName`.
  package var name: String
  package var trade: Trade
  /// A name of the tz database, such as `America/Phoenix`.
  package var zone: String
  package var language: Language
  package var units: UnitSystem
  package var objective: RouteObjective
  package var plan: Plan
  package var settings: TeamSettings
  package var clock: ClockFormat
  /// Nil where it is what language and zone suggest.
  package var chosenCurrency: Currency?
  package var createdAt: Timestamp
  /// Days off are known of it, whenever they are.
  package var hasDaysOff: Bool

  package init(
    id: TeamID, name: String, trade: Trade = .poolService, zone: String, language: Language, units: UnitSystem,
    objective: RouteObjective,
    plan: Plan, settings: TeamSettings, clock: ClockFormat = .automatic, chosenCurrency: Currency? = nil,
    createdAt: Timestamp, hasDaysOff: Bool = false
  ) {
    self.id = id
    self.name = name
    self.trade = trade
    self.zone = zone
    self.language = language
    self.units = units
    self.objective = objective
    self.plan = plan
    self.settings = settings
    self.clock = clock
    self.chosenCurrency = chosenCurrency
    self.createdAt = createdAt
    self.hasDaysOff = hasDaysOff
  }

  package var currency: Currency { chosenCurrency ?? .usual(language: language, zone: zone) }
}

/// Someone who drives a route. Each team has one or more; the default one owns every pool that names nobody.
package struct Technician: Hashable, Sendable {
  package var id: TechnicianID
  package var teamID: TeamID
  package var name: String
  package var isDefault: Bool

  package init(id: TechnicianID, teamID: TeamID, name: String, isDefault: Bool) {
    self.id = id
    self.teamID = teamID
    self.name = name
    self.isDefault = isDefault
  }

  /// Stands for the team's office where a technician's name is asked for.
  package static let office = "office"
  /// Stands for everybody of the team there.
  package static let everybody = "all"

  /// Whether a name means somebody else wherever a technician is named: whoever bore it would be out of reach.
  package static func isReserved(_ name: String) -> Bool {
    let word = trimmingSpaces(name).lowercased()
    return word == office || word == everybody
  }
}

/// What a team wants to hear, and when. The names are the app's.
package struct TeamSettings: Hashable, Sendable {
  /// The master switch: off silences all four notices.
  package var notificationsEnabled: Bool
  package var morningRouteSummary: Bool
  package var lowStockForTomorrow: Bool
  package var weeklyDigest: Bool
  package var morningTime: TimeOfDay
  /// The next day's route, the evening before. Not the app's; it does not know it.
  package var routePreview: Bool
  package var routeOrder: RouteOrder
  /// When the first stop is reached; nil for an hour after the morning's notice.
  package var dayStart: TimeOfDay?
  /// What testing, dosing and brushing take at a stop: `Limits.stopMinutes`.
  package var stopMinutes: Int
  package var windows: WindowRule
  package var doseUnits: DoseUnits
  /// US gallons that a new pool has where nothing names its volume; nil for what is usual in the team's region.
  package var defaultVolumeGallons: Double?
  /// Figures of water, temperatures and chemicals in both systems of units: `ShownUnits`.
  package var showsBothUnits: Bool
  /// The words of the jobs that it switched off, of those that have no switch of the app's.
  package var silenced: Set<String>

  package init(
    notificationsEnabled: Bool = true, morningRouteSummary: Bool = true, lowStockForTomorrow: Bool = true,
    weeklyDigest: Bool = true, morningTime: TimeOfDay = .sevenInTheMorning, routePreview: Bool = false,
    routeOrder: RouteOrder = .kept, dayStart: TimeOfDay? = nil, stopMinutes: Int = TeamSettings.usualStopMinutes,
    windows: WindowRule = .respect, doseUnits: DoseUnits = .app, defaultVolumeGallons: Double? = nil,
    showsBothUnits: Bool = false, silenced: Set<String> = []
  ) {
    self.notificationsEnabled = notificationsEnabled
    self.morningRouteSummary = morningRouteSummary
    self.lowStockForTomorrow = lowStockForTomorrow
    self.weeklyDigest = weeklyDigest
    self.morningTime = morningTime
    self.routePreview = routePreview
    self.routeOrder = routeOrder
    self.dayStart = dayStart
    self.stopMinutes = stopMinutes
    self.windows = windows
    self.doseUnits = doseUnits
    self.defaultVolumeGallons = defaultVolumeGallons
    self.showsBothUnits = showsBothUnits
    self.silenced = silenced
  }

  package static let usualStopMinutes = 20
}

/// Whose order a day's stops are told in: the dispatcher's, or the best that the night found.
package enum RouteOrder: String, Sendable, CaseIterable {
  /// The order that was set stays; a better one is proposed.
  case kept
  /// The night gives each day its best order; stops that were pinned or moved by hand keep their places.
  case best
}

/// What the arrival windows of customers mean to a day.
package enum WindowRule: String, Sendable, CaseIterable {
  /// Nothing: they are not told, and bind no route.
  case ignore
  /// A planned arrival outside of one is told; the plan looks for the shortest way.
  case warn
  /// The plan keeps them where that can be, and whoever is early in its order waits.
  case respect
}

/// How amounts of chemicals are written where units are imperial; metric ones go by kind in any case.
package enum DoseUnits: String, Sendable, CaseIterable, Codable {
  /// As the app does: pounds and ounces up to a gallon, whatever the chemical.
  case app
  /// Liquids by volume, the others by weight.
  case byKind = "by-kind"
}

/// What the team has bought.
package enum Plan: Hashable, Sendable {
  case free
  case trial(expires: Timestamp)
  case paid

  /// True while the pool limit of the free plan holds: on free, and on a trial that has ended.
  package func isLimited(at now: Timestamp) -> Bool {
    switch self {
    case .free: true
    case .trial(let expires): expires <= now
    case .paid: false
    }
  }

  package var word: String {
    switch self {
    case .free: "free"
    case .trial: "trial"
    case .paid: "paid"
    }
  }
}

package enum Language: String, Sendable, CaseIterable, Codable {
  case english = "en"
  case spanish = "es"
  case french = "fr"
  case portuguese = "pt-BR"
  case german = "de"
}

package enum UnitSystem: String, Sendable, CaseIterable, Codable {
  case imperial, metric
}

/// What a route is to be good at; the words are the app's.
package enum RouteObjective: String, Sendable, CaseIterable, Codable {
  case time, distance, balanced
}

/// A team's name: 1 to 64 letters, digits, `-`, `_` or `.`, beginning with a letter or digit, so that it can stand in a
/// command line, a file name and a journal field as it is.
package struct TeamName: Hashable, Sendable {
  package let text: String

  package init?(_ text: String) {
    func isPlain(_ byte: UInt8) -> Bool {
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
    }
    let bytes = Array(text.utf8)
    guard let first = bytes.first, isPlain(first), bytes.count <= Limits.teamNameLength,
      bytes.allSatisfy({ isPlain($0) || $0 == 45 || $0 == 95 || $0 == 46 })
    else { return nil }
    self.text = text
  }

  /// The name that is nearest to a company's own: `blue-water-pools` for `Blue Water Pools`; nil where no letter or digit of
  /// ASCII is left.
  package init?(near text: String) {
    let plain = SearchText.folded(text).filter { !"'’`".contains($0) }
    let words = plain.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let name = String(words.joined(separator: "-").prefix(Limits.teamNameLength))
    self.init(name.hasSuffix("-") ? String(name.dropLast()) : name)
  }
}
