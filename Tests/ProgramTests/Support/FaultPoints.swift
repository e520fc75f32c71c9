import FlowPlatform
import Foundation
import Glibc

/// Counts a program's file calls and kills it at one of them, or makes them fail (Fixtures/fault-points.c).
final class FaultPoints {
  private let descriptor: Int32
  private let file: String
  /// The faults are active while this file exists.
  private let whileFile: String

  /// The preloaded library, compiled once.
  private static let library = Result { try PreloadedLibrary.compile("fault-points") }

  init(in scratch: Scratch) throws {
    file = scratch.path + "/calls"
    whileFile = scratch.path + "/faulty"
    descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0, ftruncate(descriptor, 8) == 0 else {
      throw CannotStart(description: "cannot make '\(file)'")
    }
  }

  deinit {
    close(descriptor)
  }

  /// The number of calls since `environment` was last used.
  var count: Int {
    var count: Int64 = 0
    pread(descriptor, &count, 8, 0)
    return Int(count)
  }

  /// The environment of a program that is killed at the entry of call `number`; nil for no kill.
  func environment(killAt number: Int?) throws -> [String: String] {
    var zero: Int64 = 0
    pwrite(descriptor, &zero, 8, 0)
    var environment = ["LD_PRELOAD": try Self.library.get(), "POOLFLOW_CALLS": file]
    if let number { environment["POOLFLOW_KILL_AT"] = String(number) }
    return environment
  }

  /// The environment of a program whose calls of one kind fail on files whose path contains `part`, until `heal`.
  func environment(failing call: String, _ code: Int32, part: String) throws -> [String: String] {
    try Data().write(to: URL(filePath: whileFile))
    return try environment(killAt: nil).merging([
      "POOLFLOW_FAULT": "\(call):\(code):\(part)", "POOLFLOW_FAULT_WHILE": whileFile,
    ]) { $1 }
  }

  /// The environment of a program whose disk is full from call `number` on, until `heal`.
  func environment(fullAt number: Int) throws -> [String: String] {
    try Data().write(to: URL(filePath: whileFile))
    return try environment(killAt: nil).merging([
      "POOLFLOW_FULL_AT": String(number), "POOLFLOW_FAULT_WHILE": whileFile,
    ]) { $1 }
  }

  func heal() { unlink(whileFile) }
}

/// Compiles a C file of the fixtures to a library for LD_PRELOAD.
enum PreloadedLibrary {
  private static let folder = Result { try Scratch() }

  static func compile(_ name: String) throws -> String {
    let scratch = try folder.get()
    let source = Bundle.module.bundleURL.appendingPathComponent("Fixtures/\(name).c").path
    let library = "\(scratch.path)/\(name).so"
    let errors = "\(scratch.path)/\(name).errors"
    let script = #"exec "$(command -v cc || command -v clang)" "$@""#
    let process = try RunningProgram(
      "/bin/sh", ["-c", script, "sh", "-shared", "-fPIC", "-O1", "-Wall", "-pthread", "-o", library, source, "-ldl"],
      environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"], output: .writing(errors),
      errors: errors)
    guard try process.end() == .exit(0) else {
      throw CannotStart(description: "cannot compile '\(source)': \(try Files.text(errors))")
    }
    return library
  }
}
