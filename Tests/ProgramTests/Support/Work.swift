import FlowModel
import FlowTestKit
import Glibc

/// Operations of a daemon that may be interrupted; each must leave the old or the new state.
enum Work: String, CaseIterable, Sendable {
  case backup, restore, teamRestore, clear, importing, migration
  /// An import of the same visits with other photos of the same size.
  case photos
  /// Changed dates of stops: one skipped, one moved, all of a day moved, all of a technician given to another one, and a
  /// moved day undone.
  case skip, move, dayMove, cover, undo
  /// The dates of a pool's service, a pause, and a pause that ends before its last day.
  case service, pause, resume
  /// Recurring work that is added, and that was done; a logged visit with readings, doses and work that was done.
  case workAdd, workDone, visit
  /// An import of a forecast.
  case weather

  /// The operations that exist on the engine under test: a server has its own restore, and its migrations are tested
  /// elsewhere.
  static let ofEngine = allCases.filter { !ServerStores.isChosen || ($0 != .restore && $0 != .migration) }

  /// The operations that write files on this machine. On a server most changes of records write none.
  static let ofDisk = ofEngine.filter { !ServerStores.isChosen || $0.writesFiles }

  /// Whether it writes files besides the store: a backup, an upload, a photo or a marker.
  private var writesFiles: Bool {
    switch self {
    case .backup, .restore, .teamRestore, .clear, .importing, .migration, .photos, .weather: true
    case .skip, .move, .dayMove, .cover, .undo, .service, .pause, .resume, .workAdd, .workDone, .visit: false
    }
  }

  /// Whether the records that it adds get random ids.
  var makesRandomIDs: Bool { self == .visit }

  /// The number of calls tried in a sample. An operation of one short transaction gets fewer.
  var sample: Int {
    switch self {
    case .backup, .restore, .teamRestore, .clear, .importing, .migration, .photos, .skip, .service, .workDone: 12
    case .move, .dayMove, .cover, .undo, .pause, .resume, .workAdd, .visit, .weather: 3
    }
  }

  /// The commands that make the state before the operation, without the team.
  func preparation(_ pool: WorkPool) -> [[String]] {
    switch self {
    case .cover: [["technician", "add", "zoe"]]
    case .undo: [Work.dayMove.words(pool)]
    case .resume: [["pool", "pause", pool.name, "\(pool.past)..\(pool.dayAfter)", "--reason", "away"]]
    default: []
    }
  }

  /// The command of an operation that changes a pool of the team, without the team; empty for other operations.
  func words(_ pool: WorkPool) -> [String] {
    let (name, date) = (pool.name, pool.date.description)
    return switch self {
    case .skip: ["stop", "skip", name, date, "--reason", "gate locked"]
    case .move: ["stop", "move", name, "--from", date, "--to", "\(pool.dayAfter)", "--reason", "rain"]
    case .dayMove: ["day", "move", date, "--to", "\(pool.dayAfter)", "--reason", "rain"]
    case .cover:
      ["cover", date, "--technician", pool.technician, "--by", "zoe", "--max-late", "1000", "--reason", "flu", "--yes"]
    case .undo: ["stop", "undo", "1"]
    case .service: ["pool", "set", name, "service=every 2 weeks from \(date)"]
    case .pause: ["pool", "pause", name, "\(date)..\(pool.dayAfter)", "--reason", "family away"]
    case .resume: ["pool", "resume", name]
    case .workAdd: ["work", "add", name, "Check heater", "--every", "6 months", "--from", date]
    case .workDone: ["work", "done", name, "Clean filter"]
    case .visit:
      [
        "visit", "log", name, "--at", "\(pool.past) 12:00", "--ph", "8.1", "--alkalinity", "70", "--free-chlorine",
        "0.5", "--salt", "3000", "--dose", "all", "--done", "Clean filter", "--notes", "Brushed tile",
      ]
    case .backup, .restore, .teamRestore, .clear, .importing, .migration, .photos, .weather: []
    }
  }
}

/// The pool that an operation changes.
struct WorkPool: Sendable {
  let name: String
  let technician: String
  /// The next date of service from the day after tomorrow on.
  let date: CivilDate
  /// A date before today in every zone.
  let past: CivilDate

  /// - Parameter day: the number of the pool's weekday.
  init(name: String, day: Int, technician: String) {
    let today = CivilDate(daysSince1970: time(nil) / 86_400)
    self.name = name
    self.technician = technician
    date = (2..<9).map { today.adding(days: $0) }.first { $0.weekday.rawValue == day } ?? today
    past = today.adding(days: -2)
  }

  var dayAfter: CivilDate { date.adding(days: 1) }

  /// A forecast of three hours of the date.
  var forecast: String {
    "time,air_c,rain_mm\n" + (14..<17).map { "\(date)T\($0):00:00Z,\($0 - 15),2\n" }.joined()
  }
}
