package import PoolModel

/// What a run decides: words for people, or a reason for silence.
package enum Decision: Sendable {
  case speak(NoticeDraft)
  case silent(Silence)
}

/// What is told to one person besides, or why it is not.
package struct PersonalDecision: Sendable {
  package let person: PersonKey
  /// What the trade calls him.
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
  /// What each member of a team is told by himself, or why he is not; empty of a team none of whose members can be reached.
  ///
  /// - Parameters:
  ///   - wants: what somebody must want one of, to be told it.
  ///   - language: the team's.
  ///   - decide: the words for each of some who are told it in the same language, in their order.
  package static func all(
    of members: [(key: PersonKey, name: String)], known people: [Person], wanting wants: Set<Person.Want>,
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
        decisions[member.key] ?? .silent(isReached(member.key) ? .notWanted : .noAddress))
    }
  }

  /// `own notices for 2 of 4 grooms`, `Dan: not wanted`, `Eve: no address`.
  ///
  /// - Parameter noun: what the trade calls one, and several.
  package static func words(of personal: [PersonalDecision], _ noun: (one: String, many: String)) -> [String] {
    guard !personal.isEmpty else { return [] }
    let silent = personal.compactMap { own -> String? in
      if case .silent(let silence) = own.decision { "\(own.name): \(silence.sentence)" } else { nil }
    }
    let count = personal.count
    let told = "own notices for \(count - silent.count) of \(count) \(count == 1 ? noun.one : noun.many)"
    let rest = silent.count - Limits.techniciansOfPage
    return [told] + silent.prefix(Limits.techniciansOfPage) + (rest > 0 ? ["and \(rest) more"] : [])
  }
}

// Why somebody is told nothing by himself.
extension Silence {
  static let noAddress = Silence("no-address", "no address")
  static let notWanted = Silence("not-wanted", "not wanted")
}

/// What a notice with a page was made of.
package protocol PagedDigest: Sendable {
  /// Its page, HTML without what only a sensitive sink may have; the same at every call, and of a digest that was read back
  /// from its notice's data.
  var page: [UInt8] { get }
}

/// The words of a notice, before it has a run to belong to.
package struct NoticeDraft: Sendable {
  package let identifier: String
  package let title: String
  package let body: String
  package let lines: [String]
  package let dataJSON: String
  /// Where it is not its kind's own.
  package let severity: Severity?
  /// What it was made of, for whoever makes its page; nil where it has none.
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
