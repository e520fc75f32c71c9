import Glibc
import PoolModel

/// The bytes of a ZIP, in memory or in a file that is read where needed and never as a whole.
enum ZIPSource: Sendable {
  case bytes([UInt8])
  case file(ZIPFile)

  /// - Throws: `cannotOpen`, `notARegularFile`, `tooLarge`.
  init(path: String) throws(ZIPError) {
    self = .file(try ZIPFile(path: path))
  }

  var count: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .file(let file): file.count
    }
  }

  /// Fills `buffer` from `offset` on.
  ///
  /// - Throws: `truncated` where the source ends before that, also a file that shrank meanwhile.
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

  func bytes(at offset: Int, count: Int, _ what: @autoclosure () -> String) throws(ZIPError) -> [UInt8] {
    guard count >= 0, offset >= 0, offset <= self.count, count <= self.count - offset else { throw .truncated(what()) }
    var result = [UInt8](repeating: 0, count: count)
    // The closure of withUnsafeMutableBytes has no typed throw that reaches here, so the outcome is carried out of it.
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

/// A regular file opened for reading, closed with its last reference. `pread` keeps no position, so that any thread may use
/// it.
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

  /// - Returns: false where the file ends first.
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
