import FlowModel

/// User-defined column meanings, `Their heading=ours`, for headings that the import does not recognise.
package struct CSVHeadingMap: Hashable, Sendable {
  package static let none = CSVHeadingMap(entries: [])

  /// One pair of the map.
  private struct Entry: Hashable, Sendable {
    let heading: String
    let column: CSVColumn
  }
  private let entries: [Entry]

  private init(entries: [Entry]) { self.entries = entries }

  /// Parses the map.
  ///
  /// - Parameter texts: entries `Their heading=ours`, split at the last equals sign, which no column name contains.
  package init(_ texts: [String]) throws(CSVMapError) {
    var entries: [Entry] = []
    for text in texts {
      guard let sign = text.lastIndex(of: "="), sign > text.startIndex else { throw .noPair(text) }
      let name = trimmingSpaces(text[text.index(after: sign)...])
      guard let column = CSVColumn(rawValue: CSVColumn.normalized(name)) ?? CSVColumn(header: name) else {
        throw .unknownColumn(name)
      }
      let heading = trimmingSpaces(text[..<sign])
      guard !entries.contains(where: { $0.column == column }) else { throw .columnTwice(column) }
      guard !entries.contains(where: { $0.heading == heading }) else { throw .headingTwice(heading) }
      entries.append(Entry(heading: heading, column: column))
    }
    self.entries = entries
  }

  package var isEmpty: Bool { entries.isEmpty }

  /// The first heading in the map that the file does not have.
  package func firstMissing(in headings: [String]) -> String? {
    entries.first { Self.position(of: $0.heading, in: headings) == nil }?.heading
  }

  /// The mapped columns, by column index in the file.
  func columns(of headings: [String]) -> [Int: CSVColumn] {
    var columns: [Int: CSVColumn] = [:]
    for entry in entries {
      if let position = Self.position(of: entry.heading, in: headings) { columns[position] = entry.column }
    }
    return columns
  }

  /// The index of a heading: an exact match first, else a match that ignores case and punctuation.
  private static func position(of heading: String, in headings: [String]) -> Int? {
    headings.firstIndex(of: heading)
      ?? headings.firstIndex { CSVColumn.normalized($0) == CSVColumn.normalized(heading) && !$0.isEmpty }
  }
}

/// The reason why a heading map is refused.
package enum CSVMapError: Error, Hashable, Sendable {
  case noPair(String)
  case unknownColumn(String)
  case columnTwice(CSVColumn)
  case headingTwice(String)
  case unknownHeading(String, among: [String])
}

extension CSVMapError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noPair(let text): "'\(text)' is not THEIR HEADING=COLUMN, such as 'Client=customer_name'"
    case .unknownColumn(let name):
      "'\(name)' is not a column of poolflow; the columns are \(CSVColumn.allCases.map(\.rawValue).joined(separator: ", "))"
    case .columnTwice(let column): "'\(column.rawValue)' is given for two headings"
    case .headingTwice(let heading): "'\(heading)' is given two columns"
    case .unknownHeading(let heading, let headings):
      "the first row has no heading '\(heading)'; it has \(CSVHeader.list(headings))"
    }
  }
}
