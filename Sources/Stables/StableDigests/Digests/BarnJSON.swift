package import FlowModel
internal import FoundationEssentials

/// Writes a stable's digests as JSON: one object with sorted keys, so that equal digests give equal bytes.
package enum BarnJSON {
  package static func text(_ digest: some JSONWritable) -> String {
    var json = JSONText()
    json.object(digest)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// Decodes a digest; nil for the data of another kind of notice, or in the format of another version.
  package static func digest<Digest: Decodable>(_ json: String, as type: Digest.Type) -> Digest? {
    try? UntrustedJSON.decode(type, from: Array(json.utf8))
  }
}

extension BarnDigest: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("care", care)
    json.member("date", date)
    json.member("day", day)
    json.member("horses", horses)
    json.member("late", late)
    json.member("missed", missed)
    json.member("night", night)
    json.member("run", run)
    json.member("speaks", speaks)
    json.member("take_off", takeOff)
    json.member("team", team)
  }
}

extension BarnDigest.Meal: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("grain", grain)
    json.member("medications", medications)
    json.member("supplements", supplements)
  }
}

extension BarnDigest.HorseLine: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("am", am)
    json.member("horse", horse)
    json.member("pm", pm)
  }
}

extension BarnDigest.MissedLine: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("am", am)
    json.member("horse", horse)
    json.member("pm", pm)
  }
}

extension BarnDigest.CareLine: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("days", days)
    json.member("due", due)
    json.member("event", event)
    json.member("horse", horse)
    json.member("type", type)
  }
}

extension BarnDigest.BlanketLine: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("advice", advice)
    json.member("horse", horse)
    json.member("waterproof", waterproof)
  }
}

extension BarnDigest.BlanketPart: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("felt_c", felt)
    json.member("horses", horses)
    json.member("old", old)
    json.member("reason", reason)
    json.member("wet", wet)
  }
}

extension BarnWeek: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("care", care)
    json.member("costs", costs)
    json.member("date", date)
    json.member("from", from)
    json.member("horses", horses)
    json.member("late", late)
    json.member("missed", missed)
    json.member("run", run)
    json.member("speaks", speaks)
    json.member("team", team)
    json.member("to", to)
    json.member("total", total)
    json.member("types", types)
  }
}

extension BarnWeek.Missed: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("am", am)
    json.member("date", date)
    json.member("horse", horse)
    json.member("pm", pm)
  }
}

extension BarnWeek.CostLine: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("cost", cost)
    json.member("type", type)
  }
}

extension BarnWeek.HorseCosts: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("horse", horse)
    json.member("total", total)
    json.member("types", types)
  }
}
