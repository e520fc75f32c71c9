package import FlowModel

/// The decision of a run: a notice, or the reason for which it is suppressed.
package enum Decision: Sendable {
  case notice(NoticeDraft)
  case suppressed(SuppressionReason)
}

/// The decision about one person's own notice, which is sent in addition to the team's.
package struct PersonalDecision: Sendable {
  package let person: PersonKey
  /// The person's display name.
  package let name: String
  package let language: Language
  package let decision: Decision

  package init(_ person: PersonKey, name: String, language: Language, _ decision: Decision) {
    self.person = person
    self.name = name
    self.language = language
    self.decision = decision
  }
}

extension PersonalDecision {
  /// The decision for each member of a team; empty if no member has an address.
  ///
  /// - Parameters:
  ///   - members: the team's members with their display names.
  ///   - people: the stored contact data of the members.
  ///   - wants: the subscriptions of which a member needs at least one.
  ///   - language: the team's language, for members who have none of their own.
  ///   - decide: called once per language; returns the decisions for the given people, in their order.
  package static func all(
    of members: [(key: PersonKey, name: String)], known people: [Person], wanting wants: Set<Person.Subscription>,
    language: Language, decide: (Language, [PersonKey]) -> [Decision]
  ) -> [PersonalDecision] {
    let known = Dictionary(people.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    func isReached(_ key: PersonKey) -> Bool { known[key]?.channels.isEmpty == false }
    func words(_ key: PersonKey) -> Language { known[key]?.language ?? language }
    guard members.contains(where: { isReached($0.key) }) else { return [] }
    let told = members.map(\.key).filter { isReached($0) && known[$0]?.wants.isDisjoint(with: wants) == false }
    var decisions: [PersonKey: Decision] = [:]
    for (language, keys) in Dictionary(grouping: told, by: words) {
      for (key, decision) in zip(keys, decide(language, keys)) { decisions[key] = decision }
    }
    return members.map { member in
      PersonalDecision(
        member.key, name: member.name, language: words(member.key),
        decisions[member.key] ?? .suppressed(isReached(member.key) ? .notWanted : .noAddress))
    }
  }

  /// A summary, then a text for each person without a notice of their own: `own notices for 2 of 4 grooms`, `Dan: not
  /// wanted`, `Eve: no address`.
  ///
  /// - Parameter noun: the trade's singular and plural for its people, such as groom and grooms.
  package static func words(of personal: [PersonalDecision], _ noun: (one: String, many: String)) -> [String] {
    guard !personal.isEmpty else { return [] }
    let suppressed = personal.compactMap { own -> String? in
      if case .suppressed(let silence) = own.decision { "\(own.name): \(silence.sentence)" } else { nil }
    }
    let count = personal.count
    let told = "own notices for \(count - suppressed.count) of \(count) \(count == 1 ? noun.one : noun.many)"
    let rest = suppressed.count - Limits.techniciansPerPage
    return [told] + suppressed.prefix(Limits.techniciansPerPage) + (rest > 0 ? ["and \(rest) more"] : [])
  }
}

// Reasons for which a person gets no notice of their own.
extension SuppressionReason {
  static let noAddress = SuppressionReason("no-address", "no address")
  static let notWanted = SuppressionReason("not-wanted", "not wanted")
}

/// The content of a notice that has a page.
package protocol PagedDigest: Sendable {
  /// The page as HTML, without data that is reserved for sensitive sinks. The bytes are equal on every call, and after the
  /// digest was decoded from its notice's data.
  var page: [UInt8] { get }
}

/// The text of a notice before it is assigned to a run.
package struct NoticeDraft: Sendable {
  package let identifier: String
  package let title: String
  package let body: String
  package let lines: [String]
  package let dataJSON: String
  /// The severity; nil for the default of the job's kind.
  package let severity: Severity?
  /// The content of the notice's page; nil if it has no page.
  package let kept: (any PagedDigest)?

  package init(
    identifier: String, title: String, body: String, lines: [String] = [], dataJSON: String = "",
    severity: Severity? = nil, kept: (any PagedDigest)? = nil
  ) {
    self.identifier = identifier
    self.title = title
    self.body = body
    self.lines = lines
    self.dataJSON = dataJSON
    self.severity = severity
    self.kept = kept
  }
}
