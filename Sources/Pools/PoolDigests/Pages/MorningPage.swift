import FlowModel
package import FlowNotices
import PoolChemistry
import PoolModel

extension MorningDigest {
  /// The page: lateness and changes, a sheet for each technician's day, and a sheet for the office.
  ///
  /// - Parameter access: gate codes and contact data of the stops; pass them only for a page of a sensitive sink.
  package func document(access: [PoolAccess] = []) -> Document {
    let localizer = speaks.localizer
    let phrases = localizer.phrases
    var blocks: [Document.Block] = []
    if let late { blocks.append(.paragraph(.init(late.words(in: localizer.language), .warning))) }
    blocks += changeBlocks(localizer)
    let secrets = Dictionary(access.map { ($0.poolID.description, $0) }, uniquingKeysWith: { first, _ in first })
    let rest = stockBlocks(localizer) + waterBlocks(localizer)
    for section in sections {
      blocks.append(.sheet(self.blocks(of: section, localizer, secrets) + (technician == nil ? [] : rest)))
    }
    if technician == nil, !rest.isEmpty { blocks.append(.sheet([.heading(phrases.officeTitle(), level: 2)] + rest)) }
    let name = isPreview == true ? phrases.tomorrowTitle() : phrases.routeTitle()
    let title = "\(name) · \(team) · \(localizer.dateFormats.day(civilDate))"
    return Document(
      language: speaks.language.rawValue, title: title, blocks: blocks, footer: footer(localizer),
      paper: localizer.paper)
  }

  private func changeBlocks(_ localizer: Localizer) -> [Document.Block] {
    guard let changes, let since = CivilDate(changes.since) else { return [] }
    let phrases = localizer.phrases
    let day = localizer.dateFormats.shortDay(since)
    guard !changes.changes.isEmpty else { return [.paragraph(.init(phrases.noChanges(day), .muted))] }
    return [
      .heading(phrases.changesTitle(day), level: 2), .list(changes.changes.map { .init(words(of: $0, localizer)) }),
    ]
  }

  private func words(of change: RouteChanges.Change, _ localizer: Localizer) -> String {
    let phrases = localizer.phrases
    switch change.kind {
    case .added: return phrases.added(change.customer)
    case .movedToDay: return phrases.movedToDay(change.customer, change.day.map(localizer.dateFormats.weekday) ?? "")
    case .movedToTechnician:
      return phrases.movedToTechnician(change.customer, change.fromTechnician ?? "", change.technician)
    case .removed: return phrases.removed(change.customer)
    case .reordered:
      return phrases.reordered(change.customer, String(change.place ?? 0), String(change.placeBefore ?? 0))
    }
  }

  // MARK: A technician's day

  private func blocks(
    of section: Section, _ localizer: Localizer, _ secrets: [String: PoolAccess]
  ) -> [Document.Block] {
    let phrases = localizer.phrases
    var blocks: [Document.Block] = [.heading(section.technician, level: 2)]
    if section.isAway == true {
      let stops = localizer.say(phrases.stops, section.stops.count)
      blocks.append(.paragraph(.init(phrases.uncovered(section.technician, stops), .warning)))
    } else {
      blocks.append(.paragraph(.init(summary(of: section, localizer))))
      let late = section.stops.count { ($0.etaDays ?? 0) > 0 }
      if late > 0 { blocks.append(.paragraph(.init(localizer.say(phrases.afterMidnight, late), .warning))) }
      if let better = words(of: section.better, of: section.technician, localizer) {
        blocks.append(.paragraph(.init(better, .muted)))
      }
    }
    if let map = map(of: section, localizer) {
      blocks.append(
        .drawing(
          Document.Drawing(
            width: map.width, height: map.height, title: map.title, description: map.description, shapes: map.drawing)))
    }
    let names = section.namesInLoad
    let attention = section.attention
    if !attention.isEmpty {
      var overview: [Document.Block] = [.heading(phrases.attentionTitle(), level: 3)]
      overview.append(
        .list(
          attention.prefix(Limits.attentionStopsListed).map { stop in
            .init(
              "\(stop.order). \(stop.customer): "
                + stop.attention.map { words(of: $0, names, localizer) }.joined(separator: " "), .warning)
          }))
      // All other warnings are shown at their stops.
      let rest = attention.count - Limits.attentionStopsListed
      if rest > 0 { overview.append(.paragraph(.init(localizer.say(localizer.more, rest), .muted))) }
      blocks.append(.overview(overview))
    }
    if section.isAway != true {
      blocks.append(.heading(phrases.loadTitle(), level: 3))
      blocks += Self.loadBlocks(section.load, localizer, isNumbered: true)
    }
    blocks.append(.heading(phrases.stopsTitle(), level: 3))
    blocks.append(
      .appointments(
        section.stops.map { entry(of: $0, names, localizer, secrets[$0.poolID]) },
        blanks: section.stops.contains { $0.volumeGallons != nil } ? WaterParameter.allCases.map(localizer.name) : []))
    return blocks
  }

  /// The map of a section; nil if none of its stops has coordinates.
  package func map(of section: Section, _ localizer: Localizer) -> PinMap? {
    let located = section.stops.compactMap { stop in
      stop.latitude.flatMap { latitude in
        stop.longitude.map {
          PinMap.Place(
            number: stop.order, latitude: latitude, longitude: $0, needsAttention: !stop.attention.isEmpty)
        }
      }
    }
    return PinMap(
      located, units: localizer.units, title: localizer.say(localizer.phrases.mapTitle, located.count),
      description: localizer.phrases.mapDescription())
  }

  /// One line about a day: number of stops, first arrival, end, distance, and stops that need attention.
  private func summary(of section: Section, _ localizer: Localizer) -> String {
    let phrases = localizer.phrases
    let first = section.stops.first.map { localizer.time($0.eta, daysLater: $0.etaDays, than: civilDate) } ?? ""
    let done = localizer.time(section.done, daysLater: section.doneDays, than: civilDate)
    let located = section.stops.count { $0.latitude != nil }
    let count = section.stops.count
    let day =
      located > 1
      ? localizer.say(phrases.daySummary, count, first, done, localizer.format.distance(miles: section.miles))
      : localizer.say(phrases.daySummaryUnlocated, count, first, done)
    let attention = section.attention.count
    return attention == 0 ? day : day + " " + localizer.say(phrases.needAttention, attention)
  }

  private func words(of attention: Attention, _ names: [ChemicalType: String], _ localizer: Localizer) -> String {
    let phrases = localizer.phrases
    let date = attention.date.flatMap { CivilDate($0) }.map(localizer.dateFormats.date) ?? ""
    switch attention.kind {
    case .waterCrossed:
      return phrases.waterCrossed(
        attention.before.map(localizer.condition) ?? "", attention.after.map(localizer.condition) ?? "",
        localizer.index(attention.lsi ?? 0))
    case .stale: return localizer.say(phrases.daysSinceVisit, attention.days ?? 0)
    case .neverVisited: return phrases.neverVisited()
    case .waterOff:
      return localizer.words(of: attention.doses ?? [], isToDrain: attention.drain == true, names: names)
    case .readingsOld:
      return attention.days.map { localizer.say(phrases.readingsOld, $0) } ?? phrases.pHNotMeasured()
    case .serviceOverdue: return phrases.serviceOverdue(attention.name ?? "", date)
    case .warrantyEnded: return phrases.warrantyEnded(attention.name ?? "", date)
    case .noCoordinates: return phrases.noCoordinates()
    case .outsideWindow: return phrases.outsideWindow()
    }
  }

  /// The customer's arrival window as text; nil for none.
  private func window(of stop: StopLine, _ localizer: Localizer) -> String? {
    func time(_ text: String?) -> String? { text.flatMap { TimeOfDay($0) }.map(localizer.format.time) }
    return switch (time(stop.opens), time(stop.closes)) {
    case (let opens?, let closes?): localizer.phrases.arriveBetween(opens, closes)
    case (let opens?, nil): localizer.phrases.arriveAfter(opens)
    case (nil, let closes?): localizer.phrases.arriveBefore(closes)
    case (nil, nil): nil
    }
  }

  /// A stop as an appointment of the page.
  ///
  /// - Parameter access: its gate code and contact data; nil to leave them out.
  private func entry(
    of stop: StopLine, _ names: [ChemicalType: String], _ localizer: Localizer, _ access: PoolAccess?
  ) -> Document.Appointment {
    let phrases = localizer.phrases
    var facts: [String] = []
    if let window = window(of: stop, localizer) { facts.append(window) }
    if let volume = stop.volumeGallons, volume > 0 { facts.append(localizer.volume(gallons: volume)) }
    if let lsi = stop.lsi, let water = stop.water {
      facts.append(phrases.lsiWord(localizer.index(lsi), localizer.condition(water)))
    }
    if let days = stop.daysSinceVisit, !stop.attention.contains(where: { $0.kind == .stale }) {
      facts.append(days == 0 ? phrases.visitedToday() : localizer.say(phrases.daysSinceVisit, days))
    }
    if let readings = stop.readings {
      facts.append(localizer.words(of: readings, sinceVisit: stop.daysSinceVisit))
    } else if stop.volumeGallons != nil {
      facts.append(phrases.noReadings())
    }
    if let usual = stop.usual {
      facts.append(phrases.usuallyPoured(usual.map { localizer.words(of: $0) }.joined(separator: ", ")))
    }
    facts += stop.asides.map { words(of: $0, names, localizer) }
    return Document.Appointment(
      number: stop.order, time: localizer.time(stop.eta, daysLater: stop.etaDays, than: civilDate), name: stop.customer,
      address: stop.address,
      // Sentences separated by dots need no full stops.
      facts: facts.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }.joined(separator: " · "),
      warnings: stop.attention.map { words(of: $0, names, localizer) }, maps: MapLinks(to: stop, phrases).links,
      secrets: access.map { secrets(of: $0, localizer) } ?? [])
  }

  private func secrets(of access: PoolAccess, _ localizer: Localizer) -> [Document.Labelled] {
    let phrases = localizer.phrases
    let emailLabel = localizer.language.commonPhrases.emailLabel()
    return [
      (phrases.gateLabel(), access.gate, nil), (phrases.contactLabel(), access.contact, nil),
      (phrases.phoneLabel(), access.phone, telephoneLink(access.phone)), (emailLabel, access.email, nil),
      (phrases.notesTitle(), access.notes, nil),
    ].filter { !$0.1.isEmpty }.map { .init($0.0, $0.1, link: $0.2) }
  }

  /// The load as a table.
  ///
  /// - Parameter isNumbered: whether lines have numbers, to which the stops refer.
  static func loadBlocks(_ load: [LoadLine], _ localizer: Localizer, isNumbered: Bool = false) -> [Document.Block] {
    let phrases = localizer.phrases
    guard !load.isEmpty else { return [.paragraph(.init(phrases.nothingToLoad(), .muted))] }
    func text(_ ounces: Double, _ line: LoadLine) -> String {
      localizer.quantity(
        ounces: ounces, of: line.type, isDry: line.isDry == true, besides: max(line.neededOz, line.truckOz))
    }
    func amount(_ ounces: Double, _ line: LoadLine) -> Document.Cell {
      Document.Cell(text(ounces, line), isNumber: true)
    }
    return [
      .table(
        header: [
          .init(phrases.chemicalColumn()), .init(phrases.neededColumn(), isNumber: true),
          .init(phrases.truckColumn(), isNumber: true), .init(phrases.takeColumn(), isNumber: true),
        ],
        rows: load.enumerated().map { index, line in
          let name = (isNumbered ? "\(index + 1). " : "") + (line.name ?? localizer.chemical(line.type) ?? "")
          let short = phrases.storeShort(text(line.shortOz, line))
          let note: Document.Line? =
            line.shortOz > 0
            ? .init(line.shortFor.map { short + " " + phrases.missingAt(localizer.shortList($0)) } ?? short, .warning)
            : nil
          return [
            .init(line.isUsual == true ? phrases.usual(name) : name, note: note),
            amount(line.neededOz, line),
            amount(line.truckOz, line),
            line.takeOz > 0 && line.truckOz > 0
              ? .init(
                localizer.missing(
                  line.neededOz, from: line.truckOz, of: line.type, isDry: line.isDry == true,
                  besides: max(line.neededOz, line.truckOz)), isNumber: true)
              : amount(line.takeOz, line),
          ]
        })
    ]
  }

  // MARK: Stock, water and footer

  /// The largest amount of the chemical in any load of the page, so that low stock uses the same unit as the load.
  private func largestLoad(of line: LowStockLine) -> Double {
    sections.flatMap(\.load).filter { $0.type.rawValue == line.type }.map { max($0.neededOz, $0.truckOz) }.max() ?? 0
  }

  private func stockBlocks(_ localizer: Localizer) -> [Document.Block] {
    guard !lowStock.isEmpty else { return [] }
    return [
      .heading(localizer.phrases.lowStockTitle(), level: 3),
      .list(
        lowStock.map {
          .init($0.words(localizer, besides: largestLoad(of: $0)), $0.stockOz < $0.thresholdOz ? .warning : .plain)
        }),
    ]
  }

  private func waterBlocks(_ localizer: Localizer) -> [Document.Block] {
    guard let waterChanges else { return [] }
    let phrases = localizer.phrases
    return [
      .heading(phrases.waterTitle(), level: 3),
      .list(
        waterChanges.map {
          .init(
            phrases.waterLine(
              $0.customer, localizer.condition($0.before), localizer.condition($0.after), localizer.index($0.lsi)))
        }),
    ]
  }

  private func footer(_ localizer: Localizer) -> [String] {
    let phrases = localizer.phrases
    var lines: [String] = []
    if let local = dataAsOf.flatMap({ LocalDateTime(minuteText: $0) }) {
      lines.append(phrases.dataAsOf(localizer.format.moment(local)))
    }
    if let first = sections.first?.stops.first.flatMap({ TimeOfDay($0.eta) }) {
      let isPlanned = sections.allSatisfy(\.isPlanned)
      let sentence = isPlanned ? phrases.plannedEstimate : phrases.estimate
      lines.append(
        sentence(
          localizer.format.speed(milesPerHour: 28), String(stopMinutes ?? TeamSettings.usualStopMinutes),
          localizer.format.time(first)))
    }
    lines.append(run.map { phrases.run($0) } ?? phrases.preview())
    return lines
  }
}

extension MorningDigest.Section {
  /// The stock's name for each chemical type in the load.
  fileprivate var namesInLoad: [ChemicalType: String] {
    var names: [ChemicalType: String] = [:]
    for line in load { names[line.type] = line.name }
    return names
  }
}

extension MorningDigest.LowStockLine {
  /// `Muriatic Acid: 96 oz left, threshold 160 oz`, and how long it lasts.
  ///
  /// - Parameter largest: the largest amount of the same chemical shown next to it, which determines the unit.
  func words(_ localizer: Localizer, besides largest: Double = 0) -> String {
    let phrases = localizer.phrases
    let largest = max(largest, stockOz, thresholdOz, tomorrowOz ?? 0)
    func amount(_ ounces: Double) -> String {
      localizer.stock(ounces: ounces, of: ChemicalType(rawValue: type), isDry: isDry == true, besides: largest)
    }
    var text = phrases.lowLine(name, amount(stockOz), amount(thresholdOz))
    var rest: [String] = []
    if let daysLeft { rest.append(daysLeft > 0 ? localizer.say(phrases.lasts, daysLeft) : phrases.lastsNoDay()) }
    if let tomorrowOz {
      let need = amount(tomorrowOz)
      let day = needsOn.flatMap { CivilDate($0) }.map { localizer.dateFormats.weekday($0.weekday) }
      let missing =
        tomorrowOz > stockOz
        ? localizer.missing(
          tomorrowOz, from: stockOz, of: ChemicalType(rawValue: type), isDry: isDry == true, besides: largest) : nil
      let sentence =
        switch (day, missing) {
        case (let day?, let missing?): phrases.dayShort(day, need, missing)
        case (let day?, nil): phrases.dayNeeds(day, need)
        case (nil, let missing?): phrases.tomorrowShort(need, missing)
        case (nil, nil): phrases.tomorrowNeeds(need)
        }
      rest.append(sentence)
      if let shortFor { rest.append(phrases.missingAt(localizer.shortList(shortFor))) }
    }
    if !rest.isEmpty { text += ". " + rest.joined(separator: " ") }
    return text
  }
}

/// A `tel:` URI (RFC 3966) for a typed phone number: `tel:+14805550117` for `+1 (480) 555-0117`. Text after the first number
/// is ignored. Nil if the number cannot be dialled completely, such as `1-800-FLOWERS`, or has more than the fifteen digits
/// of E.164.
package func telephoneLink(_ text: String) -> String? {
  func isDigit(_ letter: Character) -> Bool { ("0"..."9").contains(letter) }
  guard let first = text.firstIndex(where: { $0 == "+" || isDigit($0) }) else { return nil }
  let number = text[first...].prefix { isDigit($0) || " \u{A0}+-.()/".contains($0) }
  // A letter directly after a digit or hyphen belongs to the number.
  if let next = text[number.endIndex...].first, next.isLetter, let last = number.last, isDigit(last) || last == "-" {
    return nil
  }
  let digits = number.filter(isDigit)
  guard (6...15).contains(digits.count), !number.dropFirst().contains("+") else { return nil }
  return "tel:" + (number.first == "+" ? "+" : "") + digits
}
