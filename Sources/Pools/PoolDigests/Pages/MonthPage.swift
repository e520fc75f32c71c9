import FlowModel
package import FlowNotices
import PoolChemistry

extension MonthDigest {
  /// The owner's monthly page.
  package func document() -> Document {
    let localizer = speaks.localizer
    let phrases = localizer.phrases
    let names = Localizer.PeriodNames(
      now: localizer.dateFormats.month(firstDay), before: localizer.dateFormats.month(firstDay.adding(days: -1)))
    let gaps = [
      localizer.gap(missingCoordinates, unlocated, phrases.missingCoordinatesNamed, phrases.missingCoordinates),
      localizer.gap(missingFee, unpriced, phrases.missingFeeNamed, phrases.missingFee),
    ].compactMap(\.self)
    return Document(
      language: speaks.language.rawValue, title: "\(phrases.monthReport()) · \(team)",
      blocks: [.paragraph(.init("\(names.now), \(localizer.say(phrases.visits, visits))"))]
        + localizer.section(phrases.moneyTitle(), [money.totals(localizer)])
        + localizer.section(phrases.visitsTitle(), visitBlocks(localizer, names))
        + localizer.chemicalBlocks(chemicals, names) + localizer.balanceBlocks(balance)
        + localizer.section(phrases.worstTitle(), waterBlocks(localizer, names))
        + chlorineBlocks(localizer)
        + (work.isEmpty ? [] : localizer.section(phrases.workDoneTitle(), workBlocks(localizer)))
        + localizer.section(phrases.profitTitle(), profitBlocks(localizer))
        + (gaps.isEmpty ? [] : localizer.section(phrases.healthTitle(), [.list(gaps)])),
      footer: speaks.isIndexByPH == true ? [phrases.indexByPH()] : [], paper: localizer.paper)
  }

  private func visitBlocks(_ localizer: Localizer, _ names: Localizer.PeriodNames) -> [Document.Block] {
    let phrases = localizer.phrases
    let shown = technicians.prefix(Limits.techniciansPerPage)
    func figures(_ line: TechnicianLine) -> String {
      let visits = localizer.say(phrases.visits, line.visits)
      return line.missed == 0 ? visits : "\(visits) · \(localizer.say(phrases.missed, line.missed))"
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
          + [line.visits, line.visitsBefore, line.missed].map { .init(localizer.numerals.text($0), isNumber: true) }
      })
    var blocks: [Document.Block] = shown.isEmpty ? [localizer.mutedParagraph(phrases.noVisits())] : [.chart(chart)]
    if shown.count < technicians.count {
      blocks.append(localizer.mutedParagraph(localizer.say(localizer.more, technicians.count - shown.count)))
    }
    guard !missed.isEmpty else { return blocks + [localizer.mutedParagraph(phrases.noMissed())] }
    blocks += [
      .heading(phrases.missedTitle(), level: 3),
      .list(
        missed.map { .init(phrases.sectionTitle($0.customer, localizer.say(phrases.missed, $0.missed)), .warning) }),
    ]
    if missed.count < missedPools {
      blocks.append(localizer.mutedParagraph(localizer.say(localizer.more, missedPools - missed.count)))
    }
    return blocks + [localizer.mutedParagraph(phrases.missedNote())]
  }

  /// The work that was done, a line each: `Mar 2 · Garcia · Clean filter`.
  private func workBlocks(_ localizer: Localizer) -> [Document.Block] {
    let lines = work.map { line in
      let day = CivilDate(line.date).map(localizer.dateFormats.shortDay) ?? line.date
      return Document.Line([day, line.customer, line.name].joined(separator: " · "))
    }
    guard work.count < workDone else { return [.list(lines)] }
    return [.list(lines), localizer.mutedParagraph(localizer.say(localizer.more, workDone - work.count))]
  }

  private func waterBlocks(_ localizer: Localizer, _ names: Localizer.PeriodNames) -> [Document.Block] {
    let phrases = localizer.phrases
    guard !worst.isEmpty else {
      return [localizer.mutedParagraph(balance.pools == 0 ? phrases.noReadings() : phrases.waterFine())]
    }
    func last(_ line: WaterLine) -> String { localizer.index(line.points.last?.lsi ?? 0) }
    /// The last index of the previous month; a dash without a visit.
    func before(_ line: WaterLine) -> String {
      line.points.last { $0.date < firstDay.description }.map { localizer.index($0.lsi) } ?? "\u{2014}"
    }
    let chart = Chart(
      .lines, title: phrases.worstTitle(), description: phrases.bandNote(), isDescribed: true,
      panels: worst.map {
        .init($0.customer, value: "LSI \(last($0))", now: $0.points.map(\.lsi), band: localizer.balanceBand)
      }, tableTitle: phrases.figures(),
      header: [.init(phrases.customerColumn()), .init(names.before, isNumber: true), .init(names.now, isNumber: true)],
      rows: worst.map {
        [.init($0.customer), .init(before($0), isNumber: true), .init(last($0), isNumber: true)]
      })
    return [.chart(chart)]
  }

  /// How many pools had too little, enough or too much free chlorine, and those with the least; empty without a reading.
  private func chlorineBlocks(_ localizer: Localizer) -> [Document.Block] {
    guard let chlorine else { return [] }
    let phrases = localizer.phrases
    let summary = [(phrases.low(), chlorine.low), (phrases.ideal(), chlorine.ideal), (phrases.high(), chlorine.high)]
      .map { word, count in
        phrases.sectionTitle(word.prefix(1).uppercased() + word.dropFirst(), localizer.numerals.text(count))
      }
      .joined(separator: " · ")
    let lines = chlorine.lowest.map { line in
      Document.Line(
        phrases.sectionTitle(line.customer, localizer.numerals.text(line.ppm, places: 1) + "\u{A0}ppm"), .warning)
    }
    return localizer.section(
      phrases.freeChlorine(), [.paragraph(.init(summary))] + (lines.isEmpty ? [] : [.list(lines)]))
  }

  private func profitBlocks(_ localizer: Localizer) -> [Document.Block] {
    let phrases = localizer.phrases
    let note = phrases.loserNote(localizer.numerals.percent(PoolProfit.loserShare))
    let chart = Chart(
      .bars, title: phrases.profitTitle(), description: note,
      panels: profits.map {
        .init(
          localizer.marked($0.customer, $0.isMarked), value: localizer.format.money($0.shownProfit), now: [$0.profit],
          warned: $0.isMarked ? [0] : [])
      }, tableTitle: phrases.figures(),
      header: [.init(phrases.customerColumn())]
        + [phrases.feeColumn(), phrases.spend(), phrases.profit()].map { .init($0, isNumber: true) },
      rows: profits.map { line in
        [.init(localizer.marked(line.customer, line.isMarked))]
          + [line.fee, line.chemicals, line.shownProfit].map { .init(localizer.format.money($0), isNumber: true) }
      })
    var blocks: [Document.Block] = money.losers.isEmpty ? [localizer.mutedParagraph(phrases.noLosers())] : []
    if !profits.isEmpty { blocks.append(.chart(chart)) }
    if profits.count < pools {
      blocks.append(localizer.mutedParagraph(localizer.say(localizer.more, pools - profits.count)))
    }
    return profits.contains(where: \.isMarked) ? blocks + [localizer.mutedParagraph(note)] : blocks
  }
}

extension Localizer {
  /// The range in which water is balanced.
  var balanceBand: Chart.Band {
    let limit = WaterCondition.limit
    return Chart.Band(-limit...limit, low: numerals.signed(-limit, places: 1), high: numerals.signed(limit, places: 1))
  }
}

extension MonthDigest.ProfitLine {
  /// The fee minus the chemicals, computed from the displayed amounts.
  fileprivate var shownProfit: Double { roundedDifference(fee, chemicals, places: 2) }
}
