import CZlib
import FlowBackup
import FlowModel
import FlowPlatform
import FlowStore
import Foundation
import PoolBackup
import PoolInterchange
import PoolStore
import TradeBackups
import TradeStores

extension BackupBench {
  // MARK: Archives

  /// Compares the container with zlib alone on the same bytes, then writes the demo team's archives as in a nightly backup.
  func archives() async throws {
    let contents = try Self.demo()
    let members = (1...8).flatMap { copy in
      ArchiveWriter.members(of: contents).map { (name: "\(copy)/\($0.name)", bytes: $0.bytes()) }
    }
    let bytes = members.reduce(0) { $0 + $1.bytes.count }
    print("backup-archives: \(bytes / 1_000_000) MB of records beside zlib alone, and the demo team's own archives")
    let path = folder.appendingPathComponent("packed.zip").path
    var (writes, deflates, writeShares): ([Double], [Double], [Double]) = ([], [], [])
    var (reads, inflates, readShares): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 1...5 {
      var packed: [[UInt8]] = []
      deflates.append(try milliseconds { packed = try members.map { try RawZlib.deflate($0.bytes) } })
      unlink(path)
      writes.append(
        try milliseconds {
          try PrivateFiles.write(path) { put in
            try withoutActuallyEscaping(put) { put in
              let zip = ZIPWriter(modified: now, to: put)
              for (name, bytes) in members { try zip.add(name, bytes) }
              try zip.finish()
            }
          }
        })
      inflates.append(
        try milliseconds {
          for (index, stream) in packed.enumerated() { try RawZlib.inflate(stream, count: members[index].bytes.count) }
        })
      reads.append(
        try milliseconds {
          let zip = try ZIPArchive(path: path)
          for entry in zip.entries { try zip.extract(entry) { _ in } }
        })
      writeShares.append(100 * (deflates.last ?? 0) / (writes.last ?? 1))
      readShares.append(100 * (inflates.last ?? 0) / (reads.last ?? 1))
    }
    func rate(_ times: [Double]) -> [Double] { times.map { Double(bytes) / $0 / 1_000 } }
    figureLine("zlib's deflate, level 6, MB/s", rate(deflates), .baseline)
    figureLine("an archive written, hashed and flushed, MB/s", rate(writes))
    figureLine("writing, share of zlib's rate, %", writeShares, .atLeast(80))
    figureLine("zlib's inflate, MB/s", rate(inflates), .baseline)
    figureLine("an archive opened and read, checksums and all, MB/s", rate(reads))
    figureLine("reading, share of zlib's rate, %", readShares, .atLeast(80))
    try await demoArchives()
  }

  private func demoArchives() async throws {
    let state = try emptyState("demo")
    let store = try Store(path: state + "/poolflow.db", now: now, version: "bench")
    let team = try await addTeam("desert-blue", to: store)
    _ = try await store.replaceRecords(
      team: team.name, technician: nil, records: Self.records(try Self.demo()), photos: [:], now: now, dryRun: false)
    try await store.endEpoch(at: now)
    let snapshot = try StoreSnapshot(path: state + "/poolflow.db")
    let writer = TeamArchive(photoFolder: state + "/photos", version: "bench", now: now)
    var times: [Double] = []
    for round in 1...9 {
      times.append(
        try milliseconds {
          for (number, part) in try snapshot.archiveParts(of: team.id).enumerated() {
            _ = try writer.write(
              try snapshot.records(of: part, team: team.id), to: "\(state)/\(round)-\(number).zip", name: "bench")
          }
        })
    }
    figureLine(
      "the demo team's archives, read from the store, written, flushed and read again, ms", times, .reference(100))
    var opened: [Double] = []
    for _ in 1...9 { opened.append(try milliseconds { _ = try Self.demo() }) }
    figureLine("the demo's archive opened and all its records checked, ms", opened)
  }

  // MARK: Customers files

  /// Previews 5,000 rows and imports them into an empty team, compared with Python's csv and sqlite3 without any checks.
  func customers() async throws {
    print("backup-customers: \(Limits.csvRows) rows previewed, then applied")
    let file = folder.appendingPathComponent("customers.csv")
    try Self.customersFile(rows: Limits.csvRows).write(to: file, atomically: true, encoding: .utf8)
    let state = try emptyState("customers")
    let store = try Store(path: state + "/poolflow.db", now: now, version: "bench")
    let importer = PoolImporter(
      store: store, photos: PhotoStore(folder: state + "/photos"), clock: FixedWallClock(instant: now),
      drafts: ImportPreviewCache(),
      local: { _, now in TeamLocality(date: CivilDate(daysSince1970: Int(now.seconds / 86_400))) },
      isOfOtherTrade: { _ in false })
    var (previews, imports, pythons): ([Double], [Double], [Double]) = ([], [], [])
    for round in 1...7 {
      if let python = try PythonCustomers.milliseconds(file: file, in: folder) { pythons.append(python) }
      let team = try await addTeam("team-\(round)", to: store)
      for dryRun in [true, false] {
        let begin = ContinuousClock.now
        let report = try await importer.run(
          ImportRequest(path: file.path, name: "customers.csv", team: team, technician: nil, dryRun: dryRun), claim: nil
        )
        let time = (ContinuousClock.now - begin) / .milliseconds(1)
        if dryRun { previews.append(time) } else { imports.append(time) }
        guard report.creates == Limits.csvRows, report.issues.isEmpty else {
          throw BenchFailure(description: "\(report.creates) rows and \(report.issues.count) issues")
        }
      }
    }
    let times = zip(previews, imports).map { $0 + $1 }
    figureLine("previewed and applied, ms", times, .reference(60))
    figureLine("of which previewed, ms", previews)
    figureLine("of which applied, ms", imports)
    guard !pythons.isEmpty else { return notMeasured("times Python's", "python3 is missing") }
    figureLine("Python, ms", pythons, .baseline)
    // The limit is 60 ms on a machine where Python takes 23 ms.
    figureLine("times Python's", zip(times, pythons).map { $0 / $1 }, .atMost(60.0 / 23))
  }

  private static func customersFile(rows: Int) -> String {
    let days = ["monday", "tuesday", "wednesday", "thursday", "friday"]
    var text =
      "customer_name,address,service_day,monthly_service_fee,pool_volume_gallons,latitude,longitude,notes,"
      + "contact_name,contact_phone,tags\n"
    for row in 0..<rows {
      text +=
        "Customer \(row),\"\(row) E Juniper St, Mesa, AZ 85203\",\(days[row % 5]),\(120 + row % 60),\(9_000 + row % 9_000),"
        + "33.\(100_000 + row),-111.\(700_000 + row),\"Gate on the left, dog \(row)\",Person \(row),"
        + "+1 480 555 \(1_000 + row % 9_000),vip\n"
    }
    return text
  }
}

/// Plain zlib on whole buffers.
enum RawZlib {
  static func deflate(_ bytes: [UInt8]) throws -> [UInt8] {
    var stream = z_stream()
    guard poolflow_deflate_init_raw(&stream, 6) == Z_OK else { throw BenchFailure(description: "no deflate") }
    defer { deflateEnd(&stream) }
    var input = bytes
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
    let code = run(&stream, &input, &output) { CZlib.deflate($0, Z_FINISH) }
    guard code == Z_STREAM_END else { throw BenchFailure(description: "deflate ended with \(code)") }
    return Array(output.prefix(Int(stream.total_out)))
  }

  static func inflate(_ bytes: [UInt8], count: Int) throws {
    var stream = z_stream()
    guard poolflow_inflate_init_raw(&stream) == Z_OK else { throw BenchFailure(description: "no inflate") }
    defer { inflateEnd(&stream) }
    var input = bytes
    var output = [UInt8](repeating: 0, count: max(1, count))
    let code = run(&stream, &input, &output) { CZlib.inflate($0, Z_FINISH) }
    guard code == Z_STREAM_END, Int(stream.total_out) == count else {
      throw BenchFailure(description: "inflate ended with \(code)")
    }
  }

  private static func run(
    _ stream: inout z_stream, _ input: inout [UInt8], _ output: inout [UInt8],
    _ body: (UnsafeMutablePointer<z_stream>) -> Int32
  ) -> Int32 {
    input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        return body(&stream)
      }
    }
  }
}

/// Python's csv and sqlite3: reads and inserts each row in one durable transaction, without checks.
private enum PythonCustomers {
  private static let script = """
    import csv, sqlite3, sys, time
    begin = time.perf_counter()
    db = sqlite3.connect(sys.argv[2])
    db.execute("PRAGMA journal_mode=WAL"); db.execute("PRAGMA synchronous=FULL")
    db.execute("CREATE TABLE IF NOT EXISTS pools (id INTEGER PRIMARY KEY, a, b, c, d, e, f, g, h, i, j, k)")
    with open(sys.argv[1], newline="") as file:
        rows = list(csv.reader(file))[1:]
    with db:
        db.executemany("INSERT INTO pools (a,b,c,d,e,f,g,h,i,j,k) VALUES (?,?,?,?,?,?,?,?,?,?,?)", rows)
    print((time.perf_counter() - begin) * 1000)
    """

  /// Nil if Python is missing.
  static func milliseconds(file: URL, in folder: URL) throws -> Double? {
    let program = folder.appendingPathComponent("customers.py")
    try script.write(to: program, atomically: true, encoding: .utf8)
    return pythonNumber([program.path, file.path, folder.appendingPathComponent("python.db").path])
  }
}
