import FlowBackup
import FlowControl
import FlowPlatform
import FlowTestKit
import Foundation
import PoolBackup
import PoolInterchange
import Testing

extension Programs {
  /// Interoperability with Python's zipfile and Info-ZIP, in both directions.
  @Suite struct ExternalZIPTests {
    /// An archive with a photo, from the reader's fixtures.
    private static let original = Checkout.archives + "/../foreign/small-stored.zip"

    /// Zips a folder, stored or deflated, to a file or to a pipe; a pipe cannot seek, so the archive has data descriptors.
    private static let pack = """
      import io, os, sys, zipfile
      class Pipe(io.RawIOBase):
          def __init__(self, file): self.file = file
          def writable(self): return True
          def write(self, data): return self.file.write(data)
      folder, target, method, way = sys.argv[1:]
      method = zipfile.ZIP_STORED if method == "stored" else zipfile.ZIP_DEFLATED
      with open(target, "wb") as file:
          with zipfile.ZipFile(Pipe(file) if way == "piped" else file, "w", method) as archive:
              for root, folders, names in os.walk(folder):
                  for name in sorted(names):
                      path = os.path.join(root, name)
                      archive.write(path, os.path.relpath(path, folder))
      """

    /// Reads every entry, which checks its checksum, and prints names and SHA-256.
    private static let list = """
      import hashlib, sys, zipfile
      with zipfile.ZipFile(sys.argv[1]) as archive:
          assert archive.testzip() is None
          for name in archive.namelist():
              if not name.endswith("/"): print(hashlib.sha256(archive.read(name)).hexdigest(), name)
      """

    /// Every file of an archive by name, read with our reader.
    private func members(_ path: String) throws -> [String: [UInt8]] {
      let zip = try ZIPArchive(path: path)
      var members: [String: [UInt8]] = [:]
      for entry in zip.entries where !entry.isFolder { members[entry.name] = try zip.read(entry, limit: 64 << 20) }
      return members
    }

    /// Unpacks the original into a folder.
    private func unpacked(in scratch: Scratch) throws -> String {
      let folder = try scratch.folder("unpacked")
      for (name, bytes) in try members(Self.original) {
        let file = URL(filePath: "\(folder)/\(name)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
      }
      return folder
    }

    private func expectTheOriginal(_ path: String) throws {
      #expect(try members(path) == members(Self.original))
      var contents = try ArchiveFile.open(path: path).contents
      var wanted = try ArchiveFile.open(path: Self.original).contents
      (contents.warnings, wanted.warnings) = ([], [])
      #expect(contents == wanted)
      #expect(contents.photoNames.count == 1)
    }

    @Test(.requires(.python3), arguments: ["stored", "deflated"], ["to a file", "piped"])
    func `an archive packed by Python's zipfile reads like the original`(method: String, way: String) throws {
      let scratch = try Scratch()
      let target = scratch.path + "/python.zip"
      let script = try scratch.write("pack.py", Self.pack.utf8)
      let answer = try PythonTools.run([script, try unpacked(in: scratch), target, method, way], in: scratch)
      try #require(answer.code == 0, "\(answer.errors)")
      // Bit 3 of the first entry's flags says that sizes and checksum follow the data.
      #expect((try Files.bytes(target)[6] & 8 != 0) == (way == "piped"))
      try expectTheOriginal(target)
    }

    @Test(.requires(.zip), arguments: ["-9", "-0"], [false, true])
    func `an archive packed by Info-ZIP reads like the original`(level: String, isPiped: Bool) throws {
      let zip = try Requirement.zip.path()
      let scratch = try Scratch()
      let target = scratch.path + "/infozip.zip"
      let command = isPiped ? #"cd "$1" && "$2" -q -r "$3" - . | cat >"$4""# : #"cd "$1" && "$2" -q -r "$3" "$4" ."#
      let answer = try Program.run(
        "/bin/sh", ["-c", command, "sh", try unpacked(in: scratch), zip, level, target], in: scratch)
      try #require(answer.code == 0, "\(answer.errors)")
      try expectTheOriginal(target)
    }

    /// The entries of each archive in a backup with a photo, by the archive's path.
    private func packed(by daemon: Daemon) throws -> [String: [String: [UInt8]]] {
      try daemon.change("import", Checkout.archives + "/v2-photos-deflated.zip", "--team", "desert-blue")
      let backup = try daemon.query(BackupCall.Create.Reply.self, "backup", "create").backup
      let paths = Files.names(in: backup.path + "/archives").map { "\(backup.path)/archives/\($0)" }
      try #require(!paths.isEmpty)
      return Dictionary(uniqueKeysWithValues: try paths.map { ($0, try members($0)) })
    }

    @Test(.requires(.python3)) func `Python's zipfile reads our archives, byte for byte`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z").start()
      let script = try daemon.scratch.write("list.py", Self.list.utf8)
      for (path, ours) in try packed(by: daemon) {
        let sums = ours.map { "\(SHA256.hex(of: $0.value)) \($0.key)" }.sorted()
        let answer = try PythonTools.run([script, path], in: daemon.scratch)
        #expect(answer.output.split(separator: "\n").map(String.init).sorted() == sums, "\(answer.errors)")
      }
    }

    @Test(.requires(.unzip)) func `Info-ZIP reads our archives, byte for byte`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z").start()
      let unzip = try Requirement.unzip.path()
      for (path, ours) in try packed(by: daemon) {
        let tested = try Program.run(unzip, ["-tqq", path], in: daemon.scratch)
        #expect(tested.code == 0, "\(tested.output)\(tested.errors)")
        let folder = try daemon.scratch.folder("unzipped-\(URL(filePath: path).lastPathComponent)")
        #expect(try Program.run(unzip, ["-qq", "-d", folder, path], in: daemon.scratch).code == 0)
        let theirs = try Files.tree(folder).filter { !$0.value.isEmpty }
        #expect(theirs == ours)
      }
    }
  }
}
