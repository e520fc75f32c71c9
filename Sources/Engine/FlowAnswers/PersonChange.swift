import FlowControl
import FlowModel
import FlowServices

/// A change of a person's contact data, parsed from text. No refusal quotes an address.
struct PersonChange: Sendable {
  let apply: @Sendable (inout KnownPerson) -> Void

  static let keys = ReachChannel.allCases.map(\.rawValue) + ["language", "quiet-hours", "wants"]

  /// Parses changes of a person's contact data.
  ///
  /// - Parameter subscriptions: those that the person's team has.
  /// - Throws: `ControlError` that names the value; no change is made then.
  static func read(
    _ changes: [SettingChangeView], among subscriptions: [Person.Subscription]
  ) throws(ControlError) -> [PersonChange] {
    try FieldValue.unique(changes).map { value throws(ControlError) in
      PersonChange(apply: try change(value, among: subscriptions))
    }
  }

  private static func change(
    _ value: FieldValue, among subscriptions: [Person.Subscription]
  ) throws(ControlError) -> @Sendable (inout KnownPerson) -> Void {
    let text = value.text.lowercased() == "none" ? "" : value.text
    if let channel = ReachChannel(rawValue: value.key) {
      if !text.isEmpty, let why = channel.fault(in: text) {
        throw ControlError.badValue(field: value.key, value: "…", why: why)
      }
      return { $0.addresses[channel] = text.isEmpty ? nil : text }
    }
    switch value.key {
    case "language":
      let language: Language? = text.isEmpty ? nil : try FieldValue.word(text, field: value.key)
      return { $0.person.language = language }
    // Clients before 0.2 send `quiet`.
    case "quiet-hours", "quiet":
      let hours = QuietHours(typed: text)
      guard text.isEmpty || hours != nil else {
        throw ControlError.badValue(
          field: value.key, value: text, why: "write two different times of day such as 22:00-06:00")
      }
      return { $0.person.quiet = hours }
    case "wants":
      let wants = try text.split { $0 == " " || $0 == "," }.map { word throws(ControlError) -> Person.Subscription in
        try FieldValue.word(String(word), field: value.key, among: subscriptions)
      }
      return { $0.person.wants = Set(wants) }
    default: throw value.unknown(among: keys)
    }
  }
}
