import FlowModel

/// The cards of a page, one for each stop.
extension HTMLWriter {
  /// The id of a card on the present sheet.
  func anchor(_ number: Int) -> String { sheets > 1 ? "s\(sheets)-\(number)" : "s\(number)" }

  mutating func add(_ cards: [Document.Card], _ blanks: [String]) {
    guard !profile.isMail else {
      for card in cards { add(card) }
      return
    }
    // Written once for all cards as a CSS string; characters that would end the string are removed.
    let line = blanks.map {
      $0.filter { $0 != "\"" && $0 != "\\" && $0 != "'" }.replacing(" ", with: "\u{A0}") + "\u{A0}________"
    }
    raw("<div class=\"ap\" style='--wr:\"")
    text(line.joined(separator: " "))
    raw("\"'>")
    // If there are more cards than fit on a sheet, the last ones stay together, so that none is alone on the next sheet.
    let first = cards.count > Self.cardsPerSheet ? cards.count - Self.cardsKeptTogether : cards.count
    for part in [cards[..<first], cards[first...]] where !part.isEmpty {
      open(.cards)
      for card in part { add(card) }
      close(.cards)
    }
    raw("</div>")
  }

  /// The number of full cards that fit on a printed sheet.
  private static let cardsPerSheet = 8
  private static let cardsKeptTogether = 4
  /// The number of readings that fit beside each other on a phone.
  private static let readingsPerRow = 5

  private mutating func add(_ card: Document.Card) {
    open(.card, anchor(card.number))
    open(.cardHead)
    element(.cardNumber, String(card.number))
    element(.cardTime, card.time)
    element(.cardName, card.name)
    close(.cardHead)
    open(.cardBody)
    if !card.address.isEmpty { element(.address, card.address) }
    add(card.actions)
    for alert in card.alerts { add(alert, .alert, .facts, .warningAlert) }
    if !card.note.isEmpty { element(.quote, card.note) }
    if !card.tasks.isEmpty {
      open(.tasks)
      for task in card.tasks { add(task) }
      close(.tasks)
    }
    if !card.readings.isEmpty {
      open(.readings)
      for (index, reading) in card.readings.enumerated() {
        // A mail's table does not wrap by itself.
        if profile.isMail, card.readings.count > Self.readingsPerRow, index == Self.readingsPerRow - 1 {
          raw("</tr><tr>\n")
        }
        add(reading)
      }
      close(.readings)
    } else if !card.readingsText.isEmpty {
      element(.alert, card.readingsText)
    }
    if !card.facts.isEmpty { element(.facts, card.facts) }
    if !card.contacts.isEmpty {
      element(.contact, card.contacts.map { "\($0.label)\(colon) \($0.text)" }.joined(separator: " · "))
    }
    if let later = card.later {
      open(.later)
      element(.laterTitle, later.title)
      for line in later.lines { element(.laterLine, line) }
      close(.later)
    }
    close(.cardBody)
    close(.card)
  }

  private mutating func add(_ actions: [Document.Action]) {
    guard !actions.isEmpty else { return }
    open(.actions)
    for action in actions {
      switch action {
      case .navigate(let label, let targets):
        link(.webMap, label, to: targets.web.target)
        link(.appleMap, profile.isMail ? targets.apple.text : label, to: targets.apple.target)
        // Mail programs remove links to other schemes than the web's and telephone numbers.
        if !profile.isMail { link(.geoMap, label, to: targets.geo.target) }
      case .call(let label, let number, let target):
        open(.call, target)
        words(label)
        element(.callNumber, number)
        close(.call)
      case .show(let shown):
        open(.shown)
        element(.shownLabel, shown.label)
        words(shown.text)
        close(.shown)
      }
    }
    close(.actions)
  }

  private mutating func add(_ task: Document.Task) {
    open(.task)
    element(.taskText, task.text)
    if !task.detail.isEmpty { element(.taskDetail, task.detail) }
    if let advice = task.advice { element(.advice, advice) }
    close(.task)
  }

  private mutating func add(_ reading: Document.Reading) {
    let part = reading.status == .inRange ? HTMLPart.reading : .readingOutside
    open(part)
    element(.readingLabel, reading.unit.isEmpty ? reading.label : "\(reading.label) \(reading.unit)")
    open(.readingValue)
    words(reading.value)
    switch reading.status {
    case .low: raw("\u{202F}▼")
    case .inRange: break
    case .high: raw("\u{202F}▲")
    }
    close(.readingValue)
    if !reading.word.isEmpty { element(.readingWord, reading.word) }
    close(part)
  }
}
