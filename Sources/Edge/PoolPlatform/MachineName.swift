import Glibc

/// What the machine is called, without its domain.
package enum MachineName {
  /// Letters, digits, dashes and underscores; `localhost` where the kernel knows no better.
  package static var short: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return "localhost" }
    let whole = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let name = whole.prefix { $0 != "." }.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
    return name.isEmpty ? "localhost" : String(name)
  }
}
