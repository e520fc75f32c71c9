import FlowModel
import Foundation
import Glibc

/// The programs' simulated clock: the machine's clock plus an offset that a test changes while they run.
final class MovedClock {
  /// The environment variables that a program needs.
  let environment: [String: String]
  private let descriptor: Int32
  private var offset: Duration = .zero

  /// The preloaded library that changes the clock, compiled once.
  private static let library = Result { try PreloadedLibrary.compile("realtime-offset") }

  init(in scratch: Scratch, at now: Timestamp) throws {
    let file = "\(scratch.path)/clock-offset"
    descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw CannotStart(description: "cannot make '\(file)'") }
    environment = ["LD_PRELOAD": try Self.library.get(), "POOLFLOW_CLOCK_OFFSET": file]
    set(to: now)
  }

  deinit {
    close(descriptor)
  }

  /// The current time of the simulated clock.
  var now: Timestamp { Self.machine.advanced(by: offset) }

  func set(to now: Timestamp) {
    offset = now.since(Self.machine)
    write()
  }

  func step(by duration: Duration) {
    offset += duration
    write()
  }

  /// Changes the clock when the program has read it `count - 1` more times, so that a test can choose the statement between
  /// which and the next the clock jumps.
  func step(by duration: Duration, atReading count: Int64) {
    let before = offset
    offset += duration
    write([before, offset].map(Self.nanoseconds) + [count])
  }

  private func write() { write([Self.nanoseconds(offset), 0, 0]) }

  private func write(_ values: [Int64]) {
    values.withUnsafeBytes { _ = pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  private static func nanoseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  private static var machine: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
