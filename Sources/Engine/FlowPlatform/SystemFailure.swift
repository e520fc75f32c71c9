import Glibc

/// An error of a system call.
package struct SystemFailure: DiskFailure, Equatable, CustomStringConvertible {
  /// The failed operation, such as `cannot open '/var/lib/poolflow/lock'`.
  package let what: String
  package let code: Int32

  package init(_ what: String, code: Int32 = errno) {
    self.what = what
    self.code = code
  }

  package var isDiskFull: Bool { Self.isDiskFull(code) }

  /// True if the disk or the user's quota is full.
  package static func isDiskFull(_ code: Int32) -> Bool { code == ENOSPC || code == EDQUOT }

  /// True if the whole machine lacks a resource, such as descriptors or memory: retrying with another item would fail
  /// as well.
  package var affectsWholeMachine: Bool { Self.affectsWholeMachine(code) }

  package static func affectsWholeMachine(_ code: Int32) -> Bool {
    isDiskFull(code) || [EROFS, EMFILE, ENFILE, ENOMEM].contains(code)
  }

  package var description: String { "\(what): \(Self.words(code))" }

  /// The message for an errno, such as `No space left on device`. glibc's strerror uses one buffer per thread.
  package static func words(_ code: Int32) -> String {
    guard let text = strerror(code) else { return "error \(code)" }
    return String(cString: text)
  }
}

/// An error that may be caused by a full disk.
package protocol DiskFailure: Error {
  var isDiskFull: Bool { get }
}

/// An error of something that may become available again without help, such as a database server.
package protocol OutageError: Error {
  var isTemporary: Bool { get }
}

extension Error {
  /// True if retrying later may succeed, because disk space may be freed or the server may come back.
  package var isTransient: Bool { isCausedByFullDisk || isCausedByServerOutage }

  /// True if the disk is full; retrying may succeed after space is freed.
  package var isCausedByFullDisk: Bool { (self as? any DiskFailure)?.isDiskFull ?? false }

  /// True if the server is away; retrying may succeed once it is back or another one replaces it.
  package var isCausedByServerOutage: Bool { (self as? any OutageError)?.isTemporary ?? false }
}
