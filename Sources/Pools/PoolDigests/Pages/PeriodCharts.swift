import FlowModel
import FlowNotices
import PoolChemistry

// Sections shared by the weekly and the monthly page: a heading and a chart with its table, or a sentence if there is no
// data.
extension Localizer {
  /// The names of the two compared periods.
  struct PeriodNames {
    let now: String
    let before: String

    var legend: Chart.Legend { Chart.Legend(now: now, before: before) }
  }

  /// A section with a heading of level 2.
  func section(_ title: String, _ blocks: [Document.Block]) -> [Document.Block] {
    [.heading(title, level: 2)] + blocks
  }

  /// A paragraph in muted text.
  func mutedParagraph(_ sentence: String) -> Document.Block { .paragraph(.init(sentence, .muted)) }

  /// The section on chemicals by type, compared with the previous period.
  func chemicalBlocks(_ lines: [ChemicalLine], _ names: PeriodNames) -> [Document.Block] {
    guard !lines.isEmpty else { return section(phrases.chemicalsTitle(), [mutedParagraph(phrases.noChemicals())]) }
    func name(_ line: ChemicalLine) -> String {
      let name = line.type.flatMap(chemical) ?? phrases.otherChemicals()
      return line.isDry == true ? phrases.dryChemical(name) : name
    }
    func figures(_ ounces: Double, _ cost: Double, _ line: ChemicalLine) -> String {
      let amount = quantity(
        ounces: ounces, of: line.type ?? .base, isDry: line.isDry == true, besides: max(line.ounces, line.ouncesBefore))
      return ounces > 0 || cost > 0 ? "\(amount) · \(format.money(cost))" : amount
    }
    let chart = Chart(
      .bars, title: phrases.chemicalsTitle(), description: phrases.filledOutlined(names.now, names.before),
      panels: lines.map {
        .init(name($0), value: figures($0.ounces, $0.cost, $0), now: [$0.cost], before: [$0.costBefore])
      }, legend: names.legend, tableTitle: phrases.figures(),
      header: [.init(phrases.chemicalColumn()), .init(names.now, isNumber: true), .init(names.before, isNumber: true)],
      rows: lines.map {
        [
          .init(name($0)), .init(figures($0.ounces, $0.cost, $0), isNumber: true),
          .init(figures($0.ouncesBefore, $0.costBefore, $0), isNumber: true),
        ]
      })
    return section(phrases.chemicalsTitle(), [.chart(chart)])
  }

  /// The section on the distribution of pools by water balance.
  func balanceBlocks(_ spread: BalanceSpread) -> [Document.Block] {
    guard spread.pools > 0 else { return section(phrases.balanceTitle(), [mutedParagraph(phrases.noVisits())]) }
    let summary = [
      (WaterCondition.corrosive, spread.corrosive), (.balanced, spread.balanced), (.scaleForming, spread.scaleForming),
    ].map { phrases.sectionTitle(condition($0), numerals.text($1)) }.joined(separator: " · ")
    let most = spread.bins.map(\.pools).max() ?? 0
    let chart = Chart(
      .columns, title: phrases.balanceTitle(), description: summary,
      panels: [
        .init(
          phrases.saturationIndex(), value: "", now: spread.bins.map { Double($0.pools) },
          marks: spread.bins.map { $0.pools > 0 || most == 0 ? numerals.text($0.pools) : "" },
          warned: Set(spread.bins.indices.filter { !spread.bins[$0].isBalanced }))
      ], ticks: spread.bins.map { middle(of: $0) }, tableTitle: phrases.figures(),
      header: [
        .init(phrases.saturationIndex()), .init(phrases.statusColumn()), .init(phrases.poolsColumn(), isNumber: true),
      ],
      rows: spread.bins.map {
        [.init(range(of: $0)), .init(condition($0.condition)), .init(numerals.text($0.pools), isNumber: true)]
      })
    return section(phrases.balanceTitle(), [.paragraph(.init(summary)), .chart(chart)])
  }

  /// Adds a warning sign to a name, because colour alone is not enough.
  func marked(_ name: String, _ isMarked: Bool) -> String { isMarked ? "▲ " + name : name }

  /// The middle of a bin's range; for an open range the range itself.
  private func middle(of bin: BalanceSpread.Bin) -> String {
    guard let low = bin.low, let high = bin.high else { return range(of: bin) }
    return numerals.text((low + high) / 2, places: 1)
  }

  /// The range of a bin: `-0.5 – -0.3`, `< -0.7`, `> 0.7`.
  private func range(of bin: BalanceSpread.Bin) -> String {
    func text(_ value: Double) -> String { numerals.signed(value, places: 1) }
    return switch (bin.low, bin.high) {
    case (let low?, let high?): "\(text(low)) – \(text(high))"
    case (nil, let high?): "< \(text(high))"
    case (let low?, nil): "> \(text(low))"
    case (nil, nil): ""
    }
  }

  /// `2 pools have no coordinates: Nora Quill, Steve Baird`; only the count for a digest from an older version, which has no
  /// names.
  func gap(_ count: Int, _ names: [String]?, _ named: PluralSentence, _ unnamed: PluralSentence) -> Document.Line? {
    guard count > 0 else { return nil }
    guard let names, !names.isEmpty else { return .init(say(unnamed, count), .warning) }
    var list = names.joined(separator: ", ")
    if count > names.count { list += " " + say(more, count - names.count) }
    return .init(say(named, count, list), .warning)
  }
}

extension BalanceSpread.Bin {
  /// The condition of every index in the bin.
  fileprivate var condition: WaterCondition {
    if let high, high <= -WaterCondition.limit { return .corrosive }
    if let low, low >= WaterCondition.limit { return .scaleForming }
    return .balanced
  }

  fileprivate var isBalanced: Bool { condition == .balanced }
}
