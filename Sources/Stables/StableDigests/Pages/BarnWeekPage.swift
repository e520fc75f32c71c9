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
            return .init("\(day(line.date)): \(phrases.missedLine(line.horse, slots))", .warning)
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

  /// The table of costs, with a column for each type that has a cost; totals are last.
  private func table(of localizer: BarnLocalizer) -> Document.Block {
    func cell(_ cost: String?) -> Document.Cell { .init(cost.map { money($0, localizer) } ?? "–", isNumber: true) }
    let columns = types.map(\.type)
    let header =
      [Document.Cell(localizer.phrases.horse())]
      + (columns.map { localizer.type($0) } + [localizer.phrases.total()]).map { Document.Cell($0, isNumber: true) }
    let rows = costs.map { line in
      let byType = Dictionary(line.types.map { ($0.type, $0.cost) }, uniquingKeysWith: { first, _ in first })
      return [Document.Cell(line.horse)] + columns.map { cell(byType[$0]) } + [cell(line.total)]
    }
    let last = [Document.Cell(localizer.phrases.total())] + types.map { cell($0.cost) } + [cell(total)]
    return .table(header: header, rows: rows + [last])
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
