internal import FlowModel

/// The reason why a customers file is refused as a whole.
package enum CSVError: Error, Hashable, Sendable {
  case unreadableTextFile
  case missingRequiredColumns([CSVColumn])
  case rowLimitExceeded(Int)
  case tooLarge(bytes: Int, limit: Int)
  case tooManyColumns(Int, limit: Int)
  /// `row` counts the header as row 1.
  case unterminatedQuote(row: Int)
}

extension CSVError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreadableTextFile:
      "the file's encoding is unknown: it is not text in UTF-8, UTF-16 or Windows-1252; save it as CSV UTF-8"
    case .missingRequiredColumns(let columns):
      "the first row names no column \(columns.map { "'\($0.rawValue)'" }.joined(separator: " and no column "))"
    case .rowLimitExceeded(let limit):
      "the file has more than \(limit) rows; split it"
    case .tooLarge(let bytes, let limit):
      "the file has \(sizeText(bytes)), more than \(sizeText(limit)); split it"
    case .tooManyColumns(let count, let limit):
      "the first row has \(count) columns, more than \(limit)"
    case .unterminatedQuote(let row):
      "a quoted cell of row \(row) is never closed; write \" inside a quoted cell as \"\""
    }
  }
}
