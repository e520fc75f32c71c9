import PoolChemistry
import PoolModel
package import PoolNotices

extension MonthDigest {
  /// The owner's monthly page.
  package func document() -> Document {
    let speech = speaks.speech
    let phrases = speech.phrases
    let names = Speech.PeriodNames(
      now: speech.almanac.month(firstDay), before: speech.almanac.month(firstDay.adding(days: -1)))
    let gaps = [
      speech.gap(missingCoordinates, unlocated, phrases.missingCoordinatesNamed, phrases.missingCoordinates),
      speech.gap(missingFee, unpriced, phrases.missingFeeNamed, phrases.missingFee),
    ].compactMap(\.self)
    return Document(
      language: speaks.language.rawValue, title: "\(phrases.monthReport()) · \(team)",
      blocks: [.paragraph(.init("\(names.now), \(speech.say(phrases.visits, visits))"))]
        + speech.section(phrases.moneyTitle(), [money.totals(speech)])
        + speech.section(phrases.visitsTitle(), visitBlocks(speech, names))
        + speech.chemicalBlocks(chemicals, names) + speech.balanceBlocks(balance)
        + speech.section(phrases.worstTitle(), waterBlocks(speech, names))
        + speech.section(phrases.profitTitle(), profitBlocks(speech))
        + (gaps.isEmpty ? [] : speech.section(phrases.healthTitle(), [.list(gaps)])),
      footer: [], paper: speech.paper)
  }

  private func visitBlocks(_ speech: Speech, _ names: Speech.PeriodNames) -> [Document.Block] {
    let phrases = speech.phrases
    let shown = technicians.prefix(Limits.techniciansOfPage)
    func figures(_ line: TechnicianLine) -> String {
      let visits = speech.say(phrases.visits, line.visits)
      return line.missed == 0 ? visits : "\(visits) · \(speech.say(phrases.missed, line.missed))"
    }
    let chart = Chart(
      .bars, title: phrases.visitsTitle(), description: phrases.filledOutlined(names.now, names.before),
      panels: shown.map {
        .init($0.technician, value: figures($0), now: [Double($0.visits)], before: [Double($0.visitsBefore)])
      }, legend: names.legend, tableTitle: phrases.figures(),
      header: [
        .init(phrases.technicianColumn()), .init(names.now, isNumber: true), .init(names.before, isNumber: true),
        .init(phrases.missedColumn(), isNumber: true),
      ],
      rows: shown.map { line in
        [.init(line.technician)]
          + [line.visits, line.visitsBefore, line.missed].map { .init(speech.numerals.text($0), isNumber: true) }
      })
    var blocks: [Document.Block] = shown.isEmpty ? [speech.quiet(phrases.noVisits())] : [.chart(chart)]
    if shown.count < technicians.count {
      blocks.append(speech.quiet(speech.say(phrases.more, technicians.count - shown.count)))
    }
    guard !missed.isEmpty else { return blocks + [speech.quiet(phrases.noMissed())] }
    blocks += [
      .heading(phrases.missedTitle(), level: 3),
      .list(
        missed.map { .init(phrases.sectionTitle($0.customer, speech.say(phrases.missed, $0.missed)), .warning) }),
    ]
    if missed.count < missedPools {
      blocks.append(speech.quiet(speech.say(phrases.more, missedPools - missed.count)))
    }
    return blocks + [speech.quiet(phrases.missedNote())]
  }

  private func waterBlocks(_ speech: Speech, _ names: Speech.PeriodNames) -> [Document.Block] {
    let phrases = speech.phrases
    guard !worst.isEmpty else {
      return [speech.quiet(balance.pools == 0 ? phrases.noReadings() : phrases.waterFine())]
    }
    func last(_ line: WaterLine) -> String { speech.index(line.points.last?.lsi ?? 0) }
    /// The last index of the previous month; a dash without a visit.
    func before(_ line: WaterLine) -> String {
      line.points.last { $0.date < firstDay.description }.map { speech.index($0.lsi) } ?? "\u{2014}"
    }
    let chart = Chart(
      .lines, title: phrases.worstTitle(), description: phrases.bandNote(), isDescribed: true,
      panels: worst.map {
        .init($0.customer, value: "LSI \(last($0))", now: $0.points.map(\.lsi), band: speech.balanceBand)
      }, tableTitle: phrases.figures(),
      header: [.init(phrases.customerColumn()), .init(names.before, isNumber: true), .init(names.now, isNumber: true)],
      rows: worst.map {
        [.init($0.customer), .init(before($0), isNumber: true), .init(last($0), isNumber: true)]
      })
    return [.chart(chart)]
  }

  private func profitBlocks(_ speech: Speech) -> [Document.Block] {
    let phrases = speech.phrases
    let note = phrases.loserNote(speech.numerals.percent(PoolProfit.loserShare))
    let chart = Chart(
      .bars, title: phrases.profitTitle(), description: note,
      panels: profits.map {
        .init(
          speech.marked($0.customer, $0.isMarked), value: speech.format.money($0.shownProfit), now: [$0.profit],
          warned: $0.isMarked ? [0] : [])
      }, tableTitle: phrases.figures(),
      header: [.init(phrases.customerColumn())]
        + [phrases.feeColumn(), phrases.spend(), phrases.profit()].map { .init($0, isNumber: true) },
      rows: profits.map { line in
        [.init(speech.marked(line.customer, line.isMarked))]
          + [line.fee, line.chemicals, line.shownProfit].map { .init(speech.format.money($0), isNumber: true) }
      })
    var blocks: [Document.Block] = money.losers.isEmpty ? [speech.quiet(phrases.noLosers())] : []
    if !profits.isEmpty { blocks.append(.chart(chart)) }
    if profits.count < pools { blocks.append(speech.quiet(speech.say(phrases.more, pools - profits.count))) }
    return profits.contains(where: \.isMarked) ? blocks + [speech.quiet(note)] : blocks
  }
}

extension Speech {
  /// The range in which water is balanced.
  var balanceBand: Chart.Band {
    let limit = WaterCondition.limit
    return Chart.Band(-limit...limit, low: numerals.signed(-limit, places: 1), high: numerals.signed(limit, places: 1))
  }
}

extension MonthDigest.ProfitLine {
  /// The fee minus the chemicals, computed from the displayed amounts.
  fileprivate var shownProfit: Double { shownDifference(fee, chemicals, places: 2) }
}
