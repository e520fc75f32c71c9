package import FlowModel

extension Occurrence {
  /// Sentence about the effect of a clock change on this occurrence; nil if there is none.
  ///
  /// Example: "02:30 does not exist on 2026-03-08 (clocks go 02:00 to 03:00), runs at 03:00".
  package func note(in zone: Zone) -> String? {
    let day: Int64 = 26 * 3_600
    let around: (from: Int64, to: Int64)
    switch event {
    case .plain: return nil
    case .movedByGap: around = (instant.seconds - 1, instant.seconds)
    case .firstPass: around = (instant.seconds, instant.seconds + day)
    case .secondPass: around = (instant.seconds - day, instant.seconds)
    }
    let changes = zone.transitions(from: Timestamp(seconds: around.from), to: Timestamp(seconds: around.to))
    let wantsGap = event == .movedByGap
    guard let change = changes.first(where: { $0.isGap == wantsGap }) else { return nil }
    let name = zone.abbreviation(at: instant)
    switch event {
    case .plain: return nil
    case .movedByGap: return change.sentence(nominal, "runs at \(change.arrival(seenFrom: nominal.date))")
    case .firstPass: return change.sentence(nominal, "runs the first time (\(name))")
    case .secondPass: return change.sentence(nominal, "runs the second time (\(name))")
    }
  }
}

extension ZoneTransition {
  /// Sentence such as "02:30 does not exist on 2026-03-08 (clocks go 02:00 to 03:00), …" with `consequence` at the end.
  fileprivate func sentence(_ nominal: LocalDateTime, _ consequence: String) -> String {
    let fate = isGap ? "does not exist" : "comes twice"
    let way = isGap ? "to" : "back to"
    let change = "clocks go \(localBefore.time) \(way) \(localAfter.time)"
    return "\(nominal.time) \(fate) on \(nominal.date) (\(change)), \(consequence)"
  }

  /// First clock time after the change, with its date if that differs from `date`.
  fileprivate func arrival(seenFrom date: CivilDate) -> String {
    localAfter.date == date ? "\(localAfter.time)" : "\(localAfter.time) on \(localAfter.date)"
  }
}

/// Effect of one clock change on a rule.
package struct DaylightEffect: Hashable, Sendable, CustomStringConvertible {
  /// Kinds of effect, by rule type and policy.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A nonexistent clock time runs once, after the gap.
    case moved
    /// A nonexistent clock time does not run, as the policy demands.
    case skipped
    /// An interval rule's clock readings do not exist; its runs keep their distance in elapsed time.
    case passedOver
    /// A repeated clock time runs in the first pass, the second pass or both, as the policy demands.
    case runsFirst, runsSecond, runsBoth
    /// An interval rule runs throughout both passes.
    case followsBoth
  }
  package let transition: ZoneTransition
  /// The rule's first clock reading that does not exist or occurs twice.
  package let nominal: LocalDateTime
  package let kind: Kind

  package var description: String {
    let consequence =
      switch kind {
      case .moved: "runs at \(transition.arrival(seenFrom: nominal.date))"
      case .skipped: "does not run"
      case .passedOver: "runs go on in real time"
      case .runsFirst: "runs the first time (\(transition.abbreviationBefore))"
      case .runsSecond: "runs the second time (\(transition.abbreviationAfter))"
      case .runsBoth: "runs both times"
      case .followsBoth: "runs go on in real time through both"
      }
    return transition.sentence(nominal, consequence)
  }
}

extension CalendarRule {
  /// Effects of the clock changes in `start < change <= end` that affect this rule, oldest first.
  package func daylightForecast(from start: Timestamp, to end: Timestamp) -> [DaylightEffect] {
    zone.transitions(from: start, to: end).compactMap { transition in
      let from = min(transition.localBefore, transition.localAfter).secondsAsIfUTC
      let to = max(transition.localBefore, transition.localAfter).secondsAsIfUTC
      guard let reading = compiled.firstNamedLocal(from: from, before: to) else { return nil }
      let kind: DaylightEffect.Kind
      if transition.isGap {
        kind = expression.isInterval ? .passedOver : policy.gap == .after ? .moved : .skipped
      } else if expression.isInterval {
        kind = .followsBoth
      } else {
        switch policy.fold {
        case .first: kind = .runsFirst
        case .second: kind = .runsSecond
        case .both: kind = .runsBoth
        }
      }
      return DaylightEffect(transition: transition, nominal: LocalDateTime(secondsAsIfUTC: reading), kind: kind)
    }
  }
}
