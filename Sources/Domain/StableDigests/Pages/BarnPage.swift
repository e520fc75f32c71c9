import PoolModel
package import PoolNotices
import StableModel

extension BarnDigest {
  /// The page to print for the barn: the feed board with check boxes, missed feeds, care and blankets.
  package var document: Document {
    let speech = speaks.speech
    let phrases = speech.phrases
    var blocks: [Document.Block] = []
    if let late { blocks.append(.paragraph(.init(late.words(in: speech.language), .warning))) }
    blocks.append(.heading(phrases.boardTitle(), level: 2))
    blocks.append(
      .table(
        header: [phrases.horse(), phrases.morning(), phrases.evening()].map { Document.Cell($0) },
        rows: horses.map { [.init($0.horse), Self.cell($0.am, .am, speech), Self.cell($0.pm, .pm, speech)] }))
    blocks += section(
      phrases.missedYesterday(), missed.map { .init(phrases.missedLine($0.horse, $0.slots(speech)), .warning) },
      none: phrases.nothingMissed())
    blocks += section(phrases.careTitle(), care.map { $0.line(speech) }, none: phrases.noCare())
    blocks.append(.heading(phrases.blanketsTitle(), level: 2))
    if !takeOff.isEmpty {
      blocks.append(.paragraph(.init(phrases.takeOff(takeOff.joined(separator: ", ")), .warning)))
    }
    blocks += blankets(speech)
    return Document(
      language: speech.language.rawValue,
      title: "\(phrases.barnTitle()) · \(team) · \(speech.format.almanac.day(civilDate))", blocks: blocks,
      footer: [speech.say(phrases.barnBody, horses.count), ""], paper: speech.paper)
  }

  /// A cell such as `☐ 2 qt senior; MSM`, with the medications as a note below.
  private static func cell(_ meal: Meal?, _ slot: FeedSlot, _ speech: BarnSpeech) -> Document.Cell {
    guard let meal else { return .init("–", note: .init(speech.phrases.noSchedule(), .muted)) }
    let food = ([meal.grain] + meal.supplements).filter { !$0.isEmpty }.joined(separator: "; ")
    return .init(
      food.isEmpty ? "☐" : "☐ \(food)", note: speech.medication(meal, slot).map { .init($0, .warning) })
  }

  private func blankets(_ speech: BarnSpeech) -> [Document.Block] {
    let phrases = speech.phrases
    var blocks: [Document.Block] = []
    for (title, part) in [(phrases.byDay(), day), (phrases.byNight(), night)] {
      blocks.append(.paragraph(.init("\(title): \(part.words(speech))", part.reason == nil ? .plain : .warning)))
      if part.old { blocks.append(.paragraph(.init(phrases.oldForecast(), .warning))) }
    }
    let (byDay, byNight) = (day.byHorse, night.byHorse)
    guard !byDay.isEmpty || !byNight.isEmpty else { return blocks }
    let names = day.horses.isEmpty ? night.horses : day.horses
    blocks.append(
      .table(
        header: [phrases.horse(), phrases.byDay(), phrases.byNight()].map { Document.Cell($0) },
        rows: names.map { line in
          [.init(line.horse)]
            + [byDay, byNight].map { part in .init(part[line.horse].map { $0.words(speech) } ?? "–") }
        }))
    return blocks
  }

  private func section(_ title: String, _ lines: [Document.Line], none: String) -> [Document.Block] {
    [.heading(title, level: 2), lines.isEmpty ? .paragraph(.init(none, .muted)) : .list(lines)]
  }
}

extension BarnDigest.MissedLine {
  /// The names of the missed slots, separated by commas.
  func slots(_ speech: BarnSpeech) -> String {
    FeedSlot.allCases.filter { $0 == .am ? am : pm }.map { speech.slot($0) }.joined(separator: ", ")
  }
}

extension BarnDigest.CareLine {
  /// A line such as `Juniper: farrier, due in 3 days`.
  func words(_ speech: BarnSpeech) -> String {
    speech.phrases.careLine(horse, "\(speech.type(type)), \(speech.due(in: days))")
  }

  func line(_ speech: BarnSpeech) -> Document.Line { .init(words(speech), days <= 0 ? .warning : .plain) }
}

extension BarnDigest.BlanketLine {
  func words(_ speech: BarnSpeech) -> String {
    let name = speech.advice(advice)
    return waterproof && advice != .none && advice != .rainSheet ? "\(name), \(speech.phrases.waterproof())" : name
  }
}

extension BarnDigest.BlanketPart {
  fileprivate var byHorse: [String: BarnDigest.BlanketLine] {
    Dictionary(horses.map { ($0.horse, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The weather in words, or the reason why there is no advice.
  func words(_ speech: BarnSpeech) -> String {
    guard let felt else {
      return reason == "forecast-stale" ? speech.phrases.staleForecast() : speech.phrases.noForecast()
    }
    return speech.phrases.feelsLike(speech.temperature(felt)) + (wet ? " " + speech.phrases.isWet() : "")
  }
}
