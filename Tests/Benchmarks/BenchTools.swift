import Foundation
import Glibc
import PoolControl
import PoolModel
import PoolPlatform

/// Runs a program to its end without its output; it must succeed.
func spawn(_ path: String, _ arguments: [String]) throws {
  let child = try ChildProgram(
    path, arguments, environment: ProcessInfo.processInfo.environment,
    [1: .writing("/dev/null"), 2: .writing("/dev/null")])
  guard child.end() == .exit(0) else {
    throw BenchFailure(description: "'\(path) \(arguments.joined(separator: " "))' failed")
  }
}

/// Runs a bench of this program in a process that has done nothing else, so that its memory is that bench's.
func runAlone(_ bench: String, _ settings: [String: String]) throws {
  let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
  let environment = ProcessInfo.processInfo.environment.merging(settings) { $1 }
  guard try ChildProgram(own, [bench], environment: environment, [:]).end() == .exit(0) else {
    throw BenchFailure(description: "'\(bench)' failed in a process of its own")
  }
}

/// What Python answers to `input`; nil where it, or a package that it wants, is missing.
func python(_ arguments: [String], program: String? = nil, input: Data = Data()) -> Data? {
  guard let (answers, answer) = try? ChildProgram.pipe(), let (questions, question) = try? ChildProgram.pipe() else {
    return nil
  }
  let output = FileHandle(fileDescriptor: answers, closeOnDealloc: true)
  let started = try? ChildProgram(
    program ?? "/usr/bin/env", (program == nil ? ["python3"] : []) + arguments,
    environment: ProcessInfo.processInfo.environment,
    [0: .descriptor(questions), 1: .descriptor(answer), 2: .writing("/dev/null")])
  close(questions)
  close(answer)
  // The answer is read on the way, or a long one would fill the pipe: these programs read all before they answer.
  let writer = FileHandle(fileDescriptor: question, closeOnDealloc: true)
  if started != nil { try? writer.write(contentsOf: input) }
  try? writer.close()
  let data = output.readDataToEndOfFile()
  return started?.end() == .exit(0) ? data : nil
}

/// The one number that Python prints.
func pythonNumber(_ arguments: [String]) -> Double? {
  python(arguments).flatMap {
    Double(String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
  }
}

/// How long `body` takes by the wall.
func milliseconds(_ body: () throws -> Void) rethrows -> Double {
  let begin = ContinuousClock.now
  try body()
  return (ContinuousClock.now - begin) / .milliseconds(1)
}

/// The median with its spread, and what was promised of it.
func figureLine(_ name: String, _ figures: [Double], limit: Double? = nil, atLeast floor: Double? = nil) {
  let sorted = figures.sorted()
  let median = sorted[sorted.count / 2]
  func short(_ figure: Double) -> String { String(format: "%.1f", figure) }
  let spread = sorted.count > 1 ? "  (\(short(sorted[0])) to \(short(sorted[sorted.count - 1])))" : ""
  let most = limit.map { "  promised at most \(short($0)): \(median <= $0 ? "kept" : "BROKEN")" } ?? ""
  let least = floor.map { "  promised at least \(short($0)): \(median >= $0 ? "kept" : "BROKEN")" } ?? ""
  print("  \(name): \(short(median))\(spread)\(most)\(least)")
  // Whoever reads from a pipe has what is known, also where the bench is ended before its time.
  fflush(nil)
}

/// A figure of this process, such as `VmHWM`, the most it ever had in memory.
func megabytes(_ key: String) throws -> Double {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = status.split(separator: "\n").first { $0.hasPrefix(key) }
  return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) } ?? 0) / 1_024
}

/// A clock that stands still.
struct FixedWallClock: WallClock {
  let instant: Timestamp
  func now() -> Timestamp { instant }
}

/// One connection that asks and waits.
final class BenchCaller {
  private let client: UnixSocketClient
  private var reader = FrameReader(limit: Limits.controlReplyBytes)

  init(_ path: String) throws {
    client = try UnixSocketClient(path: path, deadline: .seconds(10))
  }

  func ask<M: ControlMethod>(_ call: M) throws -> M.Reply {
    try client.send(Envelope.call(call) + [0])
    while true {
      if let frame = try reader.next() { return try Envelope.read(frame, as: M.Reply.self).reply }
      guard let bytes = try client.receive() else { throw BenchFailure(description: "the connection was closed") }
      reader.append(bytes)
    }
  }
}
