import Foundation
import PoolBackup
import PoolControl
import PoolInterchange
import PoolPlatform
import Testing

extension Programs {
  /// Other people's ZIP programs: what they pack we read, and what we pack they read. Where one is missing, its test says
  /// so and passes over.
  @Suite struct StrangerZIPTests {
    /// An archive with a photo, out of the fixtures of the reader.
    private static let original = Checkout.archives + "/../foreign/small-stored.zip"

    /// Zips a folder, stored or deflated, to a file or to a pipe: what cannot seek gets data descriptors.
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

    /// Reads every entry, which proves its checksum, and prints names and SHA-256.
    private static let list = """
      import hashlib, sys, zipfile
      with zipfile.ZipFile(sys.argv[1]) as archive:
          assert archive.testzip() is None
          for name in archive.namelist():
              if not name.endswith("/"): print(hashlib.sha256(archive.read(name)).hexdigest(), name)
      """

    private func program(_ name: String) -> String? {
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      let found = path.split(separator: ":").map { "\($0)/\(name)" }.first { Files.exists($0) }
      if found == nil { print("passed over: needs \(name), as apt-get install \(name) has it") }
      return found
    }

    /// Every file of an archive by name, as our reader sees it.
    private func members(_ path: String) throws -> [String: [UInt8]] {
      let zip = try ZIPArchive(path: path)
      var members: [String: [UInt8]] = [:]
      for entry in zip.entries where !entry.isFolder { members[entry.name] = try zip.read(entry, limit: 64 << 20) }
      return members
    }

    /// The original's files in a folder.
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

    @Test(arguments: ["stored", "deflated"], ["to a file", "piped"])
    func `what Python's zipfile packs is read as the original`(method: String, way: String) throws {
      let scratch = try Scratch()
      let target = scratch.path + "/python.zip"
      let script = try scratch.write("pack.py", Self.pack.utf8)
      guard
        let answer = try PythonTools.run(
          [script, try unpacked(in: scratch), target, method, way], needing: "zipfile", in: scratch)
      else { return }
      try #require(answer.code == 0, "\(answer.errors)")
      // Bit 3 of the first entry's flags says that sizes and checksum come after the data.
      #expect((try Files.bytes(target)[6] & 8 != 0) == (way == "piped"))
      try expectTheOriginal(target)
    }

    @Test(arguments: ["-9", "-0"], [false, true])
    func `what Info-ZIP packs is read as the original`(level: String, isPiped: Bool) throws {
      guard let zip = program("zip") else { return }
      let scratch = try Scratch()
      let target = scratch.path + "/infozip.zip"
      let command = isPiped ? #"cd "$1" && "$2" -q -r "$3" - . | cat >"$4""# : #"cd "$1" && "$2" -q -r "$3" "$4" ."#
      let answer = try Program.run(
        "/bin/sh", ["-c", command, "sh", try unpacked(in: scratch), zip, level, target], in: scratch)
      try #require(answer.code == 0, "\(answer.errors)")
      try expectTheOriginal(target)
    }

    @Test func `what we pack is read by Python's zipfile and by Info-ZIP, byte for byte`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z").start()
      try daemon.change("import", Checkout.archives + "/v2-photos-deflated.zip", "--team", "desert-blue")
      let backup = try daemon.query(BackupCall.Create.Reply.self, "backup", "create").backup
      let names = Files.names(in: backup.path + "/archives")
      #expect(!names.isEmpty)
      for name in names {
        let path = "\(backup.path)/archives/\(name)"
        let ours = try members(path)
        let sums = ours.map { "\(SHA256.hex(of: $0.value)) \($0.key)" }.sorted()
        let script = try daemon.scratch.write("list.py", Self.list.utf8)
        if let answer = try PythonTools.run([script, path], needing: "zipfile", in: daemon.scratch) {
          #expect(answer.output.split(separator: "\n").map(String.init).sorted() == sums, "\(answer.errors)")
        }
        guard let unzip = program("unzip") else { continue }
        let tested = try Program.run(unzip, ["-tqq", path], in: daemon.scratch)
        #expect(tested.code == 0, "\(tested.output)\(tested.errors)")
        let folder = try daemon.scratch.folder("unzipped-\(name)")
        #expect(try Program.run(unzip, ["-qq", "-d", folder, path], in: daemon.scratch).code == 0)
        let theirs = try Files.tree(folder).filter { !$0.value.isEmpty }
        #expect(theirs == ours)
      }
    }
  }
}
