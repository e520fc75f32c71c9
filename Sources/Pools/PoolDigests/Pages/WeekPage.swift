import FlowModel
package import FlowNotices
import PoolChemistry

extension WeekDigest {
  /// The owner's weekly page.
  ///
  /// - Parameter hasMoney: false if people other than the owner may read the page.
  package func document(hasMoney: Bool = true) -> Document {
    let localizer = speaks.localizer
    let phrases = localizer.phrases
    var blocks: [Document.Block] = []
    if let late { blocks.append(.paragraph(.init(late.words(in: localizer.language), .warning))) }
    blocks.append(.paragraph(.init(phrases.weekEnding(localizer.dateFormats.date(civilDate)))))
    blocks.append(.paragraph(.init(localizer.say(phrases.activePools, pools))))
    if hasMoney {
      blocks += [.heading(phrases.moneyTitle(), level: 2)]
      blocks += money?.blocks(localizer) ?? [.paragraph(.init(phrases.noProfitOnPlan(), .muted))]
    }
    let names = Localizer.PeriodNames(now: phrases.thisWeek(), before: phrases.weekBefore())
    if let technicians, !technicians.isEmpty {
      blocks += localizer.section(phrases.visitsByDayTitle(), [.chart(chart(of: technicians, localizer, names))])
    }
    if hasMoney, let chemicals { blocks += localizer.chemicalBlocks(chemicals, names) }
    if let balance, balance.pools > 0 { blocks += localizer.balanceBlocks(balance) }
    blocks.append(.heading(phrases.healthTitle(), level: 2))
    let health = healthLines(localizer)
    blocks.append(health.isEmpty ? .paragraph(.init(phrases.healthFine(), .muted)) : .list(health))
    blocks.append(.heading(phrases.nextLoadTitle(), level: 2))
    blocks.append(MorningDigest.loadTable(nextWeek, localizer))
    if let daysOff {
      blocks.append(.heading(phrases.closedTitle(), level: 2))
      blocks.append(.list(daysOff.map { .init($0.words(localizer)) }))
    }
    if let changedStops {
      blocks.append(.heading(phrases.stopChangesTitle(), level: 2))
      blocks.append(.list(changedStops.map { .init($0.words(localizer)) }))
    }
    var footer: [String] = []
    if let local = dataAsOf.flatMap({ LocalDateTime(minuteText: $0) }) {
      footer.append(phrases.dataAsOf(localizer.format.moment(local)))
    }
    if speaks.isIndexByPH == true { footer.append(phrases.indexByPH()) }
    footer.append(run.map { phrases.run($0) } ?? phrases.preview())
    return Document(
      language: speaks.language.rawValue, title: "\(phrases.weeklyTitle()) · \(team)", blocks: blocks, footer: footer,
      paper: localizer.paper)
  }
}

extension WeekDigest {
  /// Visits by weekday for each technician, compared with the previous week.
  private func chart(
    of technicians: [TechnicianLine], _ localizer: Localizer, _ names: Localizer.PeriodNames
  ) -> Chart {
    let phrases = localizer.phrases
    let shown = technicians.prefix(Limits.techniciansPerPage)
    let days = shown.first.map { $0.days.compactMap { CivilDate($0.date)?.weekday } } ?? []
    func row(_ name: String, _ counts: [Int]) -> [Document.Cell] {
      [.init(name)] + counts.map { .init(localizer.numerals.text($0), isNumber: true) }
    }
    return Chart(
      .columns, title: phrases.visitsByDayTitle(), description: phrases.filledOutlined(names.now, names.before),
      panels: shown.map { line in
        .init(
          line.technician, value: localizer.say(phrases.visits, line.days.reduce(0) { $0 &+ $1.visits }),
          now: line.days.map { Double($0.visits) }, before: line.days.map { Double($0.before) },
          marks: line.days.map { $0.visits > 0 ? localizer.numerals.text($0.visits) : "" })
      }, ticks: days.map(localizer.dateFormats.shortWeekday), legend: names.legend, tableTitle: phrases.figures(),
      header: [.init(phrases.technicianColumn())]
        + days.map { .init(localizer.dateFormats.shortWeekday($0), isNumber: true) },
      rows: shown.flatMap { [row($0.technician, $0.days.map(\.visits)), row(names.before, $0.days.map(\.before))] })
  }

  /// Warnings about data health; empty if there are none.
  private func healthLines(_ localizer: Localizer) -> [Document.Line] {
    let phrases = localizer.phrases
    return [
      localizer.gap(missingCoordinates, unlocated, phrases.missingCoordinatesNamed, phrases.missingCoordinates),
      localizer.gap(missingFee, unpriced, phrases.missingFeeNamed, phrases.missingFee),
      stale > 0 ? .init(localizer.say(phrases.stalePools, stale), .warning) : nil,
    ].compactMap(\.self)
  }
}

extension WeekDigest.StopLine {
  /// A changed stop as text: `Tue, Mar 3: Steve Baird moved to Wed, Mar 4 (rain)`.
  func words(_ localizer: Localizer) -> String {
    let phrases = localizer.phrases
    func day(_ date: String) -> String { CivilDate(date).map(localizer.dateFormats.shortDay) ?? date }
    let what: String
    switch (to, technician) {
    case (nil, _): what = phrases.stopSkipped(customer)
    case (let to?, let technician) where to != from:
      what = [phrases.stopMovedTo(customer, day(to)), technician].compactMap(\.self).joined(separator: " · ")
    case (_?, let technician): what = phrases.stopCoveredBy(customer, technician ?? "")
    }
    return phrases.sectionTitle(day(from), what) + (reason.isEmpty ? "" : " (\(reason))")
  }
}

extension WeekDigest.DaysOffLine {
  /// A day off as text: `Thu, Dec 24 to Sat, Dec 26: Christmas`.
  func words(_ localizer: Localizer) -> String {
    guard let first = CivilDate(first), let last = CivilDate(last) else { return note }
    let days =
      first == last
      ? localizer.dateFormats.shortDay(first)
      : localizer.phrases.fromDayToDay(localizer.dateFormats.shortDay(first), localizer.dateFormats.shortDay(last))
    let reason = [technician.map { localizer.phrases.away($0) }, note.isEmpty ? nil : note].compactMap(\.self)
    return reason.isEmpty ? days : localizer.phrases.sectionTitle(days, reason.joined(separator: ", "))
  }
}

extension WeekDigest.Money {
  /// A table of revenue, cost, profit and margin.
  func totals(_ localizer: Localizer) -> Document.Block {
    let phrases = localizer.phrases
    var totals = [
      [phrases.revenue(), localizer.format.money(revenue)], [phrases.spend(), localizer.format.money(chemicals)],
      [phrases.profit(), localizer.format.money(roundedDifference(revenue, chemicals, places: 2))],
    ]
    if let margin { totals.append([phrases.margin(), localizer.numerals.percent(margin)]) }
    return .table(header: [], rows: totals.map { [.init($0[0]), .init($0[1], isNumber: true)] })
  }

  /// The totals, and the pools whose chemicals cost too large a part of the fee.
  func blocks(_ localizer: Localizer) -> [Document.Block] {
    let phrases = localizer.phrases
    let share = localizer.numerals.percent(PoolProfit.loserShare)
    var blocks: [Document.Block] = [
      .paragraph(.init(localizer.say(phrases.overDays, periodDays), .muted)), totals(localizer),
      .heading(phrases.losersTitle(share), level: 3),
    ]
    guard !losers.isEmpty else { return blocks + [.paragraph(.init(phrases.noLosers(share), .muted))] }
    blocks.append(
      .list(
        losers.map {
          .init(
            phrases.loserLine(
              $0.customer, localizer.format.money($0.fee), localizer.format.money($0.chemicals),
              localizer.format.money(roundedDifference($0.fee, $0.chemicals, places: 2))),
            .warning)
        }))
    if loserCount > losers.count {
      blocks.append(.paragraph(.init(localizer.say(localizer.more, loserCount - losers.count), .muted)))
    }
    return blocks
  }
}
