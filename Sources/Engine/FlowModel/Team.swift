/// A business with its own trade, zone, language, units, plan and settings.
package struct Team: Hashable, Sendable {
  package var id: TeamID
  /// The unique name; see `TeamName` for its format.
  package var name: String
  package var trade: Trade
  /// A name of the tz database, such as `America/Phoenix`.
  package var zone: String
  package var language: Language
  package var units: UnitSystem
  package var objective: TravelObjective
  package var plan: Plan
  package var settings: TeamSettings
  package var clock: ClockFormat
  /// The currency that the team set; nil for the default of its language and zone.
  package var chosenCurrency: Currency?
  package var createdAt: Timestamp
  /// Whether the store contains days off of the team, past or future.
  package var hasDaysOff: Bool

  package init(
    id: TeamID, name: String, trade: Trade, zone: String, language: Language, units: UnitSystem,
    objective: TravelObjective,
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

/// A person who drives a route. Every team has at least one; the default technician gets every pool without a `tech:` tag.
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

  /// The reserved name for the team's office, usable in place of a technician's name.
  package static let office = "office"
  /// The reserved name for all people on the team, usable in place of a technician's name.
  package static let everybody = "all"

  /// Whether a name is reserved; a technician with such a name could not be addressed.
  package static func isReserved(_ name: String) -> Bool {
    let word = trimmingSpaces(name).lowercased()
    return word == office || word == everybody
  }
}

/// A team's notification and route settings, with the app's names.
package struct TeamSettings: Hashable, Sendable {
  /// The main switch: off suppresses all four notices.
  package var notificationsEnabled: Bool
  package var morningNotice: Bool
  package var lowStockForTomorrow: Bool
  package var weeklyDigest: Bool
  package var morningTime: TimeOfDay
  /// Whether the next day's notice is sent the evening before; a setting that the app does not have.
  package var eveningPreview: Bool
  package var stopOrder: StopOrder
  /// The planned arrival at the first stop; nil for one hour after the morning notice.
  package var dayStart: TimeOfDay?
  /// Minutes for testing, dosing and brushing at a stop, within `Limits.stopMinutes`.
  package var stopMinutes: Int
  package var windows: WindowRule
  package var doseUnits: DoseUnits
  package var dosing: DosingMethod
  package var lsiMethod: LSIMethod
  /// The air temperature in °C from which on the evening before warns of frost; nil for no warning.
  package var freezeWarning: Double?
  /// The precipitation in mm in a working day from which on the evening before proposes to move it; nil for no proposal.
  package var rainHint: Double?
  /// The default volume of a new pool in US gallons; nil for the usual one of the team's region.
  package var defaultVolumeGallons: Double?
  /// Whether figures of water, temperatures and chemicals are shown in both systems of units; see `ShownUnits`.
  package var showsBothUnits: Bool
  /// The raw values of job kinds that the team switched off, for kinds without a switch in the app.
  package var disabledJobs: Set<String>

  package init(
    notificationsEnabled: Bool = true, morningNotice: Bool = true, lowStockForTomorrow: Bool = true,
    weeklyDigest: Bool = true, morningTime: TimeOfDay = .sevenInTheMorning, eveningPreview: Bool = false,
    stopOrder: StopOrder = .kept, dayStart: TimeOfDay? = nil, stopMinutes: Int = TeamSettings.usualStopMinutes,
    windows: WindowRule = .respect, doseUnits: DoseUnits = .byKind, dosing: DosingMethod = .app,
    lsiMethod: LSIMethod = .app,
    freezeWarning: Double? = TeamSettings.usualFreezeWarning, rainHint: Double? = TeamSettings.usualRainHint,
    defaultVolumeGallons: Double? = nil, showsBothUnits: Bool = false, disabledJobs: Set<String> = []
  ) {
    self.notificationsEnabled = notificationsEnabled
    self.morningNotice = morningNotice
    self.lowStockForTomorrow = lowStockForTomorrow
    self.weeklyDigest = weeklyDigest
    self.morningTime = morningTime
    self.eveningPreview = eveningPreview
    self.stopOrder = stopOrder
    self.dayStart = dayStart
    self.stopMinutes = stopMinutes
    self.windows = windows
    self.doseUnits = doseUnits
    self.dosing = dosing
    self.lsiMethod = lsiMethod
    self.freezeWarning = freezeWarning
    self.rainHint = rainHint
    self.defaultVolumeGallons = defaultVolumeGallons
    self.showsBothUnits = showsBothUnits
    self.disabledJobs = disabledJobs
  }

  package static let usualStopMinutes = 20
  /// The freezing point, in °C.
  package static let usualFreezeWarning = 0.0
  /// A wet day, in mm.
  package static let usualRainHint = 10.0
}

/// The order in which a day's stops are listed.
package enum StopOrder: String, Sendable, CaseIterable {
  /// The order set by the dispatcher; a better one is only proposed.
  case kept
  /// The best order, computed every night; stops that were pinned or moved by hand keep their positions.
  case best
}

/// The effect of customers' arrival windows on a day's route.
package enum WindowRule: String, Sendable, CaseIterable {
  /// Windows are not shown and do not affect the route.
  case ignore
  /// An arrival outside a window is reported; the route minimises driving only.
  case warn
  /// The route keeps to the windows where possible, and the technician waits when early.
  case respect
}

/// The units for amounts of chemicals in the imperial system; metric amounts always depend on the kind.
package enum DoseUnits: String, Sendable, CaseIterable, Codable {
  /// As in the app: pounds and ounces up to a gallon, for all chemicals.
  case app
  /// Liquids by volume, other chemicals by weight.
  case byKind = "by-kind"
}

/// The method that gives the amounts of acid and soda ash for a pH.
package enum DosingMethod: String, Sendable, CaseIterable, Codable {
  /// The app's rule: the same amount for each step of the pH, whatever the alkalinity.
  case app
  /// The carbonate equilibrium of the water's readings.
  case carbonate
}

/// The method that gives the saturation index: how much of the total alkalinity the stabiliser is.
package enum LSIMethod: String, Sendable, CaseIterable, Codable {
  /// The app's rule: a third of the stabiliser.
  case app
  /// A part of the stabiliser that rises with the pH.
  case phCorrected = "ph-corrected"
}

/// The team's subscription plan.
package enum Plan: Hashable, Sendable {
  case free
  case trial(expires: Timestamp)
  case paid

  /// Whether the free plan's limit of records applies: on the free plan and on an expired trial.
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

/// A supported language; the raw value is its language tag.
package enum Language: String, Sendable, CaseIterable, Codable {
  case english = "en"
  case spanish = "es"
  case french = "fr"
  case portuguese = "pt-BR"
  case german = "de"
}

/// A system of units for display; stored values are always imperial.
package enum UnitSystem: String, Sendable, CaseIterable, Codable {
  case imperial, metric
}

/// The objective of route optimisation; the raw values are the app's.
package enum TravelObjective: String, Sendable, CaseIterable, Codable {
  case time, distance, balanced
}

/// A team's name: 1 to 64 ASCII letters, digits, `-`, `_` or `.`, starting with a letter or digit, so that it needs no
/// quoting in a command line, a file name and a journal field.
package struct TeamName: Hashable, Sendable {
  package let text: String

  /// Nil for a text that is not a valid team name.
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

  /// The valid name closest to a company's name: `blue-water-pools` for `Blue Water Pools`; nil if it contains no ASCII
  /// letter or digit.
  package init?(near text: String) {
    let plain = SearchText.folded(text).filter { !"'’`".contains($0) }
    let words = plain.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let name = String(words.joined(separator: "-").prefix(Limits.teamNameLength))
    self.init(name.hasSuffix("-") ? String(name.dropLast()) : name)
  }
}

/// A team's line of business, which determines its records and jobs. The raw value is its name in the store and on the wire.
package struct Trade: RawRepresentable, Hashable, Sendable, Codable {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }
}
