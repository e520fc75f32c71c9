internal import Glibc

/// Why a socket could not be had or used.
package enum SocketError: Error, Hashable {
  /// `operation` as a verb: "bind", "accept".
  case failed(operation: String, path: String?, errno: Int32)
  /// The kernel's address has room for 107 bytes.
  case pathTooLong(path: String, bytes: Int)
  /// Something else stands where the socket should be; it is left alone.
  case notASocket(path: String)
  /// A process listens there.
  case inUse(path: String)
  /// Nobody listens there.
  case nobodyAnswers(path: String, errno: Int32)
  case timedOut(path: String?)
  /// The peer closed the connection.
  case closed
}

extension SocketError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .failed(let operation, let path, let errno):
      "cannot \(operation)\(path.map { " '\($0)'" } ?? ""): \(systemMessage(errno))"
    case .pathTooLong(let path, let bytes):
      "the socket's path has \(bytes) bytes and the kernel takes 107: '\(path)'; choose a shorter one with --socket"
    case .notASocket(let path):
      "'\(path)' is there and is no socket; it is left as it is: move it away or choose another path with --socket"
    case .inUse(let path): "another daemon answers at '\(path)'; stop it first or choose another path with --socket"
    case .nobodyAnswers(let path, let errno): "no daemon answers at \(path): \(systemMessage(errno))"
    case .timedOut(let path): "no answer in time\(path.map { " at \($0)" } ?? "")"
    case .closed: "the connection was closed"
    }
  }
}

/// The C library's sentence for an error number, such as `No such file or directory`.
func systemMessage(_ number: Int32) -> String {
  var buffer = [CChar](repeating: 0, count: 256)
  guard strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
  let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
  return String(decoding: bytes, as: UTF8.self)
}
