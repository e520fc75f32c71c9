import StableControl
import FlowCalendar
import FlowControl
import FlowModel
import FlowServices
import FoundationEssentials
import StableModel

/// Changes of a horse, parsed from text: each key at most once, each value checked.
struct HorseChanges: Sendable {
  /// A parsed change of one field.
  private enum Change: Sendable {
    case name(String)
    case owner(String)
    case isClipped(Bool)
    case added(CivilDate)
  }

  static let keys = ["name", "owner", "clipped", "added"]
  private let changes: [Change]

  /// Parses changes of a horse.
  ///
  /// - Parameter day: parses a date in the team's zone.
  init(_ typed: [SettingChangeView], day: (FieldValue) throws(ControlError) -> CivilDate) throws(ControlError) {
    var changes: [Change] = []
    for value in try FieldValue.unique(typed) {
      switch value.key {
      case "name": changes.append(.name(try Self.name(value.text, field: value.key)))
      // No error quotes the owner.
      case "owner": changes.append(.owner(try value.words(.name, isSensitive: true)))
      case "clipped": changes.append(.isClipped(try value.isYes()))
      case "added": changes.append(.added(try day(value)))
      default: throw value.unknown(among: Self.keys)
      }
    }
    self.changes = changes
  }

  var isEmpty: Bool { changes.isEmpty }

  /// The name without leading and trailing blanks, as it is stored.
  static func name(_ text: String, field: String) throws(ControlError) -> String {
    try FieldValue.checkName(text, field: field)
    return trimmingSpaces(text)
  }

  func apply(to horse: inout Horse) {
    for change in changes {
      switch change {
      case .name(let name): horse.name = name
      case .owner(let owner): horse.owner = owner
      case .isClipped(let isClipped): horse.isClipped = isClipped
      case .added(let date): horse.added = date
      }
    }
  }
}

extension [Horse] {
  /// Checks that a name is free; case and runs of blanks are ignored.
  ///
  /// - Throws: `ControlError` if a horse in the list has the name already.
  func checkNameIsFree(_ name: String, team: Team) throws(ControlError) {
    guard let taken = first(where: { $0.nameKey == HorseName(name) }) else { return }
    throw .horseExists(taken.name, team: team.name)
  }
}

extension FieldValue {
  func isYes() throws(ControlError) -> Bool {
    switch text.lowercased() {
    case "yes", "y", "true", "on", "1": return true
    case "no", "n", "false", "off", "0": return false
    default: throw ControlError.badValue(field: key, value: text, why: "write yes or no")
    }
  }
}
