import FaultyDisk
import PoolDeliveryKit
import PoolModel
import PoolPlatform
import PoolStore
import PoolTestKit

extension Error {
  /// True for SQLite's error codes of a failing disk.
  var isDiskFailure: Bool {
    switch self as? StoreError {
    case .failed(_, let code, _), .cannotOpen(_, let code, _), .migrationFailed(_, _, _, _, _, let code, _):
      // SQLITE_IOERR and SQLITE_CANTOPEN.
      [10, 14].contains(code & 0xff)
    default: false
    }
  }

  /// True for errors that the daemon survives: it reports them and retries.
  var isTemporary: Bool { isCausedByFullDisk || isDiskFailure }
}

// The disk below the store fails in the middle of the daemon's work.
extension World {
  /// A fault that is armed for the daemon's next work.
  struct Fault {
    let calls: Int
    let times: Int
    let kind: faulty_disk_kind
  }

  var diskIsOff: Bool { faulty_disk_is_off() }

  /// Arms a disk fault for the daemon's next work.
  func breakDisk() {
    let calls = random.chance(2) ? Int.random(in: 0..<4, using: &random) : Int.random(in: 0..<60, using: &random)
    let trouble = random.pick([Trouble.powerCut, .powerCut, .writeFails, .shortWrite, .noRoom, .deadDisk])
    meetings.add(trouble)
    note("\(trouble.rawValue) after \(calls) calls")
    switch trouble {
    case .powerCut: fault = Fault(calls: calls, times: 1, kind: faulty_disk_off)
    case .writeFails: fault = Fault(calls: calls, times: random.pick([1, 1, 2, 9]), kind: faulty_disk_error)
    case .shortWrite: fault = Fault(calls: calls, times: 1, kind: faulty_disk_short)
    case .noRoom: fault = Fault(calls: calls, times: random.pick([1, 3, 30]), kind: faulty_disk_full)
    default:
      // The disk stays broken until its replacement: all writes are refused meanwhile.
      deadUntil = uptime + .seconds(random.pick([50, 4_000, 30_000]))
      faulty_disk_fail(0, .max, faulty_disk_error)
    }
  }

  /// Runs `body` with the armed fault. A fault during a commit leaves its outcome unknown, so it strikes only where the world
  /// keeps no records of its own.
  func withFaults<Value>(_ body: () async throws -> Value) async throws -> Value {
    guard let waiting = fault, deadUntil == nil else { return try await body() }
    let before = faulty_disk_failures()
    faulty_disk_fail(Int32(clamping: waiting.calls), Int32(clamping: waiting.times), waiting.kind)
    defer {
      faulty_disk_mend()
      if faulty_disk_failures() != before { fault = nil }
    }
    return try await body()
  }

  /// Repairs the disk and disarms faults.
  func wellAgain() {
    fault = nil
    deadUntil = nil
    faulty_disk_mend()
  }

  func mendDisk() {
    guard let end = deadUntil, uptime >= end else { return }
    note("the disk is well again")
    deadUntil = nil
    faulty_disk_mend()
  }

  /// Ends the process; unsynced data may be lost.
  func losePower() throws {
    disk?.makeRoom()
    fullUntil = nil
    deadUntil = nil
    fault = nil
    // A PostgreSQL server has its own disk.
    let lost = ServerStores.isChosen ? 0 : faulty_disk_lose_power(path, random.next())
    guard lost >= 0 else { throw Violation("a file of the store could not be recreated") }
    drop.losePower(using: &random)
    note("the power failed: \(lost) writes were lost")
    powerCuts += 1
  }
}
