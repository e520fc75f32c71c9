import FlowControl
import FlowModel
import FlowServices
import StableModel

/// Changes of feed, parsed from text: the same keys for schedules and templates.
struct FeedChanges: Sendable {
  /// A parsed change of one part of a meal.
  private enum Part: Sendable {
    case grain(String)
    case supplements([String])
    case medications([String])
  }

  static let keys = FeedSlot.allCases.flatMap { slot in
    ["grain", "supplements", "medications"].map { "\(slot.rawValue)-\($0)" }
  }
  private let changes: [(slot: FeedSlot, part: Part)]

  init(_ values: [FieldValue], besides others: [String] = []) throws(ControlError) {
    var changes: [(slot: FeedSlot, part: Part)] = []
    for value in values {
      guard let slot = FeedSlot.allCases.first(where: { value.key.hasPrefix("\($0.rawValue)-") }) else {
        throw value.unknown(among: others + Self.keys)
      }
      switch value.key.dropFirst(slot.rawValue.count + 1) {
      case "grain": changes.append((slot, .grain(try value.words(.name))))
      case "supplements": changes.append((slot, .supplements(try value.entries())))
      case "medications": changes.append((slot, .medications(try value.entries())))
      default: throw value.unknown(among: others + Self.keys)
      }
    }
    self.changes = changes
  }

  func apply(to schedule: inout FeedSchedule) {
    for change in changes {
      switch change.part {
      case .grain(let text): schedule[change.slot].grain = text
      case .supplements(let entries): schedule[change.slot].supplements = entries
      case .medications(let entries): schedule[change.slot].medications = entries
      }
    }
  }
}

extension FieldValue {
  /// The non-empty entries of a list, separated by `;`, `|` or line ends.
  fileprivate func entries() throws(ControlError) -> [String] {
    let parts = text.split(whereSeparator: { $0 == ";" || $0 == "|" || $0.isNewline }).map {
      trimmingSpaces(String($0))
    }
    let entries = parts.filter { !$0.isEmpty }
    guard entries.count <= Limits.feedListEntries else {
      throw ControlError.badValue(
        field: key, value: text, why: "it has \(entries.count) entries, at most \(Limits.feedListEntries) are allowed"
      )
    }
    let rule = TextRule(maxCharacters: Limits.feedEntryLength)
    for entry in entries {
      if let fault = rule.fault(in: entry) {
        throw ControlError.badValue(field: key, value: entry, why: "this entry \(fault)")
      }
    }
    return entries
  }
}
