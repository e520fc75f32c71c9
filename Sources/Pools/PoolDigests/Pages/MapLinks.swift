import FlowModel
import FlowNotices

/// Links that start navigation to a stop in Google Maps, Apple Maps or the phone's own map app. A page loads nothing from
/// them until they are tapped.
enum MapLinks {
  /// The links; nil if the stop has neither coordinates nor an address.
  static func targets(of stop: MorningDigest.StopLine, _ phrases: PhraseBook) -> Document.MapTargets? {
    guard let place = place(of: stop) else { return nil }
    return Document.MapTargets(
      // Source: Google, "Maps URLs", directions action.
      web: .init("Google Maps", to: "https://www.google.com/maps/dir/?api=1&destination=" + place),
      // Source: Apple, "Map Links", `daddr`.
      apple: .init("Apple Maps", to: "https://maps.apple.com/?daddr=" + place),
      // Source: RFC 5870, with the `q` parameter that Android uses to mark or search a place ("Common intents", maps: `0,0`).
      geo: .init(phrases.mapProgram(), to: "geo:0,0?q=\(place)"))
  }

  /// The coordinates or the address, percent-encoded; nil without both.
  fileprivate static func place(of stop: MorningDigest.StopLine) -> String? {
    if let latitude = stop.latitude, let longitude = stop.longitude {
      return decimalText(latitude, places: 5) + "," + decimalText(longitude, places: 5)
    }
    return stop.address.isEmpty ? nil : percentEncoded(removingInvisible(stop.address))
  }
}

/// Links that navigate along all stops of a day in Google Maps.
struct RouteLinks {
  /// One link for the whole route, or one for each ten stops; empty without places.
  let links: [Document.Link]
  /// The places of one link: nine waypoints and the destination. Source: Google, "Maps URLs", `waypoints`.
  private static let placesPerLink = 10

  init(_ stops: [MorningDigest.StopLine], _ phrases: PhraseBook) {
    let places = stops.compactMap { stop in MapLinks.place(of: stop).map { (stop.order, $0) } }
    links = stride(from: 0, to: places.count, by: Self.placesPerLink).map { start in
      let part = places[start..<min(places.count, start + Self.placesPerLink)]
      let between = part.dropLast().map(\.1).joined(separator: "%7C")
      let title =
        part.count == places.count
        ? phrases.wholeRoute()
        : phrases.routePart(String(part.first?.0 ?? 0), String(part.last?.0 ?? 0))
      return Document.Link(
        title,
        to: "https://www.google.com/maps/dir/?api=1&destination=" + (part.last?.1 ?? "")
          + (between.isEmpty ? "" : "&waypoints=" + between))
    }
  }
}

/// `text` as part of a URL query: everything except letters, digits and `-._~` is percent-encoded (RFC 3986 §2.3).
func percentEncoded(_ text: String) -> String {
  let digits = Array("0123456789ABCDEF".utf8)
  var bytes: [UInt8] = []
  for byte in text.utf8 {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
      bytes.append(byte)
    default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}
