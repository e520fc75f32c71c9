internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import FlowPlatform
internal import Glibc

extension SetupRun {
  /// Runs a program other than pfctl and prints its output as messages.
  func runProgram(_ step: SetupStep) throws(CommandFailure) {
    guard let program = OwnProgram.siblingProgram(step.program) else {
      throw CommandFailure(
        name: "unavailable", message: "the program \(step.program) is not installed on this machine",
        exitCode: ExitCode.unavailable)
    }
    let ending: ChildProgram.Ending
    do throws(SystemFailure) {
      let text: String
      (ending, text) = try Self.run(program, step.words, environment: session.environment)
      for line in text.split(separator: "\n") { say(String(line)) }
    } catch {
      throw .inputOutput(error.description)
    }
    guard ending == .exit(0) else {
      throw CommandFailure(
        name: "command-failed", message: "`\(step.line(reveal: false))` ended with \(ending)",
        exitCode: ExitCode.attention)
    }
  }

  /// The exit status, and the output of both streams, at most 64 KiB.
  private static func run(
    _ program: String, _ words: [String], environment: [String: String]
  ) throws(SystemFailure) -> (ChildProgram.Ending, String) {
    let (reading, writing) = try ChildProgram.pipe()
    defer { close(reading) }
    let child = try Self.startProgram(program, words, environment, writing: writing)
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4 << 10)
    while true {
      let count = read(reading, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      if bytes.count < 64 << 10 { bytes += piece.prefix(count) }
    }
    return (child.end(), String(decoding: bytes, as: UTF8.self))
  }

  /// Closes the write end in every case: only the child may keep the pipe open.
  private static func startProgram(
    _ program: String, _ words: [String], _ environment: [String: String], writing: Int32
  ) throws(SystemFailure) -> ChildProgram {
    defer { close(writing) }
    return try ChildProgram(
      program, words, environment: environment,
      [1: .descriptor(writing), 2: .descriptor(writing), 0: .reading("/dev/null")])
  }
}
