import FlowBackup
import FlowModel
import FlowTestKit
import Foundation
import Glibc
import Testing

struct InboxFolderTests {
  private let scratch: TemporaryFolder
  private let inbox: InboxFolder
  private let now = Samples.mondayMorning

  init() throws {
    scratch = try TemporaryFolder()
    inbox = InboxFolder(path: scratch.path)
    try FileManager.default.createDirectory(atPath: scratch.path + "/coast", withIntermediateDirectories: false)
  }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(scratch.path)/\(name)"))
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/coast").sorted() }
  }

  @Test func `a file is complete once it is unchanged for twenty seconds`() throws {
    try write("coast/a.csv", "one")
    var watch = InboxWatch()
    #expect(watch.ready(try inbox.list(now: now).waiting, at: now).isEmpty)
    #expect(watch.ready(try inbox.list(now: now).waiting, at: now.advanced(by: .seconds(19))).isEmpty)
    try write("coast/a.csv", "one and two")
    #expect(watch.ready(try inbox.list(now: now).waiting, at: now.advanced(by: .seconds(60))).isEmpty, "it has grown")
    #expect(watch.ready(try inbox.list(now: now).waiting, at: now).isEmpty, "the clock was set back")
    #expect(watch.ready(try inbox.list(now: now).waiting, at: now.advanced(by: .seconds(20))).map(\.name) == ["a.csv"])
  }

  @Test func `a file that changes after the scan is not taken`() throws {
    try write("coast/a.csv", "one")
    let entry = try #require(try inbox.list(now: now).waiting.first)
    try write("coast/a.csv", "one and two")
    #expect(try inbox.take(entry, now: now) == nil)
    #expect(try names == ["a.csv"])
    #expect(unlink("\(scratch.path)/coast/a.csv") == 0)
    #expect(try inbox.take(entry, now: now) == nil, "gone is not taken either")
  }

  @Test func `a claim is found again, counted, copied and settled after any interruption`() throws {
    try write("coast/a b.csv", "one")
    let entry = try #require(try inbox.list(now: now).waiting.first)
    let claim = try #require(try inbox.take(entry, now: now))
    let listing = try inbox.list(now: now)
    #expect(listing.claims == [claim] && listing.waiting.isEmpty)
    let again = try inbox.retake(claim)
    #expect(again.attempt == 2 && again.id == claim.id)
    #expect(try inbox.list(now: now).claims == [again])
    try inbox.copy(again, to: scratch.path + "/copy")
    #expect(try Data(contentsOf: URL(filePath: scratch.path + "/copy")) == Data("one".utf8))
    try inbox.settle(again, imported: true, result: Array("{}".utf8))
    try inbox.settle(again, imported: true, result: Array("{}".utf8))
    #expect(try names == ["a b.csv.\(claim.id).done", "a b.csv.\(claim.id).result"])
    var status = stat()
    #expect(stat("\(scratch.path)/coast/a b.csv.\(claim.id).result", &status) == 0 && status.st_mode & 0o777 == 0o640)
    let later = now.advanced(by: Limits.inboxRetention + .hours(1))
    #expect(try inbox.list(now: later).unsupported.map(\.name) == ["copy"])
    #expect(try names.isEmpty, "what was imported goes after a while")
  }

  @Test func `a refused file stays, and no link is followed outside of the inbox`() throws {
    let elsewhere = try TemporaryFolder()
    try Data("one".utf8).write(to: URL(filePath: elsewhere.path + "/secret.csv"))
    #expect(symlink(elsewhere.path, "\(scratch.path)/linked") == 0)
    #expect(symlink(elsewhere.path + "/secret.csv", "\(scratch.path)/coast/link.csv") == 0)
    #expect(mkfifo("\(scratch.path)/coast/pipe.csv", 0o600) == 0)
    try write("coast/" + String(repeating: "x", count: 201) + ".csv", "one")
    try write("coast/.hidden.csv", "one")
    try write("coast/half.csv.part", "one")
    let listing = try inbox.list(now: now)
    #expect(listing.waiting.isEmpty && listing.claims.isEmpty)
    #expect(listing.unsupported.count == 5, "\(listing.unsupported)")
    try write("coast/b.csv", "one")
    let entry = try #require(try inbox.list(now: now).waiting.first)
    let claim = try #require(try inbox.take(entry, now: now))
    try inbox.settle(claim, imported: false, result: [])
    _ = try inbox.list(now: now.advanced(by: Limits.inboxRetention + .hours(1)))
    #expect(try names.contains("b.csv.\(claim.id).refused"))
  }
}
