// What org.poolflow.Teams tells about a team.

/// What a team wants to hear, and when.
package struct TeamSettingsView: Codable, Sendable {
  package let notifications: Bool
  package let morningSummary: Bool
  package let lowStock: Bool
  package let weeklyDigest: Bool
  /// `07:00`, in the team's zone.
  package let morningTime: String

  package init(notifications: Bool, morningSummary: Bool, lowStock: Bool, weeklyDigest: Bool, morningTime: String) {
    self.notifications = notifications
    self.morningSummary = morningSummary
    self.lowStock = lowStock
    self.weeklyDigest = weeklyDigest
    self.morningTime = morningTime
  }

  private enum CodingKeys: String, CodingKey {
    case notifications
    case morningSummary = "morning_summary"
    case lowStock = "low_stock"
    case weeklyDigest = "weekly_digest"
    case morningTime = "morning_time"
  }
}

/// Someone who drives a route.
package struct TechnicianView: Codable, Sendable {
  package let name: String
  package let isDefault: Bool
  package let pools: Int

  package init(name: String, isDefault: Bool, pools: Int) {
    self.name = name
    self.isDefault = isDefault
    self.pools = pools
  }

  private enum CodingKeys: String, CodingKey {
    case name, pools
    case isDefault = "is_default"
  }
}

/// One team.
package struct TeamView: Codable, Sendable {
  package let name: String
  package let zone: String
  package let language: String
  /// `imperial` or `metric`.
  package let units: String
  /// `time`, `distance` or `balanced`.
  package let objective: String
  /// `free`, `trial` or `paid`.
  package let plan: String
  package let trialExpiresAt: String?
  package let trialExpiresLocal: String?
  /// `auto`, `12h` or `24h`.
  package let clock: String
  /// As ISO 4217 writes it: what the team chose, or what language and zone suggest.
  package let currency: String
  package let settings: TeamSettingsView
  package let technicians: [TechnicianView]
  package let pools: Int
  package let createdAt: String

  package init(
    name: String, zone: String, language: String, units: String, objective: String, plan: String,
    trialExpiresAt: String? = nil, trialExpiresLocal: String? = nil, clock: String, currency: String,
    settings: TeamSettingsView, technicians: [TechnicianView], pools: Int, createdAt: String
  ) {
    self.name = name
    self.zone = zone
    self.language = language
    self.units = units
    self.objective = objective
    self.plan = plan
    self.trialExpiresAt = trialExpiresAt
    self.trialExpiresLocal = trialExpiresLocal
    self.clock = clock
    self.currency = currency
    self.settings = settings
    self.technicians = technicians
    self.pools = pools
    self.createdAt = createdAt
  }

  private enum CodingKeys: String, CodingKey {
    case name, zone, language, units, objective, plan, clock, currency, settings, technicians, pools
    case trialExpiresAt = "trial_expires_at"
    case trialExpiresLocal = "trial_expires_local"
    case createdAt = "created_at"
  }
}

/// One setting to change.
package struct SettingChangeView: Codable, Sendable {
  /// zone, language, units, objective, notifications, morning-summary, low-stock, weekly-digest, morning-time, clock or
  /// currency.
  package let key: String
  package let value: String

  package init(key: String, value: String) {
    self.key = key
    self.value = value
  }
}

/// A job whose next slot moved with the change.
package struct ReplannedView: Codable, Sendable {
  package let job: String
  package let next: String?
  package let nextLocal: String?

  package init(job: String, next: String? = nil, nextLocal: String? = nil) {
    self.job = job
    self.next = next
    self.nextLocal = nextLocal
  }

  private enum CodingKeys: String, CodingKey {
    case job, next
    case nextLocal = "next_local"
  }
}
