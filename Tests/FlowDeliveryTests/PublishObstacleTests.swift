import FlowDelivery
import FlowDeliveryKit
import FlowModel
import FlowTestKit
import Foundation
import Glibc
import Testing

/// An obstacle at a page's path fails only that page: it is named without its secret, all other pages are written, and the page
/// is written once the obstacle is gone.
struct PublishObstacleTests {
  private let site: SiteFixture

  init() throws { site = try SiteFixture() }

  @Test(arguments: SiteFixture.Obstacle.allCases)
  func `an obstacle fails only its own page, until it is removed`(obstacle: SiteFixture.Obstacle) async throws {
    let sites = FakeSites("old", teams: 1...3)
    let sink = site.sink(sites)
    #expect(try await sink.maintain())
    try site.put(obstacle, team: 2)
    for words in ["new", "newer"] {
      sites.say(words, teams: 1...3)
      #expect(try await sink.maintain())
      for team in [Int64(1), 3] { #expect(site.isCurrent(words, team), "\(obstacle)") }
      let found = try #require(sink.pageObstacles.first)
      #expect(sink.pageObstacles.allSatisfy { $0.folder == FakeSites.name(2) })
      #expect(found.description.hasPrefix("pages of team 2: '\(site.folder.path)/p/…"), "\(found)")
      #expect(found.description.contains(obstacle.words), "\(found)")
      #expect(!sink.obstacles.contains { $0.description.contains(FakeSites.name(2)) })
    }
    // The other pages of a partly obstructed folder are written too.
    #expect(site.bytes(2, "route.ics") == FakeSites.files("newer", 2)["route.ics"] || obstacle.isWholeFolder)
    #expect(await sink.deliver([sampleEntry(1, sink: "web")]) == [.delivered])
    try site.remove(obstacle, team: 2)
    #expect(try await sink.maintain() && sink.obstacles.isEmpty)
    for team in Int64(1)...3 { #expect(site.isCurrent("newer", team), "\(obstacle)") }
    #expect(site.isUntouched)
  }

  @Test(arguments: SiteFixture.Change.allCases)
  func `a page that another program changed is written again`(change: SiteFixture.Change) async throws {
    let sites = FakeSites("one", teams: 1...2)
    let sink = site.sink(sites)
    #expect(try await sink.maintain())
    try site.make(change, team: 2)
    #expect(try await sink.maintain() && sink.obstacles.isEmpty)
    #expect(site.isCurrent("one", 1) && site.isCurrent("one", 2), "\(change)")
    #expect(site.isUntouched)
    // Only the changed team was queried.
    #expect(sites.asked() == [1, 2, 2])
  }

  @Test func `a page replaced during its write is reported and written at the next update`() async throws {
    let sites = FakeSites("one")
    let (folder, page) = (site.folder, "p/\(FakeSites.name(1))/today.html")
    let calls = GatedFileCalls(afterReplace: { name in
      if name == "today.html" { try? folder.write(page, "another program's") }
    })
    let sink = site.sink(sites, calls)
    #expect(try await sink.maintain())
    #expect(sink.obstacles.map(\.description).contains { $0.contains("was replaced while the daemon wrote it") })
    #expect(site.isCurrent("one", 2))
    let healed = site.sink(sites)
    #expect(try await healed.maintain() && healed.obstacles.isEmpty && site.isCurrent("one", 1))
  }

  @Test(arguments: [GatedFileCalls.Step.create, .replace], [ENOSPC, EACCES, EPERM, EIO])
  func `a call that fails for one file fails only that page`(step: GatedFileCalls.Step, code: Int32) async throws {
    let sites = FakeSites("old")
    #expect(try await site.sink(sites).maintain())
    sites.say("new", teams: 1...2)
    let name = step == .create ? ".today.html.new" : "today.html"
    let calls = GatedFileCalls(faults: [.init(step: step, code: code, calls: 1...Int.max, name: name)])
    let sink = site.sink(sites, calls)
    #expect(try await sink.maintain())
    #expect(sink.obstacles.count == 2 && sink.obstacles.allSatisfy { $0.description.contains("(errno \(code))") })
    for team in Int64(1)...2 {
      #expect(site.bytes(team, "route.ics") == FakeSites.files("new", team)["route.ics"])
      #expect(site.bytes(team, "today.html") == FakeSites.files("old", team)["today.html"])
    }
    // No other page needs a write now: a probe file tells a disk failure from a page failure.
    #expect(try await sink.maintain() && sink.obstacles.count == 2)
    calls.heal()
    #expect(try await sink.maintain() && sink.obstacles.isEmpty && site.isCurrent("new", 1))
  }

  @Test(.enabled(if: SiteFixture.mayFreeze, "only where this user may make files immutable, on tmpfs since Linux 6.6"))
  func `an immutable page fails only that page`() async throws {
    let sites = FakeSites("old")
    let sink = site.sink(sites)
    #expect(try await sink.maintain())
    try site.freeze(2, true)
    sites.say("new", teams: 1...2)
    #expect(try await sink.maintain())
    #expect(sink.obstacles.map(\.description).contains { $0.contains("today.html': operation not permitted") })
    #expect(site.isCurrent("new", 1))
    try site.freeze(2, false)
    #expect(try await sink.maintain() && sink.obstacles.isEmpty && site.isCurrent("new", 2))
  }

  @Test func `an obstructed file in the root blocks no page`() async throws {
    try site.folder.make("index.html/inside")
    let sink = site.sink(FakeSites("one"))
    #expect(try await sink.maintain())
    #expect(
      sink.obstacles.map(\.description) == [
        "'\(site.folder.path)/index.html' is a folder, but must be a page; move it away"
      ])
    #expect(site.isCurrent("one", 1) && site.isCurrent("one", 2))
  }
}

// MARK: Withdrawn pages

extension PublishObstacleTests {
  private static let gone = String(repeating: "f", count: 32)

  @Test(arguments: ["a folder", "a file", "a link"])
  func `a withdrawn page's folder with other files loses only its pages`(thing: String) async throws {
    let sites = FakeSites("one", teams: 1...3)
    let sink = site.sink(sites)
    #expect(try await sink.maintain())
    let old = "p/\(FakeSites.name(1))"
    switch thing {
    case "a folder":
      try site.folder.make(old + "/photos")
      try site.folder.write(old + "/photos/today.html", "mine")
    case "a file": try site.folder.write(old + "/photos", "mine")
    default: symlink("/etc/hostname", "\(site.folder.path)/\(old)/photos")
    }
    sites.say("two", team: 1, name: Self.gone)
    sites.say("two", teams: 2...3)
    #expect(try await sink.maintain())
    #expect(site.folder.names(old) == ["photos"])
    #expect(sink.obstacles.map(\.description).first?.contains("/p/…/photos' was not made by poolflow") == true)
    #expect(site.isCurrent("two", 1, name: Self.gone) && site.isCurrent("two", 2) && site.isCurrent("two", 3))
    #expect(!(sink.obstacles.map(\.description).first ?? "").contains(FakeSites.name(1)))
    try site.folder.remove(old + "/photos")
    #expect(try await sink.maintain() && sink.obstacles.isEmpty)
    #expect(site.folder.names("p") == [FakeSites.name(2), FakeSites.name(3), Self.gone].sorted())
  }

  @Test(arguments: [false, true])
  func `withdrawn pages restored from a copy are removed again, also by a new process`(isNew: Bool) async throws {
    let sites = FakeSites("one")
    let sink = site.sink(sites)
    #expect(try await sink.maintain())
    let (old, copy) = ("\(site.folder.path)/p/\(FakeSites.name(1))", "\(site.folder.path)/copy")
    try FileManager.default.copyItem(atPath: old, toPath: copy)
    try site.folder.write("copy/.today.html.new", "")
    sites.say("one", team: 1, name: Self.gone)
    #expect(try await sink.maintain() && !FileManager.default.fileExists(atPath: old))
    try FileManager.default.moveItem(atPath: copy, toPath: old)
    let later = isNew ? site.sink(sites) : sink
    #expect(try await later.maintain() && later.obstacles.isEmpty)
    #expect(site.folder.names("p") == [FakeSites.name(2), Self.gone].sorted())
  }

  @Test(arguments: [false, true])
  func `a link at a withdrawn name is reported while it leads to pages, and kept`(isNew: Bool) async throws {
    let sites = FakeSites("one")
    let sink = site.sink(sites)
    #expect(try await sink.maintain())
    try site.put(.link, team: 1)
    sites.say("one", team: 1, name: Self.gone)
    let later = isNew ? site.sink(sites) : sink
    #expect(try await later.maintain())
    #expect(
      later.obstacles.map(\.description) == [
        "pages of a withdrawn address: '\(site.folder.path)/p/…' is a symbolic link to withdrawn pages, but must be "
          + "absent; move it away"
      ])
    #expect(site.isUntouched && site.isCurrent("one", 1, name: Self.gone))
    unlink("\(site.folder.path)/p/\(FakeSites.name(1))")
    #expect(try await later.maintain() && later.obstacles.isEmpty)
  }

  @Test func `a folder that never contained a page is kept, whatever its name`() async throws {
    for name in [Self.gone, "photos", String(repeating: "F", count: 32)] {
      try site.folder.make("p/\(name)/deep")
      try site.folder.write("p/\(name)/today.html", "<!doctype html>\n<html lang=\"en\"><head></head></html>")
      try site.folder.write("p/\(name)/route.ics", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//EN\r\n")
    }
    try site.folder.make("p/\(String(repeating: "e", count: 32))")
    symlink("/nowhere", "\(site.folder.path)/p/\(String(repeating: "d", count: 32))")
    try site.folder.write("p/\(String(repeating: "c", count: 32))", "a file")
    let before = site.folder.names("p").flatMap { site.folder.names("p/\($0)").map(\.self) + [$0] }
    let sink = site.sink(FakeSites("one"))
    #expect(try await sink.maintain() && sink.obstacles.isEmpty)
    let own = Set(["today.html", "route.ics"])
    let after = site.folder.names("p").filter { ![FakeSites.name(1), FakeSites.name(2)].contains($0) }
      .flatMap { site.folder.names("p/\($0)").map(\.self) + [$0] }
    #expect(before == after && own.isSubset(of: after))
  }
}

// MARK: A property

extension PublishObstacleTests {
  /// `POOLFLOW_SEED` is the first seed, `POOLFLOW_OBSTACLES` the number of obstacles.
  @Test func `random obstacles each fail only their own page and leave no trace`() async throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["POOLFLOW_SEED"].flatMap { UInt64($0) } ?? 1
    let wanted = environment["POOLFLOW_OBSTACLES"].flatMap { Int($0) } ?? 150
    // A check costs time for each obstacle that is in place, so many small worlds try more than a crowded one.
    var placed = 0
    var next = seed
    while placed < wanted {
      placed += try await Self.obstruct(min(50, wanted - placed), seed: next)
      next &+= 1
    }
    print("\(placed) obstacles from seed \(seed)")
  }

  /// Places obstacles in a world of their own and clears them; the property is checked after every step.
  ///
  /// - Returns: the number of obstacles that were placed, at least `count`.
  private static func obstruct(_ count: Int, seed: UInt64) async throws -> Int {
    var world = try ObstacleWorld(seed: seed)
    while world.placed < count {
      try await world.step()
      let hasEnded = try await world.sink.maintain()
      #expect(hasEnded, "seed \(seed)")
      world.check()
    }
    try world.clear()
    _ = try await world.sink.maintain()
    world.check()
    #expect(world.sink.obstacles.isEmpty, "seed \(seed)")
    return world.placed
  }
}
