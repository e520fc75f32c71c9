import Glibc

/// The host name without its domain.
package enum MachineName {
  /// Only ASCII letters, digits, dashes and underscores; `localhost` if there is no host name.
  package static var short: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return "localhost" }
    let whole = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let name = whole.prefix { $0 != "." }.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
    return name.isEmpty ? "localhost" : String(name)
  }
}
