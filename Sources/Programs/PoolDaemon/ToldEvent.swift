import FoundationEssentials
import PoolControl
import PoolModel
import PoolWork

/// What a listener needs of an event, and what nodes tell each other of theirs.
struct ToldEvent: Codable, Hashable, Sendable {
  /// In ms.
  let at: Int64
  let kind: EventKindView
  let state: EventStateView
  /// By name; nil for none's, and where the number says it.
  var team: String?
  var teamID: Int64?
  /// The clocks to tell its times by; nil for the team's, or else the machine's.
  var zone: String?
  var job: String?
  var id: String?
  var sink: String?
  var detail: String

  init(_ stamped: EventBus.Stamped) {
    func told(_ kind: EventKindView, _ state: EventStateView, _ detail: String) -> ToldEvent {
      ToldEvent(at: stamped.at.milliseconds, kind: kind, state: state, detail: detail)
    }
    switch stamped.event {
    case .settled(let settlement):
      let run = settlement.run
      self = told(.run, EventStateView(settlement.outcome.result), settlement.outcome.detail ?? "")
      (teamID, zone, job, id) = (run.teamID?.number, run.zone, run.kind.rawValue, run.key.id(of: run.kind))
    case .cancelled(let run):
      self = told(.run, EventStateView(run.outcome), run.detail ?? "")
      (team, zone, job, id) = (run.team, run.zone, run.kind.rawValue, run.id)
    case .delivered(let entry, let state, let detail):
      self = told(.delivery, state, detail)
      (team, job, id, sink) = (entry.teamName, entry.job, entry.noticeID, entry.sink)
    case .sink(let name, let state, let detail):
      self = told(.sink, state, detail)
      sink = name
    case .team(let name, let detail):
      self = told(.team, .changed, detail)
      team = name
    case .settings(let detail): self = told(.settings, .changed, detail)
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

/// What one node tells the others of its events, in as many calls as it takes.
struct ToldEvents: Sendable {
  private static let word = "events"

  let teller: Teller
  let events: [ToldEvent]
  /// Events that were too many to be told.
  let lost: Int

  /// Who tells: a name, and the mark of its process.
  struct Teller: Hashable, Sendable {
    let name: String
    let mark: String
  }

  init(of teller: Teller, events: [ToldEvent], lost: Int) {
    (self.teller, self.events, self.lost) = (teller, events, lost)
  }

  /// - Returns: nil for any other call, and for one of a version that tells otherwise.
  init?(call: String) {
    let words = call.split(separator: " ", maxSplits: 4)
    guard words.count == 5, words[0] == Self.word, let lost = Int(words[3]),
      let events = try? JSONDecoder().decode([ToldEvent].self, from: Data(words[4].utf8))
    else { return nil }
    self.init(of: Teller(name: String(words[1]), mark: String(words[2])), events: events, lost: lost)
  }

  /// Calls of `Limits.callBytes` each at most. What is too long for one is told without most of its words.
  var calls: [String] {
    var (calls, piece, size, lost) = ([String](), [String](), 0, lost)
    func end() {
      calls.append("\(Self.word) \(teller.name) \(teller.mark) \(lost) [\(piece.joined(separator: ","))]")
      (piece, size, lost) = ([], 0, 0)
    }
    let room = Limits.callBytes - 100
    for event in events {
      guard let text = Self.text(event, within: room) else {
        lost += 1
        continue
      }
      if size + text.utf8.count + 1 > room { end() }
      piece.append(text)
      size += text.utf8.count + 1
    }
    if !piece.isEmpty || lost > 0 { end() }
    return calls
  }

  private static func text(_ event: ToldEvent, within room: Int) -> String? {
    for length in [event.detail.unicodeScalars.count, 500, 0] {
      var short = event
      if length < event.detail.unicodeScalars.count {
        short.detail = String(String.UnicodeScalarView(event.detail.unicodeScalars.prefix(length))) + "…"
      }
      if let data = try? JSONEncoder().encode(short), data.count <= room {
        return String(decoding: data, as: UTF8.self)
      }
    }
    return nil
  }
}
