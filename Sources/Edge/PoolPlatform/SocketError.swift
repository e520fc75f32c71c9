internal import Glibc

/// The reason why a socket cannot be created or used.
package enum SocketError: Error, Hashable {
  /// `operation` is a verb such as "bind" or "accept".
  case failed(operation: String, path: String?, errno: Int32)
  /// A socket address holds paths of up to 107 bytes.
  case pathTooLong(path: String, bytes: Int)
  /// The path is a file of another type, which is left unchanged.
  case notASocket(path: String)
  /// Another process listens at the path.
  case inUse(path: String)
  /// No process listens at the path.
  case noDaemonAnswers(path: String, errno: Int32)
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
      "'\(path)' exists and is not a socket; it was not changed: move it away or choose another path with --socket"
    case .inUse(let path): "another daemon answers at '\(path)'; stop it first or choose another path with --socket"
    case .noDaemonAnswers(let path, let errno): "no daemon answers at \(path): \(systemMessage(errno))"
    case .timedOut(let path): "no answer in time\(path.map { " at \($0)" } ?? "")"
    case .closed: "the connection was closed"
    }
  }
}

/// The C library's message for an error number, such as `No such file or directory`.
func systemMessage(_ number: Int32) -> String {
  var buffer = [CChar](repeating: 0, count: 256)
  guard strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
  let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
  return String(decoding: bytes, as: UTF8.self)
}
