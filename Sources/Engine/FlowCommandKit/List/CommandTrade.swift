package import FlowControl
package import FlowModel
package import FlowNotices
package import FlowWork

/// What the engine's commands need of a trade. It is a flat record, because each member serves other commands; a trade states
/// those without a default.
package struct CommandTrade: Sendable {
  package let trade: Trade
  package let jobs: JobCatalogue
  /// True for the trade of a team whose trade is not named.
  package let isStandard: Bool
  /// One of its teams in a sentence, with an article.
  package let team: String
  package let records: RecordNouns
  /// Nil for a trade whose answers have their counts in `others`.
  package let texts: RecordTexts?
  /// The rows of `pfctl team show`; nil for the settings that teams of every trade have.
  package let teamRows: (@Sendable (TeamView) -> [(String, String)])?
  package let setup: TradeSetup
  /// Its texts for people in a language, with examples, for `pfctl help phrases`; none for a trade whose texts are not
  /// translated.
  package let phrases: @Sendable (Language) -> [PhraseExample]
  /// The names in a team's records that a bug report replaces.
  package let personalNames: @Sendable (_ team: String, DaemonConnection) throws -> [PersonalName]
  /// The next day on which a team works.
  package let nextWorkingDay: @Sendable (_ team: String, DaemonConnection) throws -> WorkingDay

  package init(
    _ trade: Trade, jobs: JobCatalogue, isStandard: Bool = false, team: String, records: RecordNouns,
    texts: RecordTexts? = nil, teamRows: (@Sendable (TeamView) -> [(String, String)])? = nil, setup: TradeSetup,
    phrases: @escaping @Sendable (Language) -> [PhraseExample] = { _ in [] },
    personalNames: @escaping @Sendable (_ team: String, DaemonConnection) throws -> [PersonalName],
    nextWorkingDay: @escaping @Sendable (_ team: String, DaemonConnection) throws -> WorkingDay = { _, _ in .tomorrow }
  ) {
    self.trade = trade
    self.jobs = jobs
    self.isStandard = isStandard
    self.team = team
    self.records = records
    self.texts = texts
    self.teamRows = teamRows
    self.setup = setup
    self.phrases = phrases
    self.personalNames = personalNames
    self.nextWorkingDay = nextWorkingDay
  }
}

/// A day on which a team works.
package struct WorkingDay: Sendable {
  package static let tomorrow = WorkingDay("tomorrow")

  /// The day as commands take it, such as `tomorrow` or `2026-03-02`.
  package let day: String
  /// Why the day is not simply tomorrow, as a sentence for the person who asks; nil if it is.
  package let note: String?

  package init(_ day: String, note: String? = nil) { (self.day, self.note) = (day, note) }
}

/// A name in a team's records.
package struct PersonalName: Sendable {
  /// What a name belongs to; each module declares its own kinds.
  package struct Kind: RawRepresentable, Hashable, Sendable {
    /// The beginning of the placeholders in a bug report: `team` gives `team-1`.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
  }

  package let text: String
  package let kind: Kind

  package init(_ text: String, _ kind: Kind) { (self.text, self.kind) = (text, kind) }
}

/// A list that `pfctl export` writes.
package struct ExportedList: Sendable {
  /// Which records to export.
  package struct Query: Sendable {
    package let team: String
    /// Only what belongs to this record; nil for all records.
    package let record: String?
    /// True for contact data and gate codes, too.
    package let reveals: Bool

    package init(team: String, record: String?, reveals: Bool) {
      (self.team, self.record, self.reveals) = (team, record, reveals)
    }
  }

  /// Where the lines come from.
  package enum Source: Sendable {
    /// A list to fill in, which needs no daemon.
    case template(@Sendable () -> [String])
    /// Records of the daemon; the connection is opened when the list first calls for it.
    case records(@Sendable (Query, _ daemon: () throws -> DaemonConnection) throws -> [String])
  }

  /// Sentences about records that the list leaves out; empty for none.
  package typealias Notes = @Sendable (Query, _ daemon: () throws -> DaemonConnection) throws -> [String]

  /// The operand that names the list.
  package let word: String
  package let source: Source
  package let notes: Notes

  package init(_ word: String, _ source: Source, notes: @escaping Notes = { _, _ in [] }) {
    (self.word, self.source, self.notes) = (word, source, notes)
  }
}
