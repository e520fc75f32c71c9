package import FlowControl
import FlowModel
import FlowServices
import FlowWork

/// An event as sent to listeners and to other nodes.
package struct BroadcastEvent: Hashable, Sendable {
  /// Milliseconds since 1970.
  package let at: Int64
  package let kind: EventKindView
  package let state: EventStateView
  /// The team's name; nil if the event has no team, or has `teamID` instead.
  package var team: String?
  package var teamID: Int64?
  /// Zone for the event's local times; nil for the team's zone, or the machine's without a team.
  package var zone: String?
  package var job: String?
  package var id: String?
  package var sink: String?
  package var detail: String

  package init(_ stamped: EventBus.Stamped) {
    func makeEvent(_ kind: EventKindView, _ state: EventStateView, _ detail: String) -> BroadcastEvent {
      BroadcastEvent(at: stamped.at.milliseconds, kind: kind, state: state, detail: detail)
    }
    switch stamped.event {
    case .settled(let settlement):
      let run = settlement.run
      self = makeEvent(.run, EventStateView(settlement.outcome.result), settlement.outcome.detail ?? "")
      (teamID, zone, job, id) = (run.teamID?.number, run.zone, run.kind.rawValue, run.key.id(of: run.kind))
    case .cancelled(let run):
      self = makeEvent(.run, EventStateView(run.outcome), run.detail ?? "")
      (team, zone, job, id) = (run.team, run.zone, run.kind.rawValue, run.id)
    case .delivered(let entry, let state, let detail):
      self = makeEvent(.delivery, state, detail)
      (team, job, id, sink) = (entry.teamName, entry.job, entry.noticeID, entry.sink)
    case .sink(let name, let state, let detail):
      self = makeEvent(.sink, state, detail)
      sink = name
    case .team(let name, let detail):
      self = makeEvent(.team, .changed, detail)
      team = name
    case .settings(let detail): self = makeEvent(.settings, .changed, detail)
    case .elsewhere(let event): self = event
    }
  }

  private init(at: Int64, kind: EventKindView, state: EventStateView, detail: String) {
    self.at = at
    self.kind = kind
    self.state = state
    self.detail = detail
  }
}

// MARK: Between nodes

extension BroadcastEvent {
  /// Separator of fields (ASCII unit separator); it is removed from the fields, like other control characters.
  private static let mark: Unicode.Scalar = "\u{1F}"

  init?(text: Substring) {
    let fields = text.split(separator: Character(Self.mark), omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 10, let at = Int64(fields[0]), let kind = EventKindView(rawValue: fields[1]),
      let state = EventStateView(rawValue: fields[2])
    else { return nil }
    self.init(at: at, kind: kind, state: state, detail: fields[9])
    func field(_ number: Int) -> String? { fields[number].isEmpty ? nil : fields[number] }
    (team, teamID, zone, job) = (field(3), Int64(fields[4]), field(5), field(6))
    (id, sink) = (field(7), field(8))
  }

  /// All fields as one text, which `init(text:)` parses.
  var text: String {
    var text = String.UnicodeScalarView()
    for field in [
      "\(at)", kind.rawValue, state.rawValue, team, teamID.map { "\($0)" }, zone, job, id, sink, detail,
    ] {
      if !text.isEmpty { text.append(Self.mark) }
      text.append(contentsOf: (field ?? "").unicodeScalars.lazy.filter { $0 > Self.mark || $0 == "\n" || $0 == "\t" })
    }
    return String(text)
  }
}

/// Events that one node broadcasts to the others, split into as many notifications as needed.
struct EventBroadcast: Sendable {
  private static let keyword = "events"
  private static let mark: Character = "\u{1E}"

  let sender: Sender
  let events: [BroadcastEvent]
  /// Number of events that were dropped.
  let lost: Int

  /// The sending node: its name, and the mark of its process.
  struct Sender: Hashable, Sendable {
    let name: String
    let mark: String
  }

  init(of sender: Sender, events: [BroadcastEvent], lost: Int) {
    (self.sender, self.events, self.lost) = (sender, events, lost)
  }

  /// Parses a notification that another node sent.
  ///
  /// - Returns: nil for a notification of another kind. Events that this version cannot parse are skipped.
  init?(call: String) {
    let parts = call.split(separator: Self.mark)
    let header = parts.first?.split(separator: " ") ?? []
    guard header.count == 4, header[0] == Self.keyword, let lost = UInt32(header[3]) else { return nil }
    self.init(
      of: Sender(name: String(header[1]), mark: String(header[2])),
      events: parts.dropFirst().compactMap { BroadcastEvent(text: $0) }, lost: Int(lost))
  }

  /// Notifications of at most `Limits.nodeMessageBytes` each. The detail of an event that is too long is shortened.
  var calls: [String] {
    var (calls, piece, lost) = ([String](), "", lost)
    func end() {
      calls.append("\(Self.keyword) \(sender.name) \(sender.mark) \(lost)\(piece)")
      (piece, lost) = ("", 0)
    }
    let byteLimit = Limits.nodeMessageBytes - 100
    for event in events {
      var shortened = event
      var text = event.text
      if text.utf8.count > byteLimit {
        shortened.detail = String(String.UnicodeScalarView(event.detail.unicodeScalars.prefix(500))) + "…"
        text = shortened.text
      }
      guard text.utf8.count <= byteLimit else {
        lost += 1
        continue
      }
      if piece.utf8.count + text.utf8.count >= byteLimit { end() }
      piece.append(Self.mark)
      piece += text
    }
    if !piece.isEmpty || lost > 0 { end() }
    return calls
  }
}
