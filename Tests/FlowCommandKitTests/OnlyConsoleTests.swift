import Foundation
import Testing

/// Only `Console`, which escapes text, writes to the standard streams.
struct OnlyConsoleTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources")

  /// True if the line writes to a standard stream or opens a terminal.
  private static func writes(_ line: String) -> Bool {
    // Strings in a help page that mention standard output do not write to it.
    let code = line.replacing(/"(?:[^"\\]|\\.)*"/, with: "")
    return code.contains(
      /\b(debugPrint|print|dump|fputs|fputc|fwrite|fprintf|puts|putchar|putc|perror|vprintf|printf|psignal)\(/)
      || code.contains(/\b(FileHandle|STDOUT_FILENO|STDERR_FILENO|stdout|stderr)\b/)
      || line.contains(#/\/dev\/(tty|stdout|stderr|fd)/#) || code.contains(/\bwrite\([012],/)
  }

  @Test func `only Console writes to standard output and standard error`() throws {
    var read = 0
    for folder in [
      "Engine/FlowCommandKit", "Engine/FlowCommands", "Engine/FlowOperations", "Engine/FlowSetup", "Pools/PoolCommands",
      "Stables/StableCommands",  // Stables
      "Programs/pfctl",
    ] {
      let path = Self.sources.appending(path: folder).path
      for name in try FileManager.default.subpathsOfDirectory(atPath: path) where name.hasSuffix(".swift") {
        read += 1
        guard name != "Output/Console.swift" else { continue }
        let text = try String(contentsOf: URL(filePath: "\(path)/\(name)"), encoding: .utf8)
        for line in text.split(separator: "\n") where !line.drop(while: \.isWhitespace).hasPrefix("//") {
          #expect(!Self.writes(String(line)), "\(name): \(line)")
        }
      }
    }
    // Guard against a test that reads no files.
    #expect(read > 80)
  }
}
