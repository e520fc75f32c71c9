package import FlowModel

package typealias HorseID = EntityID<Horse>
package typealias CareEventID = EntityID<CareEvent>
package typealias FeedTemplateID = EntityID<FeedTemplate>

/// A horse of a barn. Names are unique in a team, ignoring case and repeated blanks.
package struct Horse: Hashable, Sendable {
  package var id: HorseID
  package var name: String
  /// The owner's name; may be empty.
  package var owner: String
  /// True if the horse is clipped, which makes it need a blanket at temperatures 5 °C higher.
  package var isClipped: Bool
  /// The first local date on which the horse is on the feed board.
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

/// A horse's name for comparisons, ignoring case and repeated blanks.
package struct HorseName: Hashable, Comparable, Sendable {
  /// The name in lower case, its words separated by single blanks.
  package let key: String

  package init(_ name: String) {
    key =
      Self.plainKey(name) ?? name.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
  }

  /// Fast path for ASCII, ten times as fast: nearly all names are ASCII, and a board compares thousands. Nil for other
  /// names.
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

  /// Orders by name, ignoring case, then by id. To sort many horses use `sortedByName`, which computes each key once.
  package static func byName(_ left: Horse, _ right: Horse) -> Bool {
    (left.nameKey, left.id) < (right.nameKey, right.id)
  }
}

extension Sequence<Horse> {
  /// The horses in the order of `Horse.byName`.
  package func sortedByName() -> [Horse] {
    let horses = Array(self)
    let keys = horses.map(\.nameKey)
    return horses.indices.sorted {
      keys[$0] == keys[$1] ? horses[$0].id < horses[$1].id : keys[$0] < keys[$1]
    }.map { horses[$0] }
  }
}
