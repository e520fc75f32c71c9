import Foundation
import Glibc

/// Counts a program's system calls by kind and makes one of them fail once (Fixtures/call-faults.c).
final class CallFaults {
  /// The kinds of calls, in the library's order.
  enum Kind: String, CaseIterable, Sendable {
    case open, read, write, fsync, rename, unlink, ftruncate, mmap, accept, timerfd, send, recv, epoll, stat, memory,
      zlib

    /// Results that the kernel may return on a working machine.
    var answers: [Answer] {
      switch self {
      case .open: [.error(EINTR), .error(EMFILE), .error(EIO)]
      case .read: [.error(EINTR), .error(EIO), .short]
      case .write: [.error(EINTR), .error(ENOSPC), .error(EIO), .short]
      case .fsync: [.error(EINTR), .error(EIO)]
      case .rename: [.error(EIO), .error(ENOSPC)]
      case .unlink: [.error(EIO), .error(EINTR)]
      case .ftruncate: [.error(EIO), .error(EINTR)]
      case .mmap, .memory, .zlib: [.error(ENOMEM)]
      case .accept: [.error(EINTR), .error(EMFILE), .error(ECONNABORTED)]
      case .timerfd: [.error(EMFILE)]
      case .send: [.error(EINTR), .error(ENOBUFS), .short]
      case .recv: [.error(EINTR), .error(ECONNRESET), .short]
      case .epoll: [.error(EINTR)]
      case .stat: [.error(EIO)]
      }
    }
  }

  /// The result of the failing call: an error number, or a transfer of one byte only.
  enum Answer: Hashable, Sendable, CustomStringConvertible {
    case error(Int32)
    case short

    var description: String {
      switch self {
      case .error(let code): String(code)
      case .short: "short"
      }
    }
  }

  /// A fault: call `number` of a kind gets `answer`.
  struct Fault: Hashable, Sendable, CustomStringConvertible {
    let kind: Kind
    let number: Int
    let answer: Answer

    init(kind: Kind, number: Int, answer: Answer) {
      self.kind = kind
      self.number = number
      self.answer = answer
    }

    /// Parses the format of `description`; nil if the text does not have it.
    init?(_ text: String) {
      let parts = text.split(separator: ":").map(String.init)
      guard parts.count == 3, let kind = Kind(rawValue: parts[0]), let number = Int(parts[1]) else { return nil }
      guard parts[2] == "short" || Int32(parts[2]) != nil else { return nil }
      self.init(kind: kind, number: number, answer: Int32(parts[2]).map { .error($0) } ?? .short)
    }

    var description: String { "\(kind.rawValue):\(number):\(answer)" }
  }

  private let descriptor: Int32
  private let file: String

  /// The preloaded library, compiled once.
  private static let library = Result { try PreloadedLibrary.compile("call-faults") }

  init(in scratch: Scratch) throws {
    file = scratch.path + "/call-counts"
    descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0, ftruncate(descriptor, off_t(8 * (Kind.allCases.count + 1))) == 0 else {
      throw CannotStart(description: "cannot make '\(file)'")
    }
  }

  deinit {
    close(descriptor)
  }

  private func number(_ place: Int) -> Int {
    var number: Int64 = 0
    pread(descriptor, &number, 8, off_t(8 * place))
    return Int(number)
  }

  /// The number of calls made of each kind.
  var counts: [Kind: Int] {
    Dictionary(uniqueKeysWithValues: Kind.allCases.enumerated().map { ($1, number($0)) })
  }

  /// True once the fault was injected.
  var hasFailed: Bool { number(Kind.allCases.count) != 0 }

  func environment(_ fault: Fault?) throws -> [String: String] {
    var environment = ["LD_PRELOAD": try Self.library.get(), "POOLFLOW_COUNTS": file]
    if let fault { environment["POOLFLOW_ONCE"] = fault.description }
    return environment
  }
}
