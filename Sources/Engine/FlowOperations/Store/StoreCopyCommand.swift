package import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import FlowPlatform
internal import Glibc

/// `pfctl store copy`: copies the records between the SQLite file and a PostgreSQL server. `poolflowd` copies them; this
/// command passes the target and prints the result.
package enum StoreCopyCommand: Command {
  package static let description = CommandDescription(
    "store copy", "copy all records to another database engine, while no daemon runs",
    options: [
      .init(
        "to", "PLACE",
        "the target: postgresql (the server in the settings), sqlite (a file), or a libpq connection string",
        isRequired: true)
    ],
    details: [
      "Stop the daemon first: both stores are locked during the copy. Every table is counted and compared row by row "
        + "before the copy is valid; a database or file that already has a store is refused, and a failed copy is "
        + "removed. The source is not changed.",
      "postgresql means the server in [Store] Connection = of the settings, with the password of its Credential =. "
        + "Afterwards set Engine = and start the daemon. Photos are copied, too; archives and the drop folder stay where "
        + "they are.",
      "Run it as the daemon's user, or as root.",
    ],
    examples: ["pfctl store copy --to 'service=poolflow'", "pfctl store copy --to sqlite"])

  package static let documents: [JSONDocument] = [.init("store-copy", CopiedStoreView.self)]

  package static func run(_ arguments: Arguments, _ session: Session) throws {
    let copied = try session.copyStore(to: arguments["to"] ?? "")
    let console = session.console
    if console.isJSON { return try console.document("store-copy", copied) }
    var table = Table([.init("TABLE"), .init("ROWS", isNumber: true)])
    for row in copied.tables where row.rows > 0 {
      table.add([.init(row.table), .init(TextFormat.grouped(row.rows))])
    }
    console.table(table)
    console.note(
      "\(TextFormat.count(copied.tables.reduce(0) { $0 + $1.rows }, "row")) copied and compared, from "
        + "\(visible(copied.from)) to \(visible(copied.to))")
  }
}
