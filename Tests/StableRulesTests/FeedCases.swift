import FlowModel
import StableModel
import StableRules

/// The contents of `feed_board.json`.
struct GivenHorse: Decodable {
  let name: String
  /// Defaults to the day of the step.
  let added: String?
  let schedule: GivenSchedule?
}

struct GivenSchedule: Decodable {
  struct Meal: Decodable {
    let grain: String
    let supplements: [String]
    let medications: [String]

    var meal: FeedMeal { FeedMeal(grain: grain, supplements: supplements, medications: medications) }
  }
  let am: Meal
  let pm: Meal

  var feed: FeedSchedule { FeedSchedule(am: am.meal, pm: pm.meal) }
}

struct FeedView: Decodable {
  let at: String
  let date: String?
}

struct FeedStep: Decodable {
  /// A name, or for `addHorse` a complete horse.
  enum Who: Decodable {
    case name(String)
    case given(GivenHorse)

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      self =
        if let name = try? value.decode(String.self) { .name(name) } else { .given(try value.decode(GivenHorse.self)) }
    }
  }

  let op: String
  let at: String
  let horse: Who?
  let slot: String?
  let by: String?
  let date: String?
  let `for`: String?
  let schedule: GivenSchedule?
  let enabled: Bool?
}

struct FeedResultCase: Decodable, Equatable {
  let code: String
  var date: String?
  var slot: String?
  var horses: [String]?
  var count: Int?

  init(code: String) { self.code = code }

  init(_ outcome: FeedOutcome) {
    code = outcome.code
    date = outcome.change?.date.description
    horses = outcome.change?.horses
    switch outcome {
    case .undone(let change): slot = change.slot.rawValue
    case .closed(let date, let count): (self.date, self.count) = (date.description, count)
    case .alreadyClosed(let date): self.date = date.description
    default: break
    }
  }

  init(_ reminder: FeedReminder) {
    code = reminder.code
    if case .speaks(let rows) = reminder { horses = rows.map(\.horse) }
  }
}

struct BoardCase: Decodable, Equatable {
  struct State: Decodable, Equatable {
    let state: String
    var at: String?
    var by: String?

    init(_ state: FeedBoard.State) {
      switch state {
      case .fed(let at, let by):
        self.state = "fed"
        self.at = at?.description
        self.by = by
      case .open: self.state = "open"
      case .noSchedule: self.state = "no-schedule"
      case .missed: self.state = "missed"
      }
    }
  }
  struct Row: Decodable, Equatable {
    let horse: String
    let am: State
    let pm: State
  }
  let date: String
  let horses: [Row]

  init(_ board: FeedBoard) {
    date = board.date.description
    horses = board.rows.map { Row(horse: $0.horse, am: State($0.am), pm: State($0.pm)) }
  }
}

struct HistoryCase: Decodable, Equatable {
  let date: String
  let horse: String
  let am: String
  let pm: String
}
