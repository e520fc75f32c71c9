import FlowModel
import FlowNotices
import PoolChemistry
import PoolModel

/// Composes the cards of a section's stops, and the facts that several of them share.
struct CardComposer {
  private typealias Attention = MorningDigest.Attention

  private let date: CivilDate
  private let section: MorningDigest.Section
  private let localizer: Localizer
  private let phrases: PhraseBook
  /// The stock's name for each chemical type in the load.
  private let names: [ChemicalType: String]
  /// False to leave out the sentences that only text and Markdown show.
  private let hasSentences: Bool

  init(
    _ digest: MorningDigest, _ section: MorningDigest.Section, _ localizer: Localizer, hasSentences: Bool = true
  ) {
    self.hasSentences = hasSentences
    date = digest.civilDate
    self.section = section
    self.localizer = localizer
    phrases = localizer.phrases
    names = Dictionary(
      section.load.compactMap { line in line.name.map { (line.type, $0) } }, uniquingKeysWith: { _, last in last })
  }

  // MARK: The day

  /// The number of lines at the head of a day.
  private static let highlightsListed = 3

  /// What is special today, with the numbers of the stops; at most three lines, the most urgent first.
  var highlights: [Document.Highlight] {
    if section.isAway == true { return [] }
    func numbers(_ isMeant: (MorningDigest.StopLine) -> Bool) -> [Int] { section.stops.filter(isMeant).map(\.order) }
    func numbers(_ kind: Attention.Kind) -> [Int] { numbers { $0.attention.contains { $0.kind == kind } } }
    let dosed = numbers { stop in stop.attention.contains { $0.doses?.isEmpty == false } }
    let lines = [
      (phrases.outsideWindow(), numbers(.outsideWindow)), (phrases.needs(dosedChemicals), dosed),
      (phrases.serviceDue(), numbers(.serviceOverdue)), (phrases.workDue(), numbers(.workDue)),
      (phrases.testFirst(), numbers { $0.isToTestFirst }),
      (phrases.calciumHigh(), numbers { stop in stop.attention.contains { $0.drain == true } }),
    ]
    return lines.filter { !$0.1.isEmpty }.prefix(Self.highlightsListed).map { text, numbers in
      let shown = numbers.prefix(Limits.attentionStopsListed)
      return Document.Highlight(text, numbers: Array(shown), more: numbers.count - shown.count)
    }
  }

  /// The chemicals that dosing advises today, as a list within a sentence.
  private var dosedChemicals: String {
    let dosed = Set(section.stops.flatMap(\.attention).flatMap { $0.doses ?? [] }.map(\.type))
    return ChemicalType.stockable.filter(dosed.contains).compactMap { type in
      localizer.chemical(type).map(localizer.withinSentence)
    }.joined(separator: ", ")
  }

  // MARK: A stop

  /// A stop as a card of the page.
  ///
  /// - Parameter access: its gate code and contact data; nil to leave them out.
  func card(of stop: MorningDigest.StopLine, _ access: PoolAccess?) -> Document.Card {
    var actions: [Document.Action] = []
    if let targets = MapLinks.targets(of: stop, phrases) { actions.append(.navigate(phrases.navigate(), targets)) }
    var contacts: [Document.Labelled] = []
    if let access {
      if let link = telephoneLink(access.phone) {
        actions.append(.call(phrases.call(), number: access.phone, link: link))
      } else if !access.phone.isEmpty {
        contacts.append(.init(phrases.phoneLabel(), access.phone))
      }
      if !access.gate.isEmpty { actions.append(.show(.init(phrases.gateLabel(), access.gate))) }
      let rest = [
        // A contact with the customer's own name says nothing new.
        (phrases.contactLabel(), access.contact == stop.customer ? "" : access.contact),
        (localizer.language.commonPhrases.emailLabel(), access.email),
      ]
      contacts += rest.filter { !$0.1.isEmpty }.map { .init($0.0, $0.1) }
    }
    let note = access?.notes ?? ""
    return Document.Card(
      number: stop.order, time: localizer.time(stop.eta, daysLater: stop.etaDays, than: date), name: stop.customer,
      address: stop.address, actions: actions, alerts: alerts(of: stop), note: note.isEmpty ? "" : phrases.quoted(note),
      tasks: tasks(of: stop), readings: stop.readings.map(localizer.cells) ?? [],
      readingsText: stop.readings.map { hasSentences ? localizer.words(of: $0) : "" }
        ?? (stop.volumeGallons == nil ? "" : bare(phrases.noReadings())),
      facts: facts(of: stop), contacts: contacts, later: later(of: stop))
  }

  /// A sentence without its full stop, for a place where it stands alone.
  private func bare(_ text: String) -> String { text.hasSuffix(".") ? String(text.dropLast()) : text }

  private func alerts(of stop: MorningDigest.StopLine) -> [Document.Line] {
    var alerts: [Document.Line] = []
    if let changed = stop.changed { alerts.append(.init(localizer.words(of: changed, on: date))) }
    if let hours = hours(of: stop) { alerts.append(hours) }
    for attention in stop.attention {
      switch attention.kind {
      case .waterCrossed, .stale, .neverVisited, .warrantyEnded, .noCoordinates:
        alerts.append(.init(bare(words(of: attention)), .warning))
      case .outsideWindow, .waterOff, .readingsOld, .serviceOverdue, .workDue: break
      }
    }
    return alerts
  }

  /// The customer's hours, and whether the arrival misses them; nil for none.
  private func hours(of stop: MorningDigest.StopLine) -> Document.Line? {
    let (opens, closes) = (stop.opens.flatMap { TimeOfDay($0) }, stop.closes.flatMap { TimeOfDay($0) })
    let wanted: String
    switch (opens, closes) {
    case (let opens?, let closes?): wanted = phrases.wantsBetween(localizer.hour(opens), localizer.hour(closes))
    case (let opens?, nil): wanted = phrases.wantsAfter(localizer.hour(opens))
    case (nil, let closes?): wanted = phrases.wantsBefore(localizer.hour(closes))
    case (nil, nil): return nil
    }
    guard stop.attention.contains(where: { $0.kind == .outsideWindow }) else { return .init(wanted) }
    let isEarly = stop.etaDays == nil && (TimeOfDay(stop.eta).map { opens.map($0.isBefore) ?? false } ?? false)
    return .init(isEarly ? phrases.early(wanted) : phrases.tooLate(wanted), .warning)
  }

  private func tasks(of stop: MorningDigest.StopLine) -> [Document.Task] {
    var tasks: [Document.Task] = []
    for attention in stop.attention {
      switch attention.kind {
      case .waterOff:
        tasks += (attention.doses ?? []).map { task(of: $0, stop.readings) }
        if attention.drain == true { tasks.append(.init(bare(phrases.drainPart()))) }
      case .readingsOld:
        tasks.append(.init(bare(words(of: attention))))
        tasks += (attention.doses ?? []).map { task(of: $0, stop.readings) }
      case .serviceOverdue: tasks.append(.init(bare(words(of: attention))))
      case .workDue: tasks.append(.init(attention.name ?? "", detail: bare(words(of: attention))))
      case .waterCrossed, .stale, .neverVisited, .outsideWindow, .warrantyEnded, .noCoordinates: break
      }
    }
    return tasks + (stop.usual ?? []).map { .init(amount(of: $0), detail: phrases.usualAmount()) }
  }

  /// `26 fl oz Muriatic acid`, if the reading that asks for it is still the same; with the amount to start with if this one is
  /// excessive.
  private func task(of dose: MorningDigest.Dose, _ readings: MorningDigest.Readings?) -> Document.Task {
    let condition = readings.flatMap { localizer.reading(behind: dose.type, $0) }
    return Document.Task(
      amount(of: dose), detail: condition.map { phrases.ifStill($0.name, $0.value) } ?? "",
      advice: dose.equilibrium.flatMap { localizer.warning(about: $0, of: dose.type) }.map(bare))
  }

  private func amount(of dose: MorningDigest.Dose) -> String {
    phrases.doseTask(
      localizer.dose(ounces: dose.ounces, of: dose.type, isDry: dose.isDry == true),
      ChemicalName(dose.name ?? names[dose.type] ?? localizer.chemical(dose.type) ?? "").short)
  }

  private func facts(of stop: MorningDigest.StopLine) -> String {
    var facts: [String] = []
    if let volume = stop.volumeGallons, volume > 0 { facts.append(localizer.volume(gallons: volume)) }
    if let lsi = stop.lsi, let water = stop.water {
      facts.append(phrases.lsiWord(localizer.index(lsi), localizer.condition(water)))
    }
    if let days = stop.daysSinceVisit, !stop.attention.contains(where: { $0.kind == .stale }) {
      facts.append(bare(days == 0 ? phrases.visitedToday() : localizer.say(phrases.daysSinceVisit, days)))
    }
    if let age = stop.readings?.days, age != stop.daysSinceVisit {
      facts.append(localizer.say(phrases.measuredDaysAgo, age))
    }
    return facts.joined(separator: " · ")
  }

  private func later(of stop: MorningDigest.StopLine) -> Document.Fold? {
    if stop.asides.isEmpty { return nil }
    return Document.Fold(phrases.laterTitle(String(stop.asides.count)), stop.asides.map { bare(words(of: $0)) })
  }

  private func words(of attention: MorningDigest.Attention) -> String {
    let date = attention.date.flatMap { CivilDate($0) }.map(localizer.dateFormats.date) ?? ""
    switch attention.kind {
    case .waterCrossed:
      return phrases.waterCrossed(
        attention.before.map(localizer.condition) ?? "", attention.after.map(localizer.condition) ?? "",
        localizer.index(attention.lsi ?? 0))
    case .stale: return localizer.say(phrases.daysSinceVisit, attention.days ?? 0)
    case .neverVisited: return phrases.neverVisited()
    case .waterOff: return phrases.drainPart()
    case .readingsOld:
      return attention.days.map { localizer.say(phrases.readingsOld, $0) } ?? phrases.pHNotMeasured()
    case .serviceOverdue: return phrases.serviceOverdue(attention.name ?? "", date)
    case .workDue:
      return attention.date == "\(self.date)" ? phrases.workDueToday() : phrases.workDueSince(date)
    case .warrantyEnded: return phrases.warrantyEnded(attention.name ?? "", date)
    case .noCoordinates: return phrases.noCoordinates()
    case .outsideWindow: return phrases.outsideWindow()
    }
  }
}

extension MorningDigest.StopLine {
  /// Whether there is no dose because readings are missing or too old.
  fileprivate var isToTestFirst: Bool {
    attention.contains { $0.kind == .readingsOld } || volumeGallons != nil && readings == nil
  }
}

extension TimeOfDay {
  fileprivate func isBefore(_ other: TimeOfDay) -> Bool { secondOfDay < other.secondOfDay }
}

extension Localizer {
  /// A time without minutes if it is on the hour of a 12-hour clock: `11 AM`.
  fileprivate func hour(_ time: TimeOfDay) -> String {
    format.time(time).replacing(":00\u{202F}", with: "\u{202F}")
  }

  /// The readings as cells; a value from before the last measurement is in brackets, one that was never taken is a dash.
  fileprivate func cells(of readings: MorningDigest.Readings) -> [Document.Reading] {
    lines(of: readings).map { line in
      let (label, unit) = (label(line.parameter), line.parameter.isConcentration ? "ppm" : "")
      let value =
        line.parameter.isConcentration
        ? numerals.text(line.value, places: line.parameter == .freeChlorine ? 1 : 0) : line.text(line.value)
      if readings.assumed?.contains(line.parameter) == true {
        return Document.Reading(label, "\u{2013}", unit: unit, word: phrases.notMeasuredWord())
      }
      let isOlder = readings.carried?.contains(line.parameter) == true
      // The technician does not change the water's temperature, so it is never marked.
      let status = line.parameter == .waterTempF ? .ideal : readings.status(of: line.parameter, line.value)
      let words = [
        status == .ideal ? nil : word(status, of: line.parameter), isOlder ? phrases.olderWord() : nil,
      ]
      return Document.Reading(
        label, isOlder ? "(\(value))" : value, unit: unit,
        status: status == .low ? .low : status == .high ? .high : .inRange,
        word: words.compactMap(\.self).joined(separator: ", "))
    }
  }

  /// The name of a reading in a fifth of a phone's width.
  func label(_ parameter: WaterParameter) -> String {
    switch parameter {
    case .pH: "pH"
    case .waterTempF: phrases.temperatureLabel()
    case .calciumHardness: phrases.calciumLabel()
    case .totalAlkalinity: phrases.alkalinityLabel()
    case .cyanuricAcid: "CYA"
    case .freeChlorine: phrases.chlorine()
    case .salt: phrases.salt()
    }
  }

  /// The reading for which dosing advises a chemical, with its value; nil if it was never taken.
  fileprivate func reading(
    behind type: ChemicalType, _ readings: MorningDigest.Readings
  ) -> (name: String, value: String)? {
    let parameter: WaterParameter
    switch type {
    case .acid:
      parameter =
        readings.pH > Dosing.highPH || readings.totalAlkalinity <= Dosing.highAlkalinity ? .pH : .totalAlkalinity
    case .base: parameter = .pH
    case .alkalinity: parameter = .totalAlkalinity
    case .calcium: parameter = .calciumHardness
    case .stabilizer: parameter = .cyanuricAcid
    case .chlorine: parameter = .freeChlorine
    case .dilution, .none: return nil
    }
    guard readings.assumed?.contains(parameter) != true,
      let line = lines(of: readings).first(where: { $0.parameter == parameter })
    else { return nil }
    let name = parameter == .freeChlorine ? phrases.freeChlorineWithin() : withinSentence(line.name)
    return (name, line.text(line.value))
  }

  /// A name of ours within a sentence: German nouns keep their capital letter.
  fileprivate func withinSentence(_ name: String) -> String {
    language == .german ? name : name.prefix(1).lowercased() + name.dropFirst()
  }
}

extension WaterParameter {
  /// Whether the reading is in parts per million.
  fileprivate var isConcentration: Bool {
    switch self {
    case .pH, .waterTempF: false
    case .calciumHardness, .totalAlkalinity, .cyanuricAcid, .freeChlorine, .salt: true
    }
  }
}
