package import FlowControl
internal import FlowModel
internal import FlowPlatform
internal import FoundationEssentials
internal import Glibc

/// An open file to import: checked to be a regular file, not empty and not too large.
package final class ImportFile {
  package let path: String
  /// The last component of `path`.
  package let name: String
  package let size: Int
  /// The modification time in the wire's timestamp format (RFC 3339).
  package let modifiedAt: String
  private let descriptor: Int32

  /// - Throws: `CommandFailure` with exit code 66 if the file cannot be read, 65 if it cannot be data.
  package init(
    path: String, wanted: String,
    mostBytes: Int = Limits.archiveBytes
  ) throws(CommandFailure) {
    let shown = visible(path)
    // `O_NONBLOCK` keeps `open` from blocking on a pipe without a writer; regular files ignore it.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .noInput("cannot read '\(shown)': \(String(cString: strerror(errno)))") }
    self.descriptor = descriptor
    self.path = path
    name = path.split(separator: "/").last.map(String.init) ?? path
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      (size, modifiedAt) = (0, "")
      throw .noInput("cannot read '\(shown)': \(String(cString: strerror(errno)))")
    }
    size = Int(status.st_size)
    modifiedAt = Timestamp(ofFile: status.st_mtim.tv_sec).description
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .noInput("'\(shown)' is a directory; name the file itself")
    default: throw .noInput("'\(shown)' is not a regular file; save its contents to a file first")
    }
    guard size > 0 else {
      throw .badData("'\(shown)' is empty; \(wanted)")
    }
    guard size <= mostBytes else {
      throw .badData(
        "'\(shown)' is too large: it has \(sizeText(size)), at most \(sizeText(mostBytes)) are allowed")
    }
  }

  deinit {
    close(descriptor)
  }

  /// The next chunk of at most `count` bytes; nil at the end of the file.
  package func next(upTo count: Int) throws(CommandFailure) -> [UInt8]? {
    var piece = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let read = piece.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress.map { $0 + filled }, count - filled)
      }
      if read > 0 {
        filled += read
      } else if read == 0 {
        break
      } else if errno != EINTR {
        throw .inputOutput("cannot read '\(visible(path))': \(String(cString: strerror(errno)))")
      }
    }
    return filled == 0 ? nil : Array(piece[..<filled])
  }
}

extension ImportFile {
  package func send(to daemon: DaemonConnection, team: String, console: Console) throws -> String {
    try send(to: daemon, as: ImportCall.Open(team: team, fileName: name, bytes: size), console: console)
  }

  /// Uploads the whole file in chunks of one frame each; the daemon cannot read its caller's files.
  ///
  /// - Parameter opening: the call that announces the file.
  /// - Returns: the upload's id at the daemon, valid as long as the connection.
  package func send(
    to daemon: DaemonConnection, as opening: ImportCall.Open, console: Console
  ) throws -> String {
    let upload = try daemon.ask(opening).upload
    let progress = ProgressLine(name, console)
    defer { progress.end() }
    var offset = 0
    while let piece = try next(upTo: Limits.uploadChunkBytes) {
      let call = ImportCall.Piece(upload: upload, offset: offset, data: Data(piece).base64EncodedString())
      let received = try daemon.ask(call).received
      offset += piece.count
      guard received == offset else {
        throw CommandFailure.inputOutput(
          "the daemon received \(received) bytes of '\(visible(name))' instead of \(offset)")
      }
      progress.advance(to: offset, of: size)
    }
    guard offset == size else {
      throw CommandFailure.inputOutput("'\(visible(path))' changed while it was read; try again")
    }
    return upload
  }
}
