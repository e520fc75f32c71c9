import FlowModel
import Glibc

/// The bytes of a ZIP, in memory or in a file, which is read on demand and never as a whole.
enum ZIPSource: Sendable {
  case bytes([UInt8])
  case file(ZIPFile)

  /// Opens a regular file.
  ///
  /// - Throws: `cannotOpen`, `notARegularFile`.
  init(path: String) throws(ZIPError) {
    self = .file(try ZIPFile(path: path))
  }

  var count: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .file(let file): file.count
    }
  }

  /// Fills `buffer` with the bytes from `offset` on.
  ///
  /// - Throws: `truncated` if the source ends too early, also because the file has shrunk.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer, _ what: @autoclosure () -> String)
    throws(ZIPError)
  {
    guard offset >= 0, offset <= count, buffer.count <= count - offset else { throw .truncated(what()) }
    switch self {
    case .bytes(let bytes):
      buffer.copyBytes(from: bytes[offset..<offset + buffer.count])
    case .file(let file):
      guard try file.read(at: offset, into: buffer) else { throw .truncated(what()) }
    }
  }

  /// The bytes from `offset` on.
  ///
  /// - Parameter what: the name of the part, for the error `truncated`.
  /// - Throws: `truncated` if the source ends too early.
  func bytes(at offset: Int, count: Int, _ what: @autoclosure () -> String) throws(ZIPError) -> [UInt8] {
    guard count >= 0, offset >= 0, offset <= self.count, count <= self.count - offset else { throw .truncated(what()) }
    var result = [UInt8](repeating: 0, count: count)
    // withUnsafeMutableBytes does not pass on typed throws, so the closure returns the error instead.
    let failure: ZIPError? = result.withUnsafeMutableBytes { buffer in
      do throws(ZIPError) {
        try read(at: offset, into: buffer, what())
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
    return result
  }
}

/// A regular file opened for reading, closed with its last reference. Reads use `pread`, so it is safe to use from any
/// thread.
final class ZIPFile: Sendable {
  private let descriptor: Int32
  let count: Int

  init(path: String) throws(ZIPError) {
    // O_NONBLOCK: opening a FIFO must not wait for a writer.
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ELOOP { throw .notARegularFile(path: path) }
      throw .cannotOpen(path: path, errno: errno)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let code = errno
      close(descriptor)
      throw .cannotOpen(path: path, errno: code)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .notARegularFile(path: path)
    }
    self.descriptor = descriptor
    self.count = Int(status.st_size)
  }

  deinit { close(descriptor) }

  /// Fills `buffer`; returns false if the file ends too early.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(ZIPError) -> Bool {
    var done = 0
    while done < buffer.count {
      guard let base = buffer.baseAddress else { return true }
      let got = pread(descriptor, base + done, buffer.count - done, off_t(offset + done))
      if got == 0 { return false }
      if got < 0 {
        if errno == EINTR { continue }
        throw .cannotRead(errno: errno)
      }
      done += got
    }
    return true
  }
}
