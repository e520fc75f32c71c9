import Dispatch
import FlowDelivery
import FlowDeliveryKit
import FlowModel
import FlowNotices
import FlowTestKit
import Glibc
import Synchronization
import Testing

/// A web server's folder: files are always complete, withdrawn names disappear, and a failing disk is reported like any sink
/// failure.
struct PublishSinkTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(inMemory: true) }

  private func sink(_ sites: FakeSites, _ calls: any SiteFileSystemCalls = LinuxFileSystemCalls()) -> PublishSink {
    PublishSink(name: "web", path: folder.path, source: sites, calls: calls)
  }

  private func page(_ team: Int64, _ file: String = "today.html") -> [UInt8]? {
    // Nil for a missing file.
    try? folder.bytes("p/\(FakeSites.name(team))/\(file)")
  }

  private func inode(_ path: String) -> UInt64 {
    var status = stat()
    return lstat("\(folder.path)/\(path)", &status) == 0 ? UInt64(status.st_ino) : 0
  }

  @Test func `published files are readable by a web server and not listed anywhere`() async throws {
    #expect(try await sink(FakeSites("one")).maintain())
    #expect(folder.mode("p") == 0o711 && folder.mode("p/\(FakeSites.name(1))") == 0o755)
    #expect(folder.mode("p/\(FakeSites.name(1))/today.html") == 0o644 && folder.mode("index.html") == 0o644)
    #expect(folder.names("") == ["index.html", "p", "robots.txt"])
    #expect(!String(decoding: try folder.bytes("index.html"), as: UTF8.self).contains("href"))
    #expect(try folder.bytes("robots.txt") == Array("User-agent: *\nDisallow: /\n".utf8))
    #expect(folder.names("p/\(FakeSites.name(2))") == ["route.ics", "today.html"])
  }

  @Test func `only changed files are written and only changed teams are queried`() async throws {
    let sites = FakeSites("one")
    let sink = sink(sites)
    #expect(try await sink.maintain())
    #expect(sites.asked() == [1, 2])
    let before = inode("p/\(FakeSites.name(1))/today.html")
    #expect(try await sink.maintain() && sites.asked() == [])
    sites.say("two", teams: 2...2)
    #expect(try await sink.maintain() && sites.asked() == [2])
    #expect(page(2) == FakeSites.files("two", 2)["today.html"])
    // A notice triggers a new query, and an unchanged page keeps its file, so that HTTP caching works.
    #expect(await sink.deliver([sampleEntry(1, sink: "web")]) == [.delivered])
    #expect(sites.asked() == [1] && inode("p/\(FakeSites.name(1))/today.html") == before)
    // A new process has no state and rewrites nothing either.
    #expect(try await self.sink(sites).maintain())
    #expect(inode("p/\(FakeSites.name(1))/today.html") == before)
  }

  @Test func `a page that differs only in the time at which it was made is not written again`() async throws {
    let sites = FakeSites("one", teams: 1...1)
    let sink = sink(sites)
    func say(_ words: String, at time: String) {
      let head = "<!doctype html>\n<html lang=\"en\"><head>\(PageSignature.robots)"
      let bytes = Array("\(head)\(words) <p>Made <time>\(time)</time>.</p>".utf8)
      sites.state.withLock { state in
        state.pageVersions[TeamID(1)] = words + time
        state.pages[TeamID(1)] = [SitePages(name: FakeSites.name(1), owner: "team 1", files: ["today.html": bytes])]
      }
    }
    func text() -> String { String(decoding: page(1) ?? [], as: UTF8.self) }
    say("one", at: "7:00 AM")
    #expect(try await sink.maintain() && text().hasSuffix("one <p>Made <time>7:00 AM</time>.</p>"))
    let before = inode("p/\(FakeSites.name(1))/today.html")
    say("one", at: "11:00 AM")
    #expect(try await sink.maintain() && text().contains("7:00 AM"))
    #expect(inode("p/\(FakeSites.name(1))/today.html") == before)
    say("two", at: "12:00 PM")
    #expect(try await sink.maintain() && text().hasSuffix("two <p>Made <time>12:00 PM</time>.</p>"))
    // A longer file is another file.
    say("two", at: "12:00 PM</time> more <time>")
    #expect(try await sink.maintain() && text().contains("more"))
  }

  @Test func `a withdrawn name is removed, and other files stay`() async throws {
    let sites = FakeSites("one")
    let sink = sink(sites)
    #expect(try await sink.maintain())
    try folder.make("p/holiday-photos")
    try folder.write("p/notes.txt", "mine")
    let other = String(repeating: "f", count: 32)
    sites.state.withLock { $0.pages[TeamID(1)] = [FakeSites.site("one", 1, name: other)] }
    #expect(try await sink.withdraw().isEmpty)
    #expect(page(1) == nil && page(2) != nil)
    sites.say("three", teams: 2...2)
    #expect(await sink.deliver([sampleEntry(1, sink: "web")]) == [.delivered])
    #expect(folder.names("p") == [FakeSites.name(2), other, "holiday-photos", "notes.txt"].sorted())
  }

  @Test func `a name withdrawn while its pages are written leaves no folder`() async throws {
    let sites = FakeSites("one")
    let other = String(repeating: "f", count: 32)
    // The name changes after the first file of its folder was written.
    let calls = GatedFileCalls(afterReplace: { name in
      guard name == "route.ics" else { return }
      sites.state.withLock { $0.pages[TeamID(1)] = [FakeSites.site("one", 1, name: other)] }
    })
    let sink = sink(sites, calls)
    #expect(try await sink.maintain())
    #expect(folder.names("p") == [FakeSites.name(2)])
    #expect(sink.pageObstacles.isEmpty)
    #expect(await sink.deliver([sampleEntry(1, sink: "web")]) == [.delivered])
    #expect(folder.names("p") == [FakeSites.name(2), other])
  }

  @Test func `a withdrawal waits for pages that are being written`() async throws {
    let sites = FakeSites("one", teams: 1...1)
    let other = String(repeating: "f", count: 32)
    let withdrawal = Mutex<Task<[SiteObstacle], any Error>?>(nil)
    let sinkReference = Mutex<PublishSink?>(nil)
    let end = DispatchSemaphore(value: 0)
    let calls = GatedFileCalls(afterReplace: { name in
      guard name == "route.ics", let sink = sinkReference.withLock({ $0 }) else { return }
      sites.state.withLock { $0.pages[TeamID(1)] = [FakeSites.site("one", 1, name: other)] }
      // A task, because this hook cannot wait for a withdrawal that waits for the hook's page; the test awaits it below.
      let task = Task {
        defer { end.signal() }
        return try await sink.withdraw()
      }
      withdrawal.withLock { $0 = task }
      // The second page is not written yet, so the withdrawal must still be waiting. The bound is the time in which a
      // withdrawal that did not wait would end.
      #expect(end.wait(timeout: .now() + .milliseconds(200)) == .timedOut)
    })
    let sink = sink(sites, calls)
    sinkReference.withLock { $0 = sink }
    #expect(try await sink.maintain())
    #expect(try await withdrawal.withLock { $0 }?.value.isEmpty == true)
    #expect(folder.names("p").isEmpty && sink.pageObstacles.isEmpty)
  }

  @Test func `a crash at any point leaves complete files, and the next start updates them`() async throws {
    var point = 0
    while true {
      point += 1
      for name in folder.names("") { try folder.remove(name) }
      let sites = FakeSites("old")
      #expect(try await sink(sites).maintain())
      sites.say("new", teams: 1...2)
      let gate = CrashGate(crashAt: point)
      _ = try? await sink(sites, GatedFileCalls(gate: gate)).maintain()
      for team in Int64(1)...2 {
        for file in ["today.html", "route.ics"] {
          let found = page(team, file)
          #expect(
            found == FakeSites.files("old", team)[file] || found == FakeSites.files("new", team)[file], "at \(point)")
        }
      }
      #expect(try await sink(sites).maintain())
      for team in Int64(1)...2 {
        #expect(page(team) == FakeSites.files("new", team)["today.html"], "at \(point)")
        #expect(folder.names("p/\(FakeSites.name(team))") == ["route.ics", "today.html"], "at \(point)")
      }
      if !gate.isDead { break }
    }
    #expect(point > 20)
  }

  @Test(arguments: [GatedFileCalls.Step.create, .write, .sync, .close, .replace], [ENOSPC, EIO, EROFS, EACCES])
  func `a failing disk makes the sink unhealthy without a notice, and it recovers`(
    step: GatedFileCalls.Step, code: Int32
  ) async throws {
    let time = ManualTime()
    let sites = FakeSites("old")
    #expect(try await sink(sites).maintain())
    sites.say("new", teams: 1...2)
    let calls = GatedFileCalls(faults: [.init(step: step, code: code, calls: 1...Int.max)])
    let healthy = try TemporaryFolder(inMemory: true)
    try healthy.make("drop")
    let drop = FileDropSink(name: "drop", path: healthy.path + "/drop", source: "/poolflow/test")
    let outbox = MemoryOutbox([sampleEntry(1, sink: "drop")])
    let told = Mutex<[String]>([])
    let dispatcher = Dispatcher(
      store: outbox, sinks: [sink(sites, calls), drop], wallClock: time.wallClock, clock: time
    ) { event in
      switch event {
      case .sick(let sink, _, _): told.withLock { $0.append("\(sink) sick") }
      case .well(let sink): told.withLock { $0.append("\(sink) well") }
      case .refused, .working, .degraded, .restored: break
      }
    }
    for _ in 1...3 { await dispatcher.drain(clock: time) }
    let status = try #require(await dispatcher.statuses().first { $0.sink == "web" })
    let trouble = "\(try #require(status.trouble))"
    #expect(trouble.contains("(errno \(code))") && !trouble.contains(FakeSites.name(1)))
    #expect(page(1) == FakeSites.files("old", 1)["today.html"])
    #expect(await outbox.states == [.sent])
    calls.heal()
    await dispatcher.drain(clock: time)
    #expect(await dispatcher.statuses().allSatisfy { $0.trouble == nil })
    #expect(page(2) == FakeSites.files("new", 2)["today.html"])
    #expect(folder.names("p/\(FakeSites.name(2))") == ["route.ics", "today.html"])
    #expect(told.withLock { $0 } == ["web sick", "web well"])
  }

  @Test func `a missing folder stalls notices without naming secrets, and is filled once present`() async throws {
    let sites = FakeSites("one")
    let sink = PublishSink(name: "web", path: folder.path + "/gone", source: sites)
    for verdict in await sink.deliver(sampleEntries(3, sink: "web")) {
      guard case .stalled(.temporary(let reason, _)) = verdict else {
        Issue.record("\(verdict)")
        continue
      }
      #expect("\(reason)".contains("'\(folder.path)/gone' does not exist; create it"))
    }
    try folder.make("gone")
    #expect(await sink.deliver(sampleEntries(3, sink: "web")) == [.delivered, .delivered, .delivered])
    #expect(folder.names("gone/p").count == 2)
  }

  @Test func `secret names are unique and have 32 hexadecimal digits`() {
    var random = SystemRandomNumberGenerator()
    let names = (1...1_000).map { _ in SecretName.make(using: &random) }
    #expect(Set(names).count == 1_000 && names.allSatisfy(SecretName.isSecretName))
    struct Ones: RandomNumberGenerator { func next() -> UInt64 { 1 } }
    var ones = Ones()
    #expect(SecretName.make(using: &ones) == String(repeating: "0000000000000001", count: 2))
    for word in [
      "", String(repeating: "A", count: 32), String(repeating: "a", count: 31), "../" + names[0].dropFirst(3),
    ] {
      #expect(!SecretName.isSecretName(word))
    }
  }
}
