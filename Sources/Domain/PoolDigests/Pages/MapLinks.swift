import PoolModel
import PoolNotices

/// Links that begin to guide to a stop: Google's map, Apple's, and the map that the phone itself has. A page opens them on a
/// touch and fetches nothing by itself.
struct MapLinks {
  /// Empty where neither a position nor an address is known.
  let links: [Document.Link]

  init(to stop: MorningDigest.StopLine, _ phrases: PhraseBook) {
    let place: String
    let position: String
    if let latitude = stop.latitude, let longitude = stop.longitude {
      place = decimalText(latitude, places: 5) + "," + decimalText(longitude, places: 5)
      position = place
    } else if !stop.address.isEmpty {
      place = percentEncoded(withoutHidden(stop.address))
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
      // Source: RFC 5870; with a query, which Android marks or searches ("Common intents", maps).
      .init(phrases.mapProgram(), to: "geo:\(position)?q=\(place)"),
    ]
  }
}

/// `text` as a part of a query: everything but letters, digits and `-._~` in percent escapes (RFC 3986 §2.3).
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
