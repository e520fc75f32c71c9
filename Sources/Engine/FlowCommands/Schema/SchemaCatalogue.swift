internal import FlowControl
import FlowModel
internal import FlowNotices
internal import FlowWork
internal import PoolDigests
internal import PoolJobs
internal import StableDigests
internal import StableJobs
internal import Trades

/// A JSON format for other programs: its versioned name, its description and its type.
struct SchemaEntry: Sendable {
  /// The value of the field `schema`; for an event, its type.
  let name: String
  /// One line without a full stop.
  let summary: String
  /// True if the document has its name in a field `schema`.
  let namesItself: Bool
  let shapes: @Sendable () throws -> JSONShapes
  /// Optional fields besides those of the type.
  var additionalParts: [Part] = []
  /// Fields of the type with a fixed value.
  var constants: [String: String] = [:]

  /// An additional optional field.
  struct Part: Sendable {
    let name: String
    /// True if the field is an object with arbitrary keys whose values have this type.
    let isMap: Bool
    let shapes: @Sendable () throws -> JSONShapes
  }

  /// Every format, sorted by name.
  static let all = (documents + events + [error, inbox]).sorted { $0.name < $1.name }

  /// Finds a format by its full name, or without its version or without the prefix `pfctl.`.
  static func named(_ word: String) -> SchemaEntry? {
    all.first { $0.name == word } ?? all.first { $0.plainName == word || $0.plainName == "pfctl.\(word)" }
  }

  var plainName: String { name.split(separator: "/").first.map(String.init) ?? name }

  // MARK: Documents of commands

  private static var documents: [SchemaEntry] {
    var commands: [String: [String]] = [:]
    var found: [JSONDocument] = []
    for command in CommandCatalogue.commands {
      for document in command.documents {
        if commands[document.schema] == nil { found.append(document) }
        commands[document.schema, default: []].append("`pfctl \(command.description.name)`")
      }
    }
    return found.map { document in
      let names = (commands[document.schema] ?? []).joined(separator: ", ")
      let isWritten = commands[document.schema]?.count == 1 ? "writes" : "write"
      return SchemaEntry(
        name: document.schema,
        summary: document.isLine ? "each line of \(names) with --json" : "what \(names) \(isWritten) with --json",
        namesItself: true, shapes: { try document.shapes })
    }
  }

  private static var error: SchemaEntry {
    SchemaEntry(
      name: "pfctl.error/1", summary: "what any command writes to standard error with --json if it fails",
      namesItself: true, shapes: { try JSONShapes(of: FailureReport.self) })
  }

  private static var inbox: SchemaEntry {
    SchemaEntry(
      name: "poolflow.inbox/1", summary: "the .result file beside a file that was dropped into the inbox",
      namesItself: true,
      shapes: { try JSONShapes(of: InboxResultView.self) })
  }

  // MARK: Events

  private static var events: [SchemaEntry] {
    let ofTeam = JobCatalogue.every.ofTeam.filter { $0 != .feedReset }.map { kind in
      let details = details(of: kind)
      return event(kind.rawValue, details: details, namesPools: details == MorningDigest.self)
    }
    return ofTeam + [
      event("reminder", details: ReminderDigest.self, isExactType: false), event(OperatorNotice.job, details: nil),
    ]
  }

  /// The type of the event's details; nil if the job has none.
  private static func details(of kind: JobKind) -> (any (Decodable & SendableMetatype).Type)? {
    switch kind {
    case .morningSummary, .routePreview: MorningDigest.self
    case .weeklyDigest: WeekDigest.self
    case .barnDigest: BarnDigest.self
    case .barnWeek: BarnWeek.self
    default: nil
    }
  }

  /// - Parameters:
  ///   - namesPools: true if a sensitive sink also gets the pools' names.
  ///   - isExactType: true if the type is exactly this name; false if it is a prefix, as for `org.poolflow.reminder-filters`.
  private static func event(
    _ job: String, details: (any (Decodable & SendableMetatype).Type)?, namesPools: Bool = false,
    isExactType: Bool = true
  ) -> SchemaEntry {
    let type = "org.poolflow.\(job)"
    var entry = SchemaEntry(
      name: "\(type)/1", summary: "the data of an event whose type is \(type)\(isExactType ? "" : "-NAME")",
      namesItself: false,
      shapes: { try JSONShapes(of: NoticeData.self) })
    if isExactType { entry.constants["job"] = job }
    func add(_ name: String, _ type: any (Decodable & SendableMetatype).Type, isMap: Bool = false) {
      entry.additionalParts.append(Part(name: name, isMap: isMap) { try JSONShapes(of: type) })
    }
    if let details { add("details", details) }
    add("recipient", RecipientData.self)
    add("told_otherwise", Bool.self)
    if namesPools { add("access", AccessData.self, isMap: true) }
    return entry
  }
}
