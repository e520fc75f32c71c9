internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import FlowPlatform
internal import FoundationEssentials
internal import Glibc

extension Session {
  /// Runs `poolflowd` to copy the store to another engine.
  ///
  /// - Throws: `CommandFailure` with its message and exit code.
  func copyStore(to place: String) throws -> CopiedStoreView {
    guard let program = Inspector.daemonProgram() else {
      throw CommandFailure(
        name: "unavailable", message: "no poolflowd program next to pfctl", exitCode: ExitCode.unavailable)
    }
    let (output, errors) = (try ChildProgram.pipe(), try ChildProgram.pipe())
    defer { for end in [output.reading, errors.reading] { close(end) } }
    let child: ChildProgram
    do {
      defer { for end in [output.writing, errors.writing] { close(end) } }
      child = try ChildProgram(
        program, ["--copy-store", place] + stateArguments, environment: environment,
        [0: .reading("/dev/null"), 1: .descriptor(output.writing), 2: .descriptor(errors.writing)])
    }
    // The document has a few kilobytes and the messages a few lines: neither can fill its pipe while the other is read.
    let (document, words) = (Self.all(of: output.reading), Self.all(of: errors.reading))
    let ending = child.end()
    guard ending == .exit(ExitCode.done) else {
      // If the process was killed there is no message, and the copy is not half done.
      let code = if case .exit(let code) = ending { code } else { ExitCode.tryAgain }
      let name = CommandFailure.names.first { $0.exitCode == code }?.name ?? "internal"
      throw CommandFailure(
        name: name, message: Self.reason(in: String(decoding: words, as: UTF8.self)), exitCode: code)
    }
    return try JSONDecoder().decode(CopiedStoreView.self, from: Data(document))
  }

  private static func all(of descriptor: Int32) -> [UInt8] {
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }
}
