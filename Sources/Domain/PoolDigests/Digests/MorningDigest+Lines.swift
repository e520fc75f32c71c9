import PoolModel
import PoolNotices

extension MorningDigest {
  /// For a notice's readers of text: one line a stop, in the order they are driven, and nothing of free text.
  package var lines: [String] {
    let speech = speaks.speech
    let phrases = speech.phrases
    var lines: [String] = []
    for section in sections {
      let stops = speech.say(phrases.stops, section.stops.count)
      lines.append(
        section.isAway == true
          ? phrases.uncovered(section.technician, stops) : phrases.sectionTitle(section.technician, stops))
      for stop in section.stops {
        let number = String(stop.order)
        lines.append(
          "\(String(repeating: " ", count: max(0, 3 - number.count)))\(number)  \(stop.customer), \(stop.address)")
      }
    }
    if !lowStock.isEmpty {
      lines.append(phrases.lowStockTitle() + ":")
      lines += lowStock.map { "     " + $0.words(speech) }
    }
    if let waterChanges {
      lines.append(phrases.waterTitle() + ":")
      lines += waterChanges.map {
        "     "
          + phrases.waterLine(
            $0.customer, speech.condition($0.before), speech.condition($0.after), speech.index($0.lsi))
      }
    }
    return lines
  }
}
