import FlowModel
package import FlowNotices
import StableModel

extension BarnDigest {
  /// The page to print for the barn: the feed board with check boxes, missed feeds, care and blankets.
  package var document: Document {
    let localizer = speaks.localizer
    let phrases = localizer.phrases
    var blocks: [Document.Block] = []
    if let late { blocks.append(.paragraph(.init(late.words(in: localizer.language), .warning))) }
    blocks.append(.heading(phrases.boardTitle(), level: 2))
    blocks.append(
      .table(
        header: [phrases.horse(), phrases.morning(), phrases.evening()].map { Document.Cell($0) },
        rows: horses.map { [.init($0.horse), Self.cell($0.am, .am, localizer), Self.cell($0.pm, .pm, localizer)] }))
    blocks += section(
      phrases.missedYesterday(), missed.map { .init(phrases.missedLine($0.horse, $0.slots(localizer)), .warning) },
      none: phrases.nothingMissed())
    blocks += section(phrases.careTitle(), care.map { $0.line(localizer) }, none: phrases.noCare())
    blocks.append(.heading(phrases.blanketsTitle(), level: 2))
    if !takeOff.isEmpty {
      blocks.append(.paragraph(.init(takeOffWords(localizer), .warning)))
    }
    blocks += blankets(localizer)
    return Document(
      language: localizer.language.rawValue,
      title: "\(phrases.barnTitle()) · \(team) · \(localizer.format.dateFormats.day(civilDate))", blocks: blocks,
      footer: [localizer.say(phrases.barnBody, horses.count), ""], paper: localizer.paper)
  }

  /// A cell such as `☐ 2 qt senior; MSM`, with the medications of the slot as a note: `PM: Bute 1 g`.
  private static func cell(_ meal: Meal?, _ slot: FeedSlot, _ localizer: BarnLocalizer) -> Document.Cell {
    guard let meal else { return .init(localizer.phrases.noSchedule()) }
    let food = ([meal.grain] + meal.supplements).filter { !$0.isEmpty }.joined(separator: "; ")
    let medication = localizer.medication(meal, slot).map { Document.Line(withoutBreaksInAmounts($0)) }
    return .init(food.isEmpty ? "☐" : "☐ \(food)", note: medication)
  }

  /// The text with a space that does not break between each number and its unit: `Bute 1 g`.
  private static func withoutBreaksInAmounts(_ text: String) -> String {
    var result = ""
    var last: Character?
    for character in text {
      result.append(character == " " && last?.isNumber == true ? "\u{A0}" : character)
      last = character
    }
    return result
  }

  private func blankets(_ localizer: BarnLocalizer) -> [Document.Block] {
    let phrases = localizer.phrases
    var blocks: [Document.Block] = []
    for (title, part) in [(phrases.byDay(), day), (phrases.byNight(), night)] {
      let text = "\(title)\(localizer.language.colon) \(part.words(localizer))"
      blocks.append(.paragraph(.init(text, part.reason == nil ? .plain : .warning)))
      if part.old { blocks.append(.paragraph(.init(phrases.oldForecast(), .warning))) }
    }
    let groups = BlanketGroup.groups(day: day.horses, night: night.horses)
    if !groups.isEmpty { blocks.append(.list(groups.map { .init($0.words(localizer)) })) }
    return blocks
  }

  private func section(_ title: String, _ lines: [Document.Line], none: String) -> [Document.Block] {
    [.heading(title, level: 2), lines.isEmpty ? .paragraph(.init(none, .muted)) : .list(lines)]
  }
}

extension BarnDigest {
  /// The sentence about the night blankets that must come off.
  func takeOffWords(_ localizer: BarnLocalizer) -> String {
    takeOff.count == horses.count && takeOff.count >= BlanketGroup.minCounted
      ? localizer.phrases.takeOffAll() : localizer.phrases.takeOff(takeOff.joined(separator: ", "))
  }
}

extension BarnDigest.MissedLine {
  /// The names of the missed slots, separated by commas.
  func slots(_ localizer: BarnLocalizer) -> String {
    FeedSlot.allCases.filter { $0 == .am ? am : pm }.map { localizer.slot($0) }.joined(separator: ", ")
  }
}

extension BarnDigest.CareLine {
  /// A line such as `Juniper: farrier, due in 3 days`.
  func words(_ localizer: BarnLocalizer) -> String {
    localizer.phrases.careLine(horse, "\(localizer.type(type)), \(localizer.due(in: days))")
  }

  func line(_ localizer: BarnLocalizer) -> Document.Line { .init(words(localizer), days <= 0 ? .warning : .plain) }
}

extension BarnDigest.BlanketLine {
  /// A blanket without its horse.
  struct Blanket: Hashable {
    let advice: BlanketAdvice
    let isWaterproof: Bool

    func words(_ localizer: BarnLocalizer) -> String {
      let name = localizer.advice(advice)
      let saysWaterproof = isWaterproof && advice != .none && advice != .rainSheet
      return saysWaterproof ? "\(name), \(localizer.phrases.waterproof())" : name
    }
  }

  var blanket: Blanket { Blanket(advice: advice, isWaterproof: waterproof) }
}

extension BarnDigest.BlanketPart {
  /// The weather in words, or the reason why there is no advice.
  func words(_ localizer: BarnLocalizer) -> String {
    guard let felt else {
      return reason == "forecast-stale" ? localizer.phrases.staleForecast() : localizer.phrases.noForecast()
    }
    return localizer.phrases.feelsLike(localizer.temperature(felt)) + (wet ? " " + localizer.phrases.isWet() : "")
  }
}
