import FlowModel
package import FlowNotices
import StableModel

extension BarnWeek {
  /// The page of the weekly digest: missed feeds, the cost of care by horse, and care to come.
  package var document: Document {
    let localizer = speaks.localizer
    let phrases = localizer.phrases
    let dateFormats = localizer.format.dateFormats
    func day(_ text: String) -> String { CivilDate(text).map { dateFormats.shortDay($0) } ?? text }
    var blocks: [Document.Block] = []
    if let late { blocks.append(.paragraph(.init(late.words(in: localizer.language), .warning))) }
    blocks.append(.heading(phrases.missedThisWeek(), level: 2))
    blocks.append(
      missed.isEmpty
        ? .paragraph(.init(phrases.nothingMissedThisWeek(), .muted))
        : .list(
          missed.map { line in
            let slots = BarnDigest.MissedLine(horse: line.horse, am: line.am, pm: line.pm).slots(localizer)
            let missed = phrases.missedLine(line.horse, slots)
            return .init("\(day(line.date))\(localizer.language.colon) \(missed)", .warning)
          }))
    blocks.append(.heading(phrases.careDone(), level: 2))
    blocks.append(costs.isEmpty ? .paragraph(.init(phrases.noCareDone(), .muted)) : table(of: localizer))
    blocks.append(.heading(phrases.careAhead(), level: 2))
    blocks.append(
      care.isEmpty ? .paragraph(.init(phrases.noCareAhead(), .muted)) : .list(care.map { $0.line(localizer) }))
    return Document(
      language: localizer.language.rawValue, title: "\(phrases.weekTitle()) · \(team) · \(day(from)) – \(day(to))",
      blocks: blocks, footer: [""], paper: localizer.paper)
  }

  /// The table of costs, with the types of care below each name; totals are last. Two columns fit a phone.
  private func table(of localizer: BarnLocalizer) -> Document.Block {
    func row(_ name: String, _ types: [CostLine], _ total: String) -> [Document.Cell] {
      let note = types.map { line in
        types.count == 1 ? localizer.type(line.type) : "\(localizer.type(line.type)) \(money(line.cost, localizer))"
      }
      return [
        .init(name, note: .init(note.joined(separator: ", "), .muted)), .init(money(total, localizer), isNumber: true),
      ]
    }
    return .table(
      header: [.init(localizer.phrases.horse()), .init(localizer.phrases.cost(), isNumber: true)],
      rows: costs.map { row($0.horse, $0.types, $0.total) } + [row(localizer.phrases.total(), types, total)])
  }

  /// Formats an exact amount as money. A sum may exceed the maximum of a single cost.
  private func money(_ text: String, _ localizer: BarnLocalizer) -> String {
    let parts = text.split(separator: ".", maxSplits: 1)
    let decimals = parts.count > 1 ? parts[1].utf8.prefix(4) : ""[...].utf8.prefix(4)
    // The digest may come from a file that is not trusted. A sum of costs has at most twelve digits; other text is
    // shown as it is.
    guard let whole = Int64(parts.first ?? ""), (0...999_999_999_999).contains(whole),
      let rest = Int64(String(Substring(decimals)) + String(repeating: "0", count: 4 - decimals.count)), rest >= 0
    else { return removingInvisible(text) }
    return localizer.money(Cost(tenThousandths: whole * 10_000 + rest))
  }
}
