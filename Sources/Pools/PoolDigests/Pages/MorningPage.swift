import FlowModel
package import FlowNotices
import PoolChemistry
import PoolModel

extension MorningDigest {
  /// The page: a sheet for each technician's day, and a sheet for the office.
  ///
  /// - Parameters:
  ///   - access: gate codes and contact data of the stops; pass them only for a page of a sensitive sink.
  ///   - hasSentences: false for a page that is only rendered as HTML, which shows readings in cells and not in sentences.
  package func document(access: [PoolAccess] = [], hasSentences: Bool = true) -> Document {
    let localizer = speaks.localizer
    let phrases = localizer.phrases
    var blocks: [Document.Block] = []
    if let late { blocks.append(.paragraph(.init(late.words(in: localizer.language), .warning))) }
    blocks += (weather?.lines(localizer, on: civilDate, of: team) ?? []).map { .paragraph(.init($0, .warning)) }
    blocks += changedRouteBlocks(localizer)
    // A technician's page begins with the day; changes follow the stops.
    if technician == nil { blocks += changeBlocks(localizer) }
    let secrets = Dictionary(access.map { ($0.poolID.description, $0) }, uniquingKeysWith: { first, _ in first })
    let rest = stockBlocks(localizer) + waterBlocks(localizer)
    for section in sections {
      let own = technician == nil ? [] : changeBlocks(localizer) + rest
      blocks.append(.sheet(self.blocks(of: section, localizer, secrets, hasSentences) + own))
    }
    if technician == nil, !rest.isEmpty { blocks.append(.sheet([.heading(phrases.officeTitle(), level: 2)] + rest)) }
    let day = localizer.dateFormats.day(civilDate)
    return Document(
      language: speaks.language.rawValue, title: "\(noticeTitle(phrases)) · \(team) · \(day)",
      heading: day.prefix(1).uppercased() + day.dropFirst(), subject: subject(localizer), blocks: blocks,
      footer: footer(localizer), paper: localizer.paper)
  }

  /// The subject of a mail: `Mon Mar 2: 8 stops from 8:00 AM`; of a changed route after the notice's title.
  func subject(_ localizer: Localizer) -> String {
    let first = sections.flatMap { $0.stops.prefix(1) }.min { ($0.etaDays ?? 0, $0.eta) < ($1.etaDays ?? 0, $1.eta) }
    let day = String(localizer.dateFormats.shortDay(civilDate).unicodeScalars.filter { $0 != "," })
    let time = first.map { localizer.time($0.eta, daysLater: $0.etaDays, than: civilDate) } ?? ""
    let title = changedStops.map { _ in noticeTitle(localizer.phrases) + " · " } ?? ""
    // Without a narrow space the header stays readable as it is sent.
    return replacing(
      "\u{202F}", in: title + localizer.say(localizer.phrases.mailSubject, stopCount, day, time), with: " ")
  }

  /// The changes that the notice of a changed route tells: the first ones, and if not all fit there all of them as a fold.
  private func changedRouteBlocks(_ localizer: Localizer) -> [Document.Block] {
    let (own, tomorrow) = changeLines(localizer)
    let lines = (own + tomorrow).map { Document.Line($0, .warning) }
    let shown = lines.count > Limits.routeChangesShown ? Limits.routeChangesShown - 1 : lines.count
    let blocks = lines.prefix(shown).map { Document.Block.paragraph($0) }
    guard lines.count > shown else { return blocks }
    let title =
      isPreview == true
      ? localizer.say(localizer.phrases.stopsChangedTomorrow, own.count)
      : localizer.say(localizer.phrases.stopsChanged, own.count)
    return blocks + [
      .paragraph(.init(localizer.say(localizer.more, lines.count - shown), .warning)), .fold(title, [.list(lines)]),
    ]
  }

  /// The title of the notice: of a changed route, of tomorrow's or of today's.
  private func noticeTitle(_ phrases: PhraseBook) -> String {
    switch (changedStops != nil, isPreview == true) {
    case (true, true): phrases.routeChangedTomorrowTitle()
    case (true, false): phrases.routeChangedTitle()
    case (false, true): phrases.tomorrowTitle()
    case (false, false): phrases.routeTitle()
    }
  }

  private func changeBlocks(_ localizer: Localizer) -> [Document.Block] {
    guard let changes, let since = CivilDate(changes.since) else { return [] }
    let phrases = localizer.phrases
    let day = localizer.dateFormats.shortDay(since)
    guard !changes.changes.isEmpty else { return [.paragraph(.init(phrases.noChanges(day), .muted))] }
    return [.fold(phrases.changesTitle(day), [.list(changes.changes.map { .init(words(of: $0, localizer)) })])]
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
    of section: Section, _ localizer: Localizer, _ secrets: [String: PoolAccess], _ hasSentences: Bool
  ) -> [Document.Block] {
    let phrases = localizer.phrases
    // With a single section the day's heading is the heading of the section.
    let isAlone = sections.count == 1
    var blocks: [Document.Block] = isAlone ? [] : [.heading(section.technician, level: 2)]
    if section.isAway == true {
      let stops = localizer.say(phrases.stops, section.stops.count)
      blocks.append(.paragraph(.init(phrases.uncovered(section.technician, stops), .warning)))
    } else {
      let summary = dayLine(of: section, localizer)
      blocks.append(.paragraph(.init(isAlone ? "\(section.technician) · \(summary)" : summary)))
      let late = section.stops.count { ($0.etaDays ?? 0) > 0 }
      if late > 0 { blocks.append(.paragraph(.init(localizer.say(phrases.afterMidnight, late), .warning))) }
      if let better = words(of: section.better, of: section.technician, localizer) {
        blocks.append(.paragraph(.init(better, .muted)))
      }
    }
    let cards = CardComposer(self, section, localizer, hasSentences: hasSentences)
    let highlights = cards.highlights
    if !highlights.isEmpty { blocks.append(.highlights(highlights)) }
    blocks += mapBlocks(of: section, localizer)
    if section.isAway != true {
      blocks.append(.heading(phrases.loadTitle(), level: 3))
      blocks += loadBlocks(of: section, localizer)
    }
    blocks.append(.heading(phrases.stopsTitle(), level: 3))
    blocks.append(
      .cards(
        section.stops.map { cards.card(of: $0, secrets[$0.poolID]) },
        blanks: section.stops.contains { $0.volumeGallons != nil } ? blanks(of: section, localizer) : []))
    return blocks
  }

  /// The labels of the fields to write in on a printed page: the app's readings, and the others that some stop has. More than
  /// five fit in two lines only with their short labels.
  private func blanks(of section: Section, _ localizer: Localizer) -> [String] {
    let readings = section.stops.compactMap(\.readings)
    let sanitiser: [WaterParameter] =
      (readings.contains { $0.freeChlorine != nil } ? [.freeChlorine] : [])
      + (readings.contains { $0.salt != nil } ? [.salt] : [])
    return (sanitiser + WaterParameter.app).map { sanitiser.isEmpty ? localizer.name($0) : localizer.label($0) }
  }

  /// The map with links to the whole route, folded; empty if no stop has coordinates.
  private func mapBlocks(of section: Section, _ localizer: Localizer) -> [Document.Block] {
    guard let map = map(of: section, localizer) else { return [] }
    let drawing = Document.Drawing(
      width: map.width, height: map.height, title: map.title, description: map.description, shapes: map.drawing)
    return [
      .fold(
        localizer.phrases.mapFold(), [.links(RouteLinks(section.stops, localizer.phrases).links), .drawing(drawing)])
    ]
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

  /// One line about a day: `8 stops · 8:00 – 11:15 AM · 12.5 mi`, from the first arrival to the end of the last stop.
  func dayLine(of section: Section, _ localizer: Localizer) -> String {
    let day = section.hours(on: civilDate, localizer)
    guard section.stops.count(where: { $0.latitude != nil }) > 1 else { return day }
    return "\(day) · \(unbroken(localizer.format.distance(miles: section.miles)))"
  }

  /// The load as a list with boxes to tick.
  private func loadBlocks(of section: Section, _ localizer: Localizer) -> [Document.Block] {
    let phrases = localizer.phrases
    guard !section.load.isEmpty else { return [.paragraph(.init(phrases.nothingToLoad(), .muted))] }
    return [
      .checklist(
        section.load.map { line in
          let amounts = LoadAmounts(line, localizer)
          let first = line.shortFor.flatMap { short in section.stops.first { short.contains($0.customer) } }
          let note: String? =
            if line.shortOz > 0, line.shortOz == line.takeOz, let first {
              phrases.storeEmpty(String(first.order))
            } else {
              amounts.shortage(localizer)
            }
          let facts = [
            amounts.name.rest, line.isUsual == true ? phrases.usualAmount() : "",
            line.truckOz > 0 ? phrases.loadFacts(amounts.needed, amounts.truck) : "",
          ].filter { !$0.isEmpty }
          return Document.CheckItem(
            amounts.name.short, amount: amounts.take, facts: facts.joined(separator: " · "),
            note: note.map { .init($0, .warning) })
        })
    ]
  }

  /// A load as a table.
  static func loadTable(_ load: [LoadLine], _ localizer: Localizer) -> Document.Block {
    let phrases = localizer.phrases
    guard !load.isEmpty else { return .paragraph(.init(phrases.nothingToLoad(), .muted)) }
    return .table(
      header: [
        .init(phrases.chemicalColumn()), .init(phrases.neededColumn(), isNumber: true),
        .init(phrases.truckColumn(), isNumber: true), .init(phrases.takeColumn(), isNumber: true),
      ],
      rows: load.map { line in
        let amounts = LoadAmounts(line, localizer)
        return [
          .init(amounts.name.whole, note: amounts.shortage(localizer).map { .init($0, .warning) }),
          .init(amounts.needed, isNumber: true), .init(amounts.truck, isNumber: true),
          .init(amounts.take, isNumber: true),
        ]
      })
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
    if let assumed = localizer.assumed(in: self) { lines.append(assumed) }
    if speaks.isIndexByPH == true { lines.append(phrases.indexByPH()) }
    lines.append(run.map { phrases.run($0) } ?? phrases.preview())
    return lines
  }
}

extension MorningDigest.Section {
  /// `8 stops · 8:00 – 11:15 AM`, from the first arrival to the end of the last stop.
  func hours(on date: CivilDate, _ localizer: Localizer) -> String {
    var first = stops.first.map { localizer.time($0.eta, daysLater: $0.etaDays, than: date) } ?? ""
    let done = localizer.time(done, daysLater: doneDays, than: date)
    // `8:00 – 11:15 AM`: the half of the day is named once.
    if let half = first.firstIndex(of: "\u{202F}"), done.hasSuffix(first[half...]) { first = String(first[..<half]) }
    return [localizer.say(localizer.phrases.stops, stops.count), "\(first) – \(done)"].map(unbroken).joined(
      separator: " · ")
  }
}

/// `text` with spaces at which no line breaks.
private func unbroken(_ text: String) -> String { replacing(" ", in: text, with: "\u{A0}") }

/// `text` with each `old` replaced. It compares code points, which is many times faster than comparing characters.
private func replacing(_ old: Unicode.Scalar, in text: String, with new: Unicode.Scalar) -> String {
  var scalars = String.UnicodeScalarView()
  for scalar in text.unicodeScalars { scalars.append(scalar == old ? new : scalar) }
  return String(scalars)
}

/// A stock item's name in two parts: `Muriatic Acid (31.45%)` has the rest `31.45%`.
struct ChemicalName {
  let whole: String
  let short: String
  /// The text in brackets; empty for none.
  let rest: String

  init(_ name: String) {
    whole = name
    guard name.hasSuffix(")"), let bracket = name.firstIndex(of: "("), bracket > name.startIndex else {
      (short, rest) = (name, "")
      return
    }
    let front = name[..<bracket]
    short = String(front.last == " " ? front.dropLast() : front)
    rest = String(name[name.index(after: bracket)...].dropLast())
  }
}

/// The amounts of a load line as text, all in one unit, and the name of the chemical.
private struct LoadAmounts {
  let name: ChemicalName
  let needed: String
  let truck: String
  let take: String
  private let short: String?
  private let shortFor: [String]?

  init(_ line: LoadLine, _ localizer: Localizer) {
    let largest = max(line.neededOz, line.truckOz)
    func text(_ ounces: Double) -> String {
      localizer.quantity(ounces: ounces, of: line.type, isDry: line.isDry == true, besides: largest)
    }
    name = ChemicalName(line.name ?? localizer.chemical(line.type) ?? "")
    needed = text(line.neededOz)
    truck = text(line.truckOz)
    take =
      line.takeOz > 0 && line.truckOz > 0
      ? localizer.missing(
        line.neededOz, from: line.truckOz, of: line.type, isDry: line.isDry == true, besides: largest)
      : text(line.takeOz)
    short = line.shortOz > 0 ? text(line.shortOz) : nil
    shortFor = line.shortFor
  }

  /// The amount that the store lacks, and the customers concerned; nil if it has enough.
  func shortage(_ localizer: Localizer) -> String? {
    short.map { short in
      shortFor.map { localizer.phrases.storeShortFor(short, localizer.shortList($0)) }
        ?? localizer.phrases.storeShort(short)
    }
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
