import FlowControl
import FlowModel
import FlowPlatform
import FlowTestKit
import Foundation
import Glibc
import Testing

extension Programs {
  /// A recovery leaves all files to the owner of the state directory, and reports an unreadable store as unreadable, not as
  /// empty.
  @Suite struct RecoveryOwnerTests {
    /// The uid of Debian's user `nobody`; the service runs as this user in these tests.
    private static let service: UInt32 = 65_534

    /// A stopped daemon with a copy of its backup outside the state directory.
    private func safeBackup() throws -> (daemon: Daemon, backup: String) {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z").start()
      let backup = try daemon.query(BackupCall.Create.Reply.self, "backup", "create").backup
      try daemon.stop()
      let safe = try daemon.scratch.folder("safe") + "/" + backup.id
      try FileManager.default.copyItem(atPath: backup.path, toPath: safe)
      return (daemon, safe)
    }

    private func recover(asService: Bool = false, _ state: String, _ words: [String], in scratch: Scratch) throws
      -> Answer
    {
      let command = [Checkout.daemon, "--state-dir", state, "--recover"] + words
      guard asService else { return try Program.run(command[0], Array(command.dropFirst()), in: scratch) }
      let user = "\(Self.service)"
      return try Program.run(
        "/usr/bin/setpriv", ["--reuid", user, "--regid", user, "--clear-groups"] + command, in: scratch)
    }

    /// The owners of a folder and of everything below it.
    private func owners(_ folder: String) throws -> Set<UInt32> {
      let names = try FileManager.default.subpathsOfDirectory(atPath: folder).map { "\(folder)/\($0)" }
      return Set(try ([folder] + names).map { try #require(FileFacts(of: $0), "\($0)").owner })
    }

    @Test(.requires(.root))
    func `root's restore, reset and retry keep the state directory's owner`() throws {
      let (daemon, backup) = try safeBackup()
      let state = try daemon.scratch.folder("service")
      #expect(chown(state, Self.service, Self.service) == 0)
      for words in [["restore", backup], ["retry"], ["reset"], ["restore", backup]] {
        let done = try recover(state, words, in: daemon.scratch)
        #expect(done.code == 0, "\(words): \(done.errors)")
        #expect(try owners(state) == [Self.service], "\(words)")
      }
      // The service opens the store that root restored.
      let own = try recover(asService: true, state, ["retry"], in: daemon.scratch)
      #expect(own.code == 0 && own.output.contains("is undamaged"), "\(own)")
    }

    @Test(.requires(.root))
    func `an unreadable store is reported with its owner, not as empty`() throws {
      let (daemon, backup) = try safeBackup()
      let state = try daemon.scratch.folder("service")
      #expect(try recover(state, ["restore", backup], in: daemon.scratch).code == 0)
      // The service owns everything but the store; an older version left it so.
      for name in try FileManager.default.subpathsOfDirectory(atPath: state) where !name.hasPrefix("poolflow.db") {
        #expect(chown("\(state)/\(name)", Self.service, Self.service) == 0)
      }
      #expect(chown(state, Self.service, Self.service) == 0)
      let refused = try recover(asService: true, state, ["retry"], in: daemon.scratch)
      #expect(refused.code == ExitCode.notPermitted, "\(refused)")
      #expect(refused.errors.contains("Permission denied") && refused.errors.contains("belongs to root"), "\(refused)")
      #expect(refused.errors.contains("chown nobody: '") && !refused.errors.contains("empty"), "\(refused)")
    }

    @Test func `backup restore distinguishes kept backups, copies, folders of backups and other folders`() throws {
      let (daemon, safe) = try safeBackup()
      try daemon.start()
      let kept = try #require(try daemon.query(BackupCall.List.Reply.self, "backup", "list").backups.first)
      let folder = URL(filePath: kept.path).deletingLastPathComponent().path
      let other = URL(filePath: safe).deletingLastPathComponent().path
      for (source, words) in [
        (folder, "is the folder of all backups"),
        (safe, "is not in the daemon's backup folder"),
        (other, "is a folder with 1 backup; name one of them; the newest is '\(safe)'"),
        (daemon.scratch.path, "is not a backup: it has no 'manifest.json'"),
      ] {
        let refused = try daemon.ask("backup", "restore", source)
        #expect(refused.code == ExitCode.usage && refused.errors.contains(words), "\(source): \(refused)")
      }
      for source in [kept.path, kept.path + "/"] {
        let restored = try daemon.ask("backup", "restore", source, "--confirm", kept.id)
        #expect(restored.code == 0, "\(source): \(restored.errors)")
      }
    }
  }
}
