import FlowDelivery
import FlowModel
import FlowNotices
import Synchronization

/// The pages that teams publish, set by the test.
final class FakeSites: PublishedPageSource {
  struct State: Sendable {
    var pageVersions: [TeamID: String] = [:]
    var pages: [TeamID: [SitePages]] = [:]
    var asked: [TeamID] = []
  }
  let state: Mutex<State>

  init(_ words: String, teams: ClosedRange<Int64> = 1...2) {
    state = Mutex(State())
    say(words, teams: teams)
  }

  static func name(_ team: Int64) -> String { String(repeating: "0123456789abcde\(team)", count: 2) }

  func say(_ words: String, teams: ClosedRange<Int64>) {
    for team in teams { say(words, team: team, name: Self.name(team)) }
  }

  func say(_ words: String, team: Int64, name: String) {
    state.withLock { state in
      state.pageVersions[TeamID(team)] = words
      state.pages[TeamID(team)] = [Self.site(words, team, name: name)]
    }
  }

  static func site(_ words: String, _ team: Int64, name: String) -> SitePages {
    SitePages(name: name, owner: "team \(team)", files: files(words, team))
  }

  /// The pages start like real ones.
  static func files(_ words: String, _ team: Int64) -> [String: [UInt8]] {
    [
      "today.html": "<!doctype html>\n<html lang=\"en\"><head>\(PageSignature.robots)",
      "route.ics": "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//poolflow//test//EN\r\n",
    ].reduce(into: [:]) { files, page in
      let line = "\(words) \(team) \(page.key)\n"
      files[page.key] = Array((page.value + String(repeating: line, count: 40)).utf8)
    }
  }

  func pageVersions() async throws -> [TeamID: String] { state.withLock { $0.pageVersions } }
  func names() async throws -> Set<String> { state.withLock { Set($0.pages.values.flatMap { $0.map(\.name) }) } }
  func pages(of team: TeamID) async throws -> [SitePages] {
    state.withLock {
      $0.asked.append(team)
      return $0.pages[team] ?? []
    }
  }
  /// The teams queried since the last call.
  func asked() -> [Int64] {
    state.withLock { state in
      defer { state.asked = [] }
      return state.asked.map(\.number)
    }
  }
}
