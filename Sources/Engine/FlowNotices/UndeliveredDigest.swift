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
    title = phrases.undeliveredTitle()
    let sentence = phrases.undelivered.form(language.pluralClass(of: losses.count))(String(losses.count))
    // The names are in the body too, because some channels show only the body.
    body = "\(sentence.dropLast()): \(Self.names(of: losses, in: language))"
    var lines = losses.prefix(Limits.lossesListed).map { Self.line($0, phrases) }
    if losses.count > lines.count { lines.append(Self.more(losses.count - lines.count, in: language)) }
    self.lines = lines
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
  private static func line(_ loss: Loss, _ phrases: CommonPhrases) -> String {
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
    return "\(loss.name): \(loss.title) (\(kind)): \(outcome)\(code)"
  }
}
