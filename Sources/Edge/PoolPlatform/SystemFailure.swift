import Glibc

/// What the operating system said of a failed call.
package struct SystemFailure: DiskFailure, Equatable, CustomStringConvertible {
  /// The call in words, such as `cannot open '/var/lib/poolflow/lock'`.
  package let what: String
  package let code: Int32

  package init(_ what: String, code: Int32 = errno) {
    self.what = what
    self.code = code
  }

  package var isDiskFull: Bool { Self.isDiskFull(code) }

  /// The disk is full, or this user's share of it.
  package static func isDiskFull(_ code: Int32) -> Bool { code == ENOSPC || code == EDQUOT }

  /// Whether the machine as a whole is short of something: then whatever is tried next fails, too.
  package var isEverybodys: Bool { Self.isEverybodys(code) }

  package static func isEverybodys(_ code: Int32) -> Bool {
    isDiskFull(code) || [EROFS, EMFILE, ENFILE, ENOMEM].contains(code)
  }

  package var description: String { "\(what): \(Self.words(code))" }

  /// `No space left on device`, for an errno. glibc's strerror keeps its buffer per thread.
  package static func words(_ code: Int32) -> String {
    guard let text = strerror(code) else { return "error \(code)" }
    return String(cString: text)
  }
}

/// An error that may say that a disk is full.
package protocol DiskFailure: Error {
  var isDiskFull: Bool { get }
}

/// An error of something that is away and may come back by itself, such as a server.
package protocol PassingFailure: Error {
  var isPassing: Bool { get }
}

extension Error {
  /// Waiting may mend it: room may be made, and who is away may come back.
  package var mayPass: Bool { isWantOfRoom || isWantOfServer }

  /// Room may be made, so waiting may mend it.
  package var isWantOfRoom: Bool { (self as? any DiskFailure)?.isDiskFull ?? false }

  /// The server may come back, or another take its place, so waiting may mend it.
  package var isWantOfServer: Bool { (self as? any PassingFailure)?.isPassing ?? false }
}
