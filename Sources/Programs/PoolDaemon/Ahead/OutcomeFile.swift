import CLinux
import Glibc
import PoolJobs
import PoolModel
import PoolNotices
import PoolPlatform
import PoolWork
import Synchronization

/// An unlinked file that holds prefetched outcomes with their pages until their slots are due. Not durable: an outcome that
/// cannot be read again is decided when it is due. The file vanishes with its last user.
final class OutcomeFile: OutcomeShelf, Sendable {
  /// The end of the written data, and whether the file takes no more.
  private struct State {
    var end = 0
    var isFull = false
  }

  private let folder: String
  private let descriptor: Int32
  /// True if sinks render pages; then pages are prefetched, too.
  private let withPages: Bool
  private let state = Mutex(State())

  /// Nil if no file can be created in the folder, or too little disk space is free.
  ///
  /// - Parameter folder: a folder on the store's file system.
  init?(in folder: String, withPages: Bool) {
    let path = folder + "/ahead"
    self.folder = folder
    self.withPages = withPages
    // A process that was killed between `open` and `unlink` left this file.
    unlink(path)
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return nil }
    unlink(path)
    guard hasRoom else { return nil }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  private var hasRoom: Bool { DiskSpace(at: folder).map { $0.freeBytes >= 4 * Limits.laidBytes } ?? false }

  /// Stores an outcome and its pages. Nil if it cannot be stored; the job is then decided when it is due.
  func lay(_ outcome: Outcome) -> (any LaidOutcome)? {
    var pages: [(notice: String, place: LaidPiece)] = []
    if withPages {
      for (notice, digest) in outcome.digests {
        guard let piece = write(digest.page) else { return nil }
        pages.append((notice.id, piece))
      }
    }
    guard let bytes = LaidFields.bytes(of: outcome, pages: pages), let piece = write(bytes) else { return nil }
    return Laid(file: self, piece: piece)
  }

  /// Appends compressed bytes; nil once the file or the disk is full.
  private func write(_ bytes: [UInt8]) -> LaidPiece? {
    let packed = Packed.pack(bytes)
    return state.withLock { state in
      guard !state.isFull else { return nil }
      let (start, end) = (state.end, state.end + packed.count)
      let isStep = start / Limits.laidStep != end / Limits.laidStep
      // Free space is checked once every `Limits.laidStep` bytes, because other processes write, too.
      guard end <= Limits.laidBytes, !isStep || hasRoom,
        packed.withUnsafeBytes({ pwrite(descriptor, $0.baseAddress, $0.count, off_t(start)) }) == packed.count
      else {
        state.isFull = true
        return nil
      }
      // Start write-back early, so that a later `fsync` of the slot's files need not wait for these pages.
      if isStep { _ = poolflow_begin_write_back(descriptor, 0, Int64(end)) }
      state.end = end
      return LaidPiece(start: start, count: packed.count, unpacked: bytes.count)
    }
  }

  /// The unpacked bytes; nil if they cannot be read any more.
  fileprivate func read(_ piece: LaidPiece) -> [UInt8]? {
    var done = 0
    let packed = [UInt8](unsafeUninitializedCapacity: piece.count) { buffer, filled in
      while done < piece.count, let base = buffer.baseAddress {
        let got = pread(descriptor, base + done, piece.count - done, off_t(piece.start + done))
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { break }
        done += got
      }
      filled = done
    }
    return done == piece.count ? Packed.unpack(packed, count: piece.unpacked) : nil
  }

  /// An outcome in the file.
  private struct Laid: LaidOutcome {
    let file: OutcomeFile
    let piece: LaidPiece

    func outcome() -> Outcome? {
      file.read(piece).flatMap { LaidFields.outcome($0) { LaidPage(file: file, piece: $0) } }
    }
  }
}

/// Range in the file, and the size after unpacking, in bytes.
struct LaidPiece: Hashable, Sendable {
  let start: Int
  let count: Int
  let unpacked: Int
}

/// A page in a prefetch file.
struct LaidPage: Sendable {
  fileprivate let file: OutcomeFile
  fileprivate let piece: LaidPiece

  /// Nil if the bytes cannot be read any more.
  func bytes() -> [UInt8]? { file.read(piece) }
}

/// The explanation of a prefetched decision: the facts stored with its run, and the location of its pages.
struct LaidAccount: DecisionAccount {
  let words: String
  let changesSeen: Int?
  let record: (any TradeRecord)?
  /// Pages by notice id.
  let pages: [String: LaidPage]
}
