import FlowModel
import FlowPlatform
import FlowStore
import FlowTestKit
import Testing
import TradeStores

/// A disk filled by other programs or by the store's own write-ahead log.
@Suite(.requires(.mounting)) struct FullDiskTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning

  init() throws { folder = try TemporaryFolder() }

  private func disk(kilobytes: Int) throws -> SmallDisk {
    try SmallDisk(at: folder.path + "/disk", kilobytes: kilobytes)
  }

  private func open(_ disk: SmallDisk) throws -> Store {
    try Store(path: disk.path + "/poolflow.db", now: now, version: "test", reserve: DiskSpaceReserve(in: disk.path))
  }

  private func epochs(_ disk: SmallDisk) throws -> [Int64] {
    let connection = try Connection(path: disk.path + "/poolflow.db", mode: .readOnly)
    return try connection.rows("SELECT epoch FROM epochs ORDER BY epoch") { row throws(StoreError) in row.integer(0) }
  }

  @Test func `a store opens on a full disk by releasing its reserved space`() async throws {
    let disk = try disk(kilobytes: 8_192)
    _ = try open(disk)
    disk.fill()
    let error = #expect(throws: StoreError.self) { _ = try open(disk) }
    #expect(error?.isCausedByFullDisk == true && error?.exitCode == 74, "\(error as Any)")
    disk.makeRoom()
    DiskSpaceReserve(in: disk.path).keep()
    disk.fill()
    let store = try open(disk)
    #expect(store.epoch == 2, "the start that was refused was none")
    #expect(!store.isOutOfDiskSpace)
    #expect(try epochs(disk) == [1, 2])
    #expect(FileFacts(of: disk.path + "/reserve") == nil)
    // The reserve is created again once there is free space.
    disk.makeRoom()
    try await store.keepDiskReserve()
    #expect(FileFacts(of: disk.path + "/reserve")?.bytes == Limits.reserveBytes)
  }

  @Test func `a process that cannot store its epoch serves reads and stores the epoch first later`() async throws {
    let disk = try disk(kilobytes: 8_192)
    _ = try open(disk)
    // Enough space for the shared-memory file of the readers, not for a commit.
    disk.fill(leaving: 40 << 10)
    let store = try open(disk)
    #expect(store.epoch == 2)
    #expect(store.isOutOfDiskSpace)
    #expect(try await store.teams().isEmpty)
    await #expect(throws: StoreError.self) { try await store.heartbeat(nil, now: now) }
    #expect(try epochs(disk) == [1])
    disk.makeRoom()
    try await store.heartbeat(nil, now: now)
    #expect(!store.isOutOfDiskSpace)
    #expect(try epochs(disk) == [1, 2])
  }

  @Test func `a disk filled by the write-ahead log alone accepts the next write`() async throws {
    let disk = try disk(kilobytes: 8_192)
    let (store, connection) = try openTwice(disk)
    try connection.execute("PRAGMA wal_autocheckpoint = 0", operation: "prepare the test")
    try connection.run("CREATE TABLE filling (number INTEGER PRIMARY KEY, text TEXT) STRICT")
    try connection.run("INSERT INTO filling VALUES (1, ?)", .text(String(repeating: "x", count: 400_000)))
    // Four times the disk's size; the database file still has to grow by the log's contents.
    for round in 0..<80 {
      try connection.run(
        "UPDATE filling SET text = ?", .text(String(repeating: String(round % 10), count: 400_000)))
    }
    try await store.heartbeat(nil, now: now)
    #expect(!store.isOutOfDiskSpace)
  }

  /// The store and a connection of the test, with the space reserve in place.
  private func openTwice(_ disk: SmallDisk) throws -> (Store, Connection) {
    let store = try open(disk)
    let connection = try Connection(path: store.path, mode: .readWrite)
    let reserve = DiskSpaceReserve(in: disk.path)
    reserve.keep()
    #expect(reserve.isPresent)
    connection.reserve = reserve
    return (store, connection)
  }

  @Test func `a write that does not fit is rolled back, and a smaller one succeeds`() async throws {
    let disk = try disk(kilobytes: 8_192)
    let (store, connection) = try openTwice(disk)
    try connection.run("CREATE TABLE filling (text TEXT) STRICT")
    var rounds = 0
    let error = #expect(throws: StoreError.self) {
      try connection.transaction {
        rounds += 1
        try connection.run("INSERT INTO filling VALUES (?)", .text(String(repeating: "x", count: 16_000_000)))
      }
    }
    #expect(error?.isCausedByFullDisk == true)
    #expect(rounds == 2, "it is tried once more after room was made, and no more")
    let left = try connection.first("SELECT count(*) FROM filling") { row throws(StoreError) in row.number(0) }
    #expect(left == 0)
    try connection.run("INSERT INTO filling VALUES ('y')")
    try await store.heartbeat(nil, now: now)
  }

  @Test func `the epoch mark is replaced even if the disk has no space for another file`() throws {
    let disk = try disk(kilobytes: 64)
    let path = disk.path + "/life"
    disk.fill()
    #expect(throws: SystemFailure.self) { try EpochMark(epoch: 1, hasEnded: false).write(to: path) }
    #expect(EpochMark(path: path) == nil)
    disk.makeRoom()
    try EpochMark(epoch: 1_000_000, hasEnded: true).write(to: path)
    disk.fill()
    for mark in [EpochMark(epoch: 9, hasEnded: false), EpochMark(epoch: 10, hasEnded: true)] {
      try mark.write(to: path)
      #expect(EpochMark(path: path) == mark)
    }
    #expect(FileFacts(of: path + ".new") == nil)
  }

  @Test func `the state directory is locked on a full disk`() throws {
    let disk = try disk(kilobytes: 64)
    _ = try StateDirectory(path: disk.path)
    disk.fill()
    let state = try StateDirectory(path: disk.path)
    #expect(throws: StateDirectory.Failure.self) { _ = try StateDirectory(path: state.path) }
  }
}
