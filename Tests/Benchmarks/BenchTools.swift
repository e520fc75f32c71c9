import FlowControl
import FlowModel
import FlowPlatform
import Foundation
import Glibc

/// Runs a program to its end without showing its output; it must succeed.
func spawn(_ path: String, _ arguments: [String]) throws {
  let child = try ChildProgram(
    path, arguments, environment: ProcessInfo.processInfo.environment,
    [1: .writing("/dev/null"), 2: .writing("/dev/null")])
  guard child.end() == .exit(0) else {
    throw BenchFailure(description: "'\(path) \(arguments.joined(separator: " "))' failed")
  }
}

/// Runs a benchmark in a fresh process of this program, so that the measured memory is its own.
func runAlone(_ bench: String, _ settings: [String: String]) throws {
  let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
  let environment = ProcessInfo.processInfo.environment.merging(settings) { $1 }
  guard try ChildProgram(own, [bench], environment: environment, [:]).end() == .exit(0) else {
    throw BenchFailure(description: "'\(bench)' failed in a process of its own")
  }
}

/// Python's output for `input`; nil if Python or a needed package is missing.
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
  // The output is read concurrently, or a long one would fill the pipe: these programs read all input before they write.
  let writer = FileHandle(fileDescriptor: question, closeOnDealloc: true)
  if started != nil { try? writer.write(contentsOf: input) }
  try? writer.close()
  let data = output.readDataToEndOfFile()
  return started?.end() == .exit(0) ? data : nil
}

/// The single number that Python prints.
func pythonNumber(_ arguments: [String]) -> Double? {
  python(arguments).flatMap {
    Double(String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
  }
}

/// The wall time of `body`.
func milliseconds(_ body: () throws -> Void) rethrows -> Double {
  let begin = ContinuousClock.now
  try body()
  return (ContinuousClock.now - begin) / .milliseconds(1)
}

/// A figure of this process, such as `VmHWM`, the peak of its resident memory.
func megabytes(_ key: String) throws -> Double {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = status.split(separator: "\n").first { $0.hasPrefix(key) }
  return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) } ?? 0) / 1_024
}

/// A clock with a fixed time.
struct FixedWallClock: WallClock {
  let instant: Timestamp
  func now() -> Timestamp { instant }
}

/// One connection for synchronous calls.
final class BenchCaller {
  private let client: UnixSocketClient
  private var reader = FrameReader(limit: Limits.maxAnswerBytes)

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
