internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// Shows how the daemon would read a customer list, before anything is imported.
enum ImportPreview {
  /// Prints the meaning assigned to each column.
  static func show(_ columns: [ImportColumnView], on console: Console) {
    var table = Table([.init("COLUMN OF THE FILE", isKey: true), .init("IS TAKEN FOR", isKey: true)])
    for column in columns { table.add([.init(column.heading), .init(column.meaning ?? "- not used")]) }
    console.table(table)
  }

  /// Prints the first rows as the pools they would create.
  static func show(_ rows: [ImportRowView], on console: Console) {
    var table = Table([
      .init("ROW", isNumber: true), .init("IS", isKey: true), .init("CUSTOMER", minWidth: 16, isKey: true),
      .init("ADDRESS", minWidth: 16, isKey: true), .init("DAY"), .init("FEE", isNumber: true),
      .init("GALLONS", isNumber: true), .init("TECHNICIAN", rank: 2, isKey: true), .init("ALSO", minWidth: 10, rank: 1),
    ])
    for row in rows {
      table.add([
        .init("\(row.row)"), .init(row.outcome.rawValue), .init(row.customer ?? "-"), .init(row.address ?? "-"),
        .init(row.day ?? "-"), .init(row.monthlyFee.map { TextFormat.decimal($0, places: 2) } ?? "-"),
        .init(row.volumeGallons.map { TextFormat.decimal($0, places: 0) } ?? "-"), .init(row.technician ?? "-"),
        .init(row.filled.isEmpty ? "-" : row.filled.joined(separator: ", ")),
      ])
    }
    console.table(table)
  }
}
