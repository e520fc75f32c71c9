import FlowNotices
import StableModel

/// Horses that wear the same blanket by day and the same by night.
struct BlanketGroup: Hashable {
  /// The blankets of the group; nil without advice for that time.
  private struct Blankets: Hashable {
    let day: BarnDigest.BlanketLine.Blanket?
    let night: BarnDigest.BlanketLine.Blanket?
  }

  /// From this number on, horses are counted instead of named.
  static let minCounted = 3

  /// Sorted by name.
  let horses: [String]
  /// The number of all horses.
  let total: Int
  /// True for the group that is counted, because it has at least half of the horses.
  let isCounted: Bool
  private let blankets: Blankets

  /// The groups, the largest first; groups of one size in the order of their first horse.
  ///
  /// - Parameters:
  ///   - day: the advice for the day, sorted by name; empty without advice.
  ///   - night: the same for the night.
  static func groups(day: [BarnDigest.BlanketLine], night: [BarnDigest.BlanketLine]) -> [BlanketGroup] {
    func blankets(_ lines: [BarnDigest.BlanketLine]) -> [String: BarnDigest.BlanketLine.Blanket] {
      Dictionary(lines.map { ($0.horse, $0.blanket) }, uniquingKeysWith: { first, _ in first })
    }
    let (byDay, byNight) = (blankets(day), blankets(night))
    let names = (day.isEmpty ? night : day).map(\.horse)
    let kinds = Dictionary(grouping: names) { Blankets(day: byDay[$0], night: byNight[$0]) }
    let order = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let sorted = kinds.sorted { one, other in
      if one.value.count != other.value.count { return one.value.count > other.value.count }
      return (order[one.value[0]] ?? 0) < (order[other.value[0]] ?? 0)
    }
    return sorted.enumerated().map { index, kind in
      let isCounted = index == 0 && kind.value.count >= minCounted && kind.value.count * 2 >= names.count
      return BlanketGroup(horses: kind.value, total: names.count, isCounted: isCounted, blankets: kind.key)
    }
  }

  /// `27 of 30: heavy (300 g) by day and night`, or `Ace, Bella: by day light (100 g); at night medium (200 g)`.
  ///
  /// - Parameter isTonight: true in a text that is about the night alone, which needs no time: `27 of 30: heavy (300 g)`.
  func words(_ localizer: BarnLocalizer, isTonight: Bool = false) -> String {
    let (phrases, tonight) = (localizer.phrases, isTonight ? blankets.night?.words(localizer) : nil)
    let blanket = tonight ?? blanketWords(localizer)
    guard isCounted else { return phrases.careLine(horses.joined(separator: ", "), blanket) }
    func number(_ count: Int) -> String { localizer.format.numerals.text(count) }
    return horses.count == total
      ? phrases.blanketOfAll(number(total), blanket)
      : phrases.blanketOfMost(number(horses.count), number(total), blanket)
  }

  private func blanketWords(_ localizer: BarnLocalizer) -> String {
    let phrases = localizer.phrases
    if let day = blankets.day, day == blankets.night { return phrases.dayAndNight(day.words(localizer)) }
    return [
      blankets.day.map { phrases.onlyByDay($0.words(localizer)) },
      blankets.night.map { phrases.onlyAtNight($0.words(localizer)) },
    ].compactMap(\.self).joined(separator: "; ")
  }
}
