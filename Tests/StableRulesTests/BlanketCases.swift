import FlowModel
import StableModel
import Testing

/// The input of the cases of `blanket.json`: each kind has some of the fields.
struct BlanketInput: Decodable {
  struct Settings: Decodable {
    let notificationsEnabled: Bool
    let blanket: Bool
  }
  struct Horse: Decodable {
    let name: String
    let clipped: Bool
  }
  struct Given: Decodable {
    let issuedAt: String
    let hours: [GoldenHour]
  }
  struct Night: Decodable {
    let date: String
    let felt: Double
    let horses: [String: String]
  }

  let kind: String
  let air: Double?
  let wind: Double?
  let rain: Double?
  let probability: Double?
  let felt: Double?
  let wet: Bool?
  let clipped: Bool?
  let limits: [Double]?
  let window: String?
  let hours: [GoldenHour]?
  let now: String?
  let date: String?
  let timeZone: String?
  let settings: Settings?
  let horses: [Horse]?
  let forecast: Given?
  let lastNight: Night?

  var blanketLimits: BlanketLimits {
    get throws { try limits.map { given in try #require(BlanketLimits(given)) } ?? .usual }
  }
}

/// The expected result.
struct BlanketExpected: Decodable {
  struct Line: Decodable, Equatable {
    let horse: String
    let advice: String
    let grams: Int?
    let waterproof: Bool
  }
  struct Part: Decodable {
    let reason: String?
    let old: Bool?
    let felt: Double?
    let wet: Bool?
    let horses: [Line]
  }

  let felt: Double?
  let wet: Bool?
  let advice: String?
  let grams: Int?
  let waterproof: Bool?
  let accepted: Bool?
  let start: String?
  let end: String?
  let lengthHours: Double?
  let hours: Int?
  let enough: Bool?
  let highest: Double?
  let speaks: Bool?
  let reason: String?
  let old: Bool?
  let horses: [Line]?
  let day: Part?
  let night: Part?
  let takeOff: [String]?
}

/// `[instant, air, wind, rain, probability]`; the last three may be null.
struct GoldenHour: Decodable {
  let start: String
  let air: Double
  let rest: [Double?]

  init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    start = try values.decode(String.self)
    air = try values.decode(Double.self)
    rest = try (0..<3).map { _ in try values.decodeIfPresent(Double.self) }
  }

  var hour: ForecastHour {
    get throws {
      ForecastHour(start: try instant(start), air: air, wind: rest[0], rain: rest[1], probability: rest[2])
    }
  }
}
