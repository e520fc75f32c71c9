import FlowModel
import FlowNotices

/// Links that start navigation to a stop in Google Maps, Apple Maps or the phone's own map app. A page loads nothing from
/// them until they are tapped.
struct MapLinks {
  /// The links; empty if the stop has neither coordinates nor an address.
  let links: [Document.Link]

  init(to stop: MorningDigest.StopLine, _ phrases: PhraseBook) {
    let place: String
    let position: String
    if let latitude = stop.latitude, let longitude = stop.longitude {
      place = decimalText(latitude, places: 5) + "," + decimalText(longitude, places: 5)
      position = place
    } else if !stop.address.isEmpty {
      place = percentEncoded(removingInvisible(stop.address))
      position = "0,0"
    } else {
      links = []
      return
    }
    links = [
      // Source: Google, "Maps URLs", directions action.
      .init("Google Maps", to: "https://www.google.com/maps/dir/?api=1&destination=" + place),
      // Source: Apple, "Map Links", `daddr`.
      .init("Apple Maps", to: "https://maps.apple.com/?daddr=" + place),
      // Source: RFC 5870, with the `q` parameter that Android uses to mark or search a place ("Common intents", maps).
      .init(phrases.mapProgram(), to: "geo:\(position)?q=\(place)"),
    ]
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
