import PoolControl
import FlowControl
import FlowPlatform
import FlowStore
import Foundation
import Testing

extension Programs {
  /// Photos of visits: stored and deleted together with their visit.
  @Suite struct PhotoTests {
    /// Larger than one chunk of an upload.
    private let picture =
      Data([0xFF, 0xD8, 0xFF, 0xE0]) + Data((0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 * 7) })
    private let visit = ["visit", "log", "Steve Baird", "--team", "desert-blue", "--ph", "7.5", "--dose", "none"]

    private func daemon() throws -> Daemon { try Daemon(at: DemoStore.madeAt).start() }

    private func file(_ daemon: Daemon, _ name: String, _ bytes: Data) throws -> String {
      try daemon.scratch.write(name, bytes)
      return "\(daemon.scratch.path)/\(name)"
    }

    private func folder(_ daemon: Daemon) -> String { "\(daemon.state)/photos/1" }

    private func names(_ daemon: Daemon) -> Set<String> {
      Set((try? FileManager.default.contentsOfDirectory(atPath: folder(daemon))) ?? [])
    }

    private func log(_ daemon: Daemon, _ words: [String]) throws -> Answer {
      try Pfctl.run(words + ["--socket", daemon.socket], in: daemon.scratch)
    }

    private func logged(_ daemon: Daemon, photo: String) throws -> String {
      let answer = try log(daemon, visit + ["--photo", photo, "--json"])
      #expect(answer.code == 0, "\(answer.errors)")
      return try JSONDecoder().decode(FieldCall.LogVisit.Reply.self, from: Data(answer.output.utf8)).visit.id
    }

    @Test func `a photo is kept byte by byte, backed up, and deleted with its visit`() throws {
      let daemon = try daemon()
      let before = names(daemon)
      let id = try logged(daemon, photo: try file(daemon, "pool.jpg", picture))
      #expect(names(daemon).subtracting(before) == ["\(id).bin"])
      #expect(try Data(contentsOf: URL(filePath: "\(folder(daemon))/\(id).bin")) == picture)
      let visits = try daemon.query(
        FieldCall.ListVisits.Reply.self, "visit", "list", "Steve Baird", "--team", "desert-blue", "--limit", "1")
      #expect(visits.visits.first?.photo == true)
      let photos = { try daemon.query(BackupCall.Show.Reply.self, "backup", "show", "latest").archives.map(\.photos) }
      try daemon.change("backup", "create")
      let with = try photos().reduce(0, +)
      let folder = "\(daemon.scratch.path)/archives"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      try daemon.change("backup", "export", "latest", "--output", folder, "--team", "desert-blue")
      let members = try Files.names(in: folder).flatMap { try ZIPArchive(path: "\(folder)/\($0)").entries.map(\.name) }
      #expect(members.contains("media/service-events/\(id).bin"), "\(members.filter { $0.hasPrefix("media") })")
      try daemon.change("visit", "undo", "Steve Baird", "--team", "desert-blue")
      #expect(names(daemon) == before)
      try daemon.change("backup", "create")
      #expect(try photos().reduce(0, +) == with - 1)
    }

    @Test func `a refused photo or visit leaves neither a visit nor a file`() throws {
      let daemon = try daemon()
      let before = names(daemon)
      let visits = try daemon.ask("export", "visits", "--team", "desert-blue").output
      let good = try file(daemon, "pool.jpg", picture)
      let text = try file(daemon, "notes.jpg", Data("this is no picture".utf8))
      let empty = try file(daemon, "empty.jpg", Data())
      let large = try file(daemon, "large.jpg", picture)
      #expect(truncate(large, 33 << 20) == 0)
      let bad: [([String], String)] = [
        (visit + ["--photo", text], "'notes.jpg' is not a photo"), (visit + ["--photo", empty], "is empty"),
        (visit + ["--photo", large], "at most"), (visit + ["--photo", "/nonexistent.jpg"], "No such file"),
        (visit + ["--photo", daemon.scratch.path], "is a directory"),
        (visit + ["--photo", good, "--temp", "300"], "32 and 140"),
        (visit.dropLast() + ["Unobtainium=4", "--photo", good], "no stock item 'Unobtainium'"),
        (["visit", "log", "Unknown Customer", "--team", "desert-blue", "--ph", "7.5", "--photo", good], "no pool"),
      ]
      for (words, part) in bad {
        let answer = try log(daemon, words)
        #expect(answer.code != 0 && answer.errors.contains(part), "\(words): \(answer.errors)")
      }
      #expect(names(daemon) == before)
      // An upload is deleted when its connection ends, which the daemon notices only after `pfctl` has exited.
      try eventually("no upload is left", { Files.names(in: "\(daemon.state)/uploads").isEmpty })
      #expect(try daemon.ask("export", "visits", "--team", "desert-blue").output == visits)
    }

    @Test func `reports embed photos up to 5 MiB and explain any missing photo`() throws {
      let daemon = try daemon()
      func report(_ photo: Data) throws -> String {
        _ = try logged(daemon, photo: try file(daemon, "pool.jpg", photo))
        let path = daemon.scratch.path + "/report.html"
        try daemon.change(
          "report", "visit", "Steve Baird", "--team", "desert-blue", "--format", "html", "--output", path)
        return try Files.text(path)
      }
      let largest = picture + Data(repeating: 0xA5, count: (5 << 20) - picture.count)
      #expect(try report(largest).contains("<img src=\"data:image/jpeg;base64,\(largest.base64EncodedString())\""))
      let tooLarge = try report(largest + [0])
      #expect(tooLarge.contains("The photo of the visit is too large for this page: 5.2\u{A0}MB."))
      let heic = try report(Data([0, 0, 0, 0x18]) + Data("ftypheic".utf8))
      #expect(heic.contains("The photo of the visit has a format that this page cannot show: HEIC."))
      for name in names(daemon) { #expect(unlink("\(folder(daemon))/\(name)") == 0) }
      let lost = try daemon.ask("report", "visit", "Steve Baird", "--team", "desert-blue", "--format", "html").output
      if case .file = daemon.place {
        #expect(lost.contains("The photo of the visit cannot be read."))
      } else {
        // On a server the photo is in the database.
        #expect(lost.contains("a format that this page cannot show: HEIC."))
      }
      #expect([tooLarge, heic, lost].allSatisfy { !$0.contains("<img") })
    }

    @Test func `a removed pool's photos are deleted`() throws {
      let daemon = try daemon()
      let before = names(daemon)
      let id = try logged(daemon, photo: try file(daemon, "pool.jpg", picture))
      #expect(names(daemon).contains("\(id).bin"))
      try daemon.change("pool", "remove", "Steve Baird", "--team", "desert-blue", "--yes")
      #expect(!names(daemon).contains("\(id).bin") && names(daemon).isSubset(of: before))
    }

    @Test func `a crash between photo file and commit is repaired at the next start`() throws {
      let daemon = try daemon()
      let before = names(daemon)
      let id = try logged(daemon, photo: try file(daemon, "pool.jpg", picture))
      try daemon.kill()
      // One visit was committed before its photo was renamed; another photo's visit was never committed.
      let path = folder(daemon)
      #expect(rename("\(path)/\(id).bin", "\(path)/.\(id).bin.partial") == 0)
      try picture.write(to: URL(filePath: "\(path)/.5A3E17B0-0000-4000-8000-00000000BEEF.bin.partial"))
      try daemon.start()
      #expect(names(daemon).subtracting(before) == ["\(id).bin"])
    }

    @Test func `after an interrupted change, photos without a visit are deleted at start`() throws {
      let daemon = try daemon()
      let id = try logged(daemon, photo: try file(daemon, "pool.jpg", picture))
      let before = names(daemon)
      try daemon.kill()
      let path = folder(daemon)
      let stray = "5A3E17B0-0000-4000-8000-00000000BEEF.bin"
      try picture.write(to: URL(filePath: "\(path)/\(stray)"))
      try daemon.start()
      #expect(names(daemon) == before.union([stray]), "without a mark nothing says that it may go")
      try daemon.kill()
      // The visit was committed with a photo of another size than the existing file.
      try picture.write(to: URL(filePath: "\(path)/.\(id).bin.partial"))
      try Data("old".utf8).write(to: URL(filePath: "\(path)/\(id).bin"))
      try Data().write(to: URL(filePath: "\(path)/.unsettled"))
      try daemon.start()
      #expect(names(daemon) == before)
      #expect(try Data(contentsOf: URL(filePath: "\(path)/\(id).bin")) == picture)
    }
  }
}
