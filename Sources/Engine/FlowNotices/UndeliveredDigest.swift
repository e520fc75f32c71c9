package import FlowModel

/// The report to an office about notices that technicians did not get: name, title, channel and reason, but no address.
package struct UndeliveredDigest: Sendable {
  /// One lost notice.
  package struct Loss: Sendable {
    /// The technician's name; the key if the name is unknown.
    let name: String
    let title: String
    let kind: String
    let outcome: Receipt.Outcome
    let code: Int?

    package init(_ receipt: Receipt, title: String, names: [PersonKey: String]) {
      name = PersonKey(receipt.recipient).flatMap { names[$0] } ?? receipt.recipient
      (self.title, kind, outcome, code) = (title, receipt.kind, receipt.outcome, receipt.code)
    }
  }

  package let title: String
  package let body: String
  package let lines: [String]

  package init(_ losses: [Loss], in language: Language) {
    let phrases = language.commonPhrases
    title = Self.title(of: losses, in: language)
    let sentence = phrases.undelivered.form(language.pluralClass(of: losses.count))(String(losses.count))
    // The names are in the body too, because some channels show only the body.
    body = "\(sentence.dropLast())\(language.colon) \(Self.names(of: losses, in: language))"
    var lines = losses.prefix(Limits.lossesListed).map { Self.line($0, in: language) }
    if losses.count > lines.count { lines.append(Self.more(losses.count - lines.count, in: language)) }
    self.lines = lines
  }

  /// The person and the notice if there is one of each, otherwise the people.
  private static func title(of losses: [Loss], in language: Language) -> String {
    let phrases = language.commonPhrases
    guard let first = losses.first, losses.allSatisfy({ $0.name == first.name && $0.title == first.title }) else {
      return phrases.undeliveredMany(names(of: losses, in: language))
    }
    return phrases.undeliveredOne(first.name, first.title)
  }

  /// The distinct names of up to five people, and the number of the others.
  private static func names(of losses: [Loss], in language: Language) -> String {
    var names: [String] = []
    for loss in losses where !names.contains(loss.name) { names.append(loss.name) }
    let listed = names.prefix(5).joined(separator: ", ")
    return names.count > 5 ? "\(listed) \(more(names.count - 5, in: language))" : listed
  }

  /// The text for entries that are not listed: `and 3 more`.
  private static func more(_ count: Int, in language: Language) -> String {
    language.commonPhrases.more.form(language.pluralClass(of: count))(String(count))
  }

  /// One loss on a line: `Maria: Today's Route (mail): refused (550)`.
  private static func line(_ loss: Loss, in language: Language) -> String {
    let (phrases, colon) = (language.commonPhrases, language.colon)
    let outcome =
      switch loss.outcome {
      case .refused: phrases.deliveryRefused()
      case .expired: phrases.deliveryExpired()
      case .unknown: phrases.deliveryUnknown()
      // Not losses, so never passed.
      case .delivered, .replaced, .waiting: loss.outcome.rawValue
      }
    let code = loss.code.map { " (\($0))" } ?? ""
    let kind = loss.kind == "smtp" ? phrases.emailLabel() : loss.kind
    return "\(loss.name)\(colon) \(loss.title) (\(kind))\(colon) \(outcome)\(code)"
  }
}
