import CSQLite
import FlowPlatform
import Glibc

extension Connection {
  /// Writes this database, as this connection sees it, into a new file that needs no log beside it.
  ///
  /// Inside a transaction, later writes of other connections are not copied. The file is written continuously but not synced;
  /// a caller that keeps the file syncs it.
  /// - Parameters:
  ///   - pages: number of pages copied between two calls of `progress`.
  ///   - progress: takes the pages copied and the total; an error that it throws ends the copy and is rethrown.
  func copyDatabase(to path: String, pages: Int32, progress: (Int, Int) throws -> Void) throws {
    let target = try Connection(path: path, mode: .readWrite, trades: trades)
    // An incomplete copy is useless, so it need not survive a crash.
    try target.execute(
      "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; PRAGMA cache_size = -2048", operation: "make a copy")
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw SystemFailure("cannot open '\(path)'") }
    // Closing a file descriptor drops this process's POSIX locks on the file, including SQLite's; no other connection uses the
    // copy yet.
    defer { close(descriptor) }
    var writeBack = WriteBack(of: descriptor)
    guard let source = file, let copy = target.file else {
      throw StoreError.isOnServer(path, what: "be copied as a file")
    }
    guard let backup = sqlite3_backup_init(copy, "main", source, "main") else {
      throw Self.failure("begin a copy of the store", sqlite3_extended_errcode(copy), on: copy)
    }
    var code = SQLITE_OK
    do {
      while true {
        code = sqlite3_backup_step(backup, pages)
        let total = Int(sqlite3_backup_pagecount(backup))
        try progress(total - Int(sqlite3_backup_remaining(backup)), total)
        guard code == SQLITE_OK else { break }
        var status = stat()
        if fstat(descriptor, &status) == 0 { try writeBack.reached(Int(status.st_size)) }
      }
    } catch {
      sqlite3_backup_finish(backup)
      throw error
    }
    let end = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, end == SQLITE_OK else {
      throw Self.failure("copy the store", code == SQLITE_DONE ? end : code, on: copy)
    }
    // The copied header still asks for a write-ahead log, which cannot be created in a read-only directory.
    try target.execute("PRAGMA journal_mode = DELETE", operation: "finish a copy")
  }
}
