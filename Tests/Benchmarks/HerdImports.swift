import FlowControl
import FlowModel
import Foundation

/// Measures imports of the demo's archive through the socket, once and for many teams in sequence.
///
/// `POOLFLOW_BENCH_IMPORTS` sets the number of teams (default 1,000), `POOLFLOW_BENCH_SERVER` an empty database for the store.
func benchHerdImports() {
  do { try HerdImports().run() } catch { benchFailed("herd-imports", error) }
}

private struct HerdImports {
  private static let piece = 512 << 10

  func run() throws {
    let count = ProcessInfo.processInfo.environment["POOLFLOW_BENCH_IMPORTS"].flatMap(Int.init) ?? 1_000
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("poolflow-imports-\(getpid())")
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("state"), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    // A leftover temporary folder does no harm.
    defer { try? FileManager.default.removeItem(at: folder) }
    let archive = Array(try Data(contentsOf: URL(fileURLWithPath: "config/demo/demo-backup.zip")))
    let isOnServer = try benchSettings(in: folder.appendingPathComponent("state"))
    let daemon = try BenchDaemon(folder: folder)
    defer { daemon.stop() }
    let caller = try BenchCaller(folder.appendingPathComponent("state/control.sock").path)
    var taken: [Double] = []
    let before = try daemon.work()
    let all = try milliseconds {
      for number in 1...count {
        _ = try caller.ask(TeamsCall.Add(name: "team-\(number)", zone: "America/Phoenix"))
        taken.append(try milliseconds { try send(archive, to: "team-\(number)", caller) })
      }
    }
    let after = try daemon.work()
    print("herd: \(count) imports of the demo's archive (\(archive.count >> 10) kB, six photos) through the socket")
    // In a new store without other records.
    figureLine("the first eleven alone, ms", Array(taken.prefix(11)), .reference(isOnServer ? 60 : 45))
    let pythons = try (1...5).compactMap { _ in try PythonArchive.milliseconds(in: folder) }
    if pythons.isEmpty {
      notMeasured("the first eleven, times Python's", "python3 is missing")
    } else {
      figureLine("beside it Python's zipfile, json and sqlite3 without checks, ms", pythons, .baseline)
      // 0.9 to 1.8 under load on 2026-11-28; a PostgreSQL server takes three times as long.
      figureLine(
        "the first eleven, times Python's", ratios(Array(taken.prefix(11)), to: pythons),
        isOnServer ? nil : .atMost(2.5))
    }
    figureLine("one of all, ms", taken)
    figureLine(
      "all of them, with a new team each, s", [all / 1_000], count == 1_000 && !isOnServer ? .reference(55) : nil)
    figureLine("processor of one, ms", [(after.processor - before.processor) * 1_000 / Double(count)])
    figureLine("resident memory at its highest, MB", [try daemon.megabytes("VmHWM")])
    figureLine("written to the disk, MB", [after.written - before.written])
    figureLine("beside it the disk: an fsync after 4 KiB each, a second", [try Self.syncs(in: folder)], .baseline)
  }

  private func send(_ archive: [UInt8], to team: String, _ caller: BenchCaller) throws {
    let open = ImportCall.Open(team: team, fileName: "demo-backup.zip", bytes: archive.count)
    let upload = try caller.ask(open).upload
    for offset in stride(from: 0, to: archive.count, by: Self.piece) {
      let data = Data(archive[offset..<min(archive.count, offset + Self.piece)]).base64EncodedString()
      _ = try caller.ask(ImportCall.Piece(upload: upload, offset: offset, data: data))
    }
    _ = try caller.ask(ImportCall.Apply(upload: upload, dryRun: false))
  }

  private static func syncs(in folder: URL) throws -> Double {
    let file = open(folder.appendingPathComponent("syncs").path, O_WRONLY | O_CREAT, 0o600)
    guard file >= 0 else { throw BenchFailure(description: "cannot write in '\(folder.path)'") }
    defer { close(file) }
    let bytes = [UInt8](repeating: 0x20, count: 4_096)
    let took = try milliseconds {
      for _ in 0..<200 {
        guard write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
          throw BenchFailure(description: "cannot write in '\(folder.path)'")
        }
      }
    }
    return 200 / took * 1_000
  }
}

/// Python reads the same archive and inserts each record in one durable transaction, without checks.
private enum PythonArchive {
  private static let script = """
    import json, sqlite3, sys, time, zipfile
    begin = time.perf_counter()
    db = sqlite3.connect(sys.argv[2])
    db.execute("PRAGMA journal_mode=WAL"); db.execute("PRAGMA synchronous=FULL")
    with zipfile.ZipFile(sys.argv[1]) as archive, db:
        for name in archive.namelist():
            data = archive.read(name)
            if not name.endswith(".json") or name == "manifest.json":
                continue
            records = json.loads(data)
            columns = sorted({key for record in records for key in record})
            db.execute(f"CREATE TABLE IF NOT EXISTS {name[:-5]} (team, {', '.join(columns)})")
            db.executemany(
                f"INSERT INTO {name[:-5]} VALUES (1{', ?' * len(columns)})",
                [[record.get(column) for column in columns] for record in records])
    print((time.perf_counter() - begin) * 1000)
    """

  /// Nil if Python is missing.
  static func milliseconds(in folder: URL) throws -> Double? {
    let program = folder.appendingPathComponent("archive.py")
    try script.write(to: program, atomically: true, encoding: .utf8)
    let database = folder.appendingPathComponent("python.db").path
    return pythonNumber([program.path, "config/demo/demo-backup.zip", database])
  }
}
