internal import FlowCommandKit
internal import FlowModel
internal import PoolModel
internal import PoolRouting

/// A file of stops or of travel times for `pfctl route solve`: rows of comma-separated values.
struct RouteFile {
  let name: String
  private let rows: [(line: Int, fields: [Substring])]

  /// - Throws: `CommandFailure` with exit code 66 if the file cannot be read, 65 if it has no such rows.
  init(path: String) throws(CommandFailure) {
    let file = try ImportFile(path: path, wanted: "rows of numbers are wanted", mostBytes: Limits.routeFileBytes)
    var bytes: [UInt8] = []
    while let piece = try file.next(upTo: 1 << 20) { bytes += piece }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .badData("'\(visible(file.name))' is not a UTF-8 text file")
    }
    name = visible(file.name)
    var rows: [(Int, [Substring])] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let trimmed = trimmingSpaces(line)
      guard !trimmed.isEmpty, !trimmed.hasPrefix("#") else { continue }
      rows.append((index + 1, trimmed[...].split(separator: ",", omittingEmptySubsequences: false)))
    }
    self.rows = rows
  }

  /// One stop for each row: latitude, longitude and an optional name. A first row of text is a heading.
  ///
  /// - Returns: the stops; a name is empty if its row has none.
  /// - Throws: `CommandFailure` with exit code 65 and the line at fault.
  func stops() throws(CommandFailure) -> [(place: Coordinate, name: String)] {
    var stops: [(place: Coordinate, name: String)] = []
    for (index, row) in rows.enumerated() {
      if index == 0, row.fields.allSatisfy({ Double(trimmingSpaces($0)) == nil }) { continue }
      guard row.fields.count >= 2 else {
        throw fault(row.line, "has one field; a stop is latitude,longitude and an optional name")
      }
      let numbers = try numbers((row.line, Array(row.fields.prefix(2))))
      do {
        let stop = try Coordinate(latitude: numbers[0], longitude: numbers[1])
        guard stop.isLocated else {
          throw fault(row.line, "is 0,0, which stands for an unknown location; remove it or give its coordinates")
        }
        stops.append((stop, Self.name(row.fields.dropFirst(2).joined(separator: ","))))
      } catch let error as RouteError {
        throw fault(row.line, "is no stop: \(error)")
      } catch let failure as CommandFailure {
        throw failure
      } catch {
        throw fault(row.line, "is no stop")
      }
      guard stops.count <= Limits.routeStops else {
        throw fault(row.line, "is stop \(stops.count); the limit is \(Limits.routeStops) stops")
      }
    }
    guard !stops.isEmpty else {
      throw .badData("'\(name)' has no stop; each row is latitude,longitude, and the first row is where the day begins")
    }
    return stops
  }

  /// The name without the quotes that enclose it if it contains a comma.
  private static func name(_ field: String) -> String {
    let text = trimmingSpaces(field)
    guard text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") else { return String(text) }
    return String(text.dropFirst().dropLast()).replacing("\"\"", with: "\"")
  }

  /// A travel matrix: a row for each stop with a number for each stop.
  ///
  /// - Throws: `CommandFailure` with exit code 65 and the line at fault: a missing or negative number, or a size other than
  ///   `stops` × `stops`.
  func table(stops: Int) throws(CommandFailure) -> [Double] {
    guard rows.count == stops else {
      throw .badData(
        "'\(name)' has \(TextFormat.count(rows.count, "row")) and there are \(TextFormat.count(stops, "stop"))")
    }
    var table: [Double] = []
    for row in rows {
      guard row.fields.count == stops else {
        throw fault(row.line, "has \(TextFormat.count(row.fields.count, "number")), not one for each of \(stops) stops")
      }
      table += try numbers(row)
    }
    return table
  }

  private func numbers(_ row: (line: Int, fields: [Substring])) throws(CommandFailure) -> [Double] {
    var numbers: [Double] = []
    for (index, field) in row.fields.enumerated() {
      let text = trimmingSpaces(field)
      guard let number = Double(text), number.isFinite else {
        let shown = text.isEmpty ? "nothing" : "'\(visible(shortened(text, to: 40)))'"
        throw fault(row.line, "has \(shown) as number \(index + 1)")
      }
      numbers.append(number)
    }
    return numbers
  }

  private func fault(_ line: Int, _ what: String) -> CommandFailure {
    .badData("'\(name)' line \(line) \(what)")
  }
}
