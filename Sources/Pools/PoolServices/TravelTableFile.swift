import FlowModel
import FlowPlatform
import FoundationEssentials
import Glibc
import PoolModel
import PoolRouting

/// Measured travel times from a file: the reply of an OSRM `table` request (JSON), or rows
/// `from_latitude,from_longitude,to_latitude,to_longitude,minutes`.
///
/// Source: OSRM API v5, "Table service": `durations` in seconds, null if there is no route; `sources` and `destinations` with
/// `location` as longitude, latitude.
struct TravelTableFile {
  let places: [Coordinate]
  /// Minutes between all places, row by row; nil if there is no route.
  let minutes: [Double?]

  /// Why a file cannot be imported, as a sentence.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  /// Number of pairs of different places with a time.
  var known: Int {
    minutes.indices.count { minutes[$0] != nil && $0 / places.count != $0 % places.count }
  }

  /// Parses the file; a leading `{` means JSON.
  ///
  /// - Throws: `Fault` with a sentence that names the file and the error.
  init(bytes: [UInt8], name: String) throws {
    do {
      let isJSON = bytes.first { !" \n\r\t".utf8.contains($0) } == UInt8(ascii: "{")
      (places, minutes) = try isJSON ? Self.osrm(bytes) : Self.rows(bytes)
      guard places.count >= 2 else { throw Fault(description: "it has fewer than two locations") }
      _ = try TabledTravelTimes(places: places, minutes: minutes)
    } catch {
      throw Fault(description: "'\(name)' was not imported: \(error); nothing was changed")
    }
  }

  // MARK: OSRM

  /// The parts of an OSRM reply that are used.
  private struct Answer: Decodable {
    /// A location as longitude, latitude.
    struct Waypoint: Decodable {
      let location: [Double]
    }

    let code: String
    let message: String?
    let durations: [[Double?]]?
    let sources: [Waypoint]?
    let destinations: [Waypoint]?
  }

  /// Parses the reply of an OSRM `table` request.
  private static func osrm(_ bytes: [UInt8]) throws -> (places: [Coordinate], minutes: [Double?]) {
    let answer: Answer
    do {
      answer = try UntrustedJSON.decode(Answer.self, from: bytes)
    } catch let fault as UntrustedJSON.Fault {
      throw Fault(description: "\(fault)")
    } catch {
      throw Fault(
        description: "it is not an answer of an OSRM table request: code, durations, sources and destinations")
    }
    guard answer.code == "Ok" else {
      throw Fault(description: "OSRM refused the request: \(answer.code) \(answer.message ?? "")")
    }
    guard let durations = answer.durations, let sources = answer.sources, let destinations = answer.destinations else {
      throw Fault(description: "it has no durations; ask OSRM with annotations=duration")
    }
    guard sources.map(\.location) == destinations.map(\.location) else {
      throw Fault(description: "its sources and destinations differ; ask OSRM for the whole table")
    }
    try check(count: sources.count)
    let places = try sources.map { point in
      guard point.location.count == 2 else { throw Fault(description: "a location is longitude and latitude") }
      return try Coordinate(latitude: point.location[1], longitude: point.location[0])
    }
    guard durations.count == places.count, durations.allSatisfy({ $0.count == places.count }) else {
      throw Fault(description: "\(places.count) locations need \(places.count) rows of \(places.count) durations")
    }
    return (places, durations.flatMap { row in row.map { $0.map { $0 / 60 } } })
  }

  private static func check(count: Int) throws(Fault) {
    guard count <= Limits.routeTableLocations else {
      throw Fault(description: "it has \(count) locations, at most \(Limits.routeTableLocations) are allowed")
    }
  }

  // MARK: Rows

  /// Parses comma-separated rows; pairs without a row have no time.
  private static func rows(_ bytes: [UInt8]) throws -> (places: [Coordinate], minutes: [Double?]) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Fault(description: "it is neither JSON nor text in UTF-8")
    }
    var places: [Coordinate] = []
    var numbers: [Coordinate: Int] = [:]
    var legs: [(from: Int, to: Int, minutes: Double)] = []
    func number(of place: Coordinate) throws(Fault) -> Int {
      if let known = numbers[place] { return known }
      try check(count: places.count + 1)
      numbers[place] = places.count
      places.append(place)
      return places.count - 1
    }
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map { trimmingSpaces($0) }
      guard fields.contains(where: { !$0.isEmpty }), !line.hasPrefix("#") else { continue }
      let values = fields.map { Double($0) }
      if index == 0, values.allSatisfy({ $0 == nil }) { continue }
      let plain = values.compactMap(\.self)
      guard fields.count == 5, plain.count == 5 else {
        throw Fault(
          description: "line \(index + 1) is not from_latitude,from_longitude,to_latitude,to_longitude,minutes")
      }
      guard plain[4] >= 0, plain[4].isFinite else {
        throw Fault(description: "line \(index + 1) has \(fields[4]) minutes; a time is 0 or more")
      }
      do {
        let from = try number(of: Coordinate(latitude: plain[0], longitude: plain[1]))
        let to = try number(of: Coordinate(latitude: plain[2], longitude: plain[3]))
        legs.append((from, to, plain[4]))
      } catch {
        throw Fault(description: "line \(index + 1): \(error)")
      }
    }
    var minutes = [Double?](repeating: nil, count: places.count * places.count)
    for place in places.indices { minutes[place * places.count + place] = 0 }
    for leg in legs where leg.from != leg.to { minutes[leg.from * places.count + leg.to] = leg.minutes }
    return (places, minutes)
  }
}
