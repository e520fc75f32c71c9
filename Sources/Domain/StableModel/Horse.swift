package import PoolModel

package typealias HorseID = EntityID<Horse>
package typealias CareEventID = EntityID<CareEvent>
package typealias FeedTemplateID = EntityID<FeedTemplate>

/// A horse of a barn. Names are unique in a team: those that differ only in case and runs of blanks are the same.
package struct Horse: Hashable, Sendable {
  package var id: HorseID
  package var name: String
  /// Empty where nobody is known.
  package var owner: String
  /// Clipped horses need a blanket 5 °C earlier.
  package var isClipped: Bool
  /// The local date from which on it stands on the boards.
  package var added: CivilDate
  package var hasPhoto: Bool

  package init(
    id: HorseID, name: String, owner: String = "", isClipped: Bool = false, added: CivilDate, hasPhoto: Bool = false
  ) {
    self.id = id
    self.name = name
    self.owner = owner
    self.isClipped = isClipped
    self.added = added
    self.hasPhoto = hasPhoto
  }
}

/// The name of a horse as it is compared: without regard to case and to runs of blanks.
package struct HorseName: Hashable, Comparable, Sendable {
  /// In lower case, its words one blank apart.
  package let key: String

  package init(_ name: String) {
    key =
      Self.plainKey(name) ?? name.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
  }

  /// The same by bytes, a tenth of the work: nearly every name is ASCII, and a board compares thousands. Nil for others.
  private static func plainKey(_ name: String) -> String? {
    var key: [UInt8] = []
    key.reserveCapacity(name.utf8.count)
    var isAfterBlank = false
    for byte in name.utf8 {
      switch byte {
      case 0x09...0x0D, 0x20:
        isAfterBlank = true
        continue
      case 0x80...: return nil
      default: break
      }
      if isAfterBlank, !key.isEmpty { key.append(0x20) }
      isAfterBlank = false
      key.append((0x41...0x5A).contains(byte) ? byte + 0x20 : byte)
    }
    return String(decoding: key, as: UTF8.self)
  }

  package static func < (left: HorseName, right: HorseName) -> Bool { left.key < right.key }
}

extension Horse {
  package var nameKey: HorseName { HorseName(name) }

  /// By name without regard to case, then by id. Of many `sortedByName` asks each for its name once.
  package static func byName(_ left: Horse, _ right: Horse) -> Bool {
    (left.nameKey, left.id) < (right.nameKey, right.id)
  }
}

extension Sequence<Horse> {
  /// As `Horse.byName` orders them.
  package func sortedByName() -> [Horse] {
    let horses = Array(self)
    let keys = horses.map(\.nameKey)
    return horses.indices.sorted {
      keys[$0] == keys[$1] ? horses[$0].id < horses[$1].id : keys[$0] < keys[$1]
    }.map { horses[$0] }
  }
}
