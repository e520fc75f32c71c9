package import FlowModel
package import FlowNotices
package import StableModel
package import StableRules

/// The identifiers of a stable's notices, one per kind.
package enum BarnIdentifier {
  private static let prefix = "poolflow.notification."
  package static let digest = prefix + "barnDigest"
  package static let week = prefix + "barnWeek"
  package static func feed(_ slot: FeedSlot) -> String { prefix + (slot == .am ? "feedMorning" : "feedEvening") }
  package static let care = prefix + "careDue"
  package static let blanket = prefix + "blanketTonight"
  package static let trial = prefix + "trialExpiring"
}

// The texts of each kind of notice, in the team's language. The decision whether to send it is made by the caller.
extension NoticeDraft {
  /// The morning digest, with the digest's data for its page.
  package static func barnDigest(_ digest: BarnDigest, _ team: Team) -> NoticeDraft {
    let localizer = BarnLocalizer(team)
    let (phrases, colon) = (localizer.phrases, localizer.language.colon)
    var lines = digest.horses.flatMap { line in
      [localizer.medication(line.am, .am), localizer.medication(line.pm, .pm)].compactMap(\.self).map {
        phrases.careLine(line.horse, $0)
      }
    }
    lines += digest.missed.map {
      "\(phrases.missedYesterday())\(colon) \(phrases.missedLine($0.horse, $0.slots(localizer)))"
    }
    lines += digest.care.map { $0.words(localizer) }
    if !digest.takeOff.isEmpty { lines.append(digest.takeOffWords(localizer)) }
    lines += [(phrases.byDay(), digest.day), (phrases.byNight(), digest.night)].map {
      "\($0.0)\(colon) \($0.1.words(localizer))\(summary($0.1.horses, localizer))"
    }
    return NoticeDraft(
      identifier: BarnIdentifier.digest, title: phrases.barnTitle(),
      body: localizer.say(phrases.barnBody, digest.horses.count), lines: lines, dataJSON: BarnJSON.text(digest),
      kept: digest)
  }

  /// The weekly digest, with the digest's data for its page.
  package static func barnWeek(_ week: BarnWeek, _ team: Team) -> NoticeDraft {
    let localizer = BarnLocalizer(team)
    return NoticeDraft(
      identifier: BarnIdentifier.week, title: localizer.phrases.weekTitle(),
      body: localizer.say(localizer.phrases.weekBody, week.missedFeeds), lines: week.care.map { $0.words(localizer) },
      dataJSON: BarnJSON.text(week), kept: week)
  }

  /// The notice of horses that are not fed yet.
  ///
  /// - Parameter horses: the names of these horses.
  package static func feedOpen(_ slot: FeedSlot, horses: [String], team: Team) -> NoticeDraft {
    let localizer = BarnLocalizer(team)
    let phrases = localizer.phrases
    return NoticeDraft(
      identifier: BarnIdentifier.feed(slot),
      title: slot == .am ? phrases.morningFeedTitle() : phrases.eveningFeedTitle(),
      body: localizer.say(phrases.notFed, horses.count), lines: horses)
  }

  /// The notice of care that is due; one line per item.
  package static func careDue(_ items: [CareDue.Item], team: Team) -> NoticeDraft {
    let localizer = BarnLocalizer(team)
    return NoticeDraft(
      identifier: BarnIdentifier.care, title: localizer.phrases.careTitle(),
      body: localizer.say(localizer.phrases.careBody, items.count),
      lines: items.map { BarnDigest.CareLine($0).words(localizer) })
  }

  /// The notice of tonight's blankets; one line for each group of horses with the same blanket.
  package static func blanketTonight(_ plan: BlanketPlan, team: Team) -> NoticeDraft {
    let localizer = BarnLocalizer(team)
    let phrases = localizer.phrases
    let part = BarnDigest.BlanketPart(.success(plan))
    var lines = BlanketGroup.groups(day: [], night: part.horses).map { $0.words(localizer, isTonight: true) }
    if plan.weather.isWet { lines.insert(phrases.isWet(), at: 0) }
    if plan.isOld { lines.append(phrases.oldForecast()) }
    return NoticeDraft(
      identifier: BarnIdentifier.blanket, title: phrases.blanketTitle(),
      body: phrases.blanketBody(localizer.temperature(plan.weather.felt)), lines: lines)
  }

  /// The notice that the trial ends tomorrow.
  package static func barnTrial(_ team: Team) -> NoticeDraft {
    let phrases = team.language.barnPhrases
    return NoticeDraft(identifier: BarnIdentifier.trial, title: phrases.trialTitle(), body: phrases.trialBody())
  }

  /// The number of horses per blanket, warmest first: ` medium (200 g): 3; none: 1`.
  private static func summary(_ lines: [BarnDigest.BlanketLine], _ localizer: BarnLocalizer) -> String {
    let parts = BlanketAdvice.allCases.reversed().compactMap { advice -> String? in
      let count = lines.count { $0.advice == advice }
      let number = localizer.format.numerals.text(count)
      return count == 0 ? nil : "\(localizer.advice(advice))\(localizer.language.colon) \(number)"
    }
    return parts.isEmpty ? "" : " " + parts.joined(separator: "; ")
  }
}

/// The page and the calendar that accompany a stable's notice.
package enum BarnPage {
  /// The page of a notice; nil if its kind has none.
  package static func html(_ notice: Notice) -> [UInt8]? {
    switch notice.identifier {
    case BarnIdentifier.digest: BarnJSON.digest(notice.dataJSON, as: BarnDigest.self)?.page
    case BarnIdentifier.week: BarnJSON.digest(notice.dataJSON, as: BarnWeek.self)?.page
    default: nil
    }
  }
}

extension BarnDigest: PagedDigest {
  package var page: [UInt8] { document.htmlBytes }
}

extension BarnWeek: PagedDigest {
  package var page: [UInt8] { document.htmlBytes }
}
