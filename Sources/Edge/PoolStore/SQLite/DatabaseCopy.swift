import CSQLite
import Glibc
import PoolPlatform

extension Connection {
  /// Writes all of this database, as this connection sees it, into a new file that needs no log beside it.
  ///
  /// Inside a transaction the copy is of that transaction's moment, whatever others write meanwhile. Nothing is flushed to
  /// disk, that is for whoever wants to keep the file; but it is written there as it is made.
  /// - Parameters:
  ///   - pages: copied between two calls of `progress`.
  ///   - progress: takes pages done and pages in all; what it throws ends the copying and passes through.
  func copyDatabase(to path: String, pages: Int32, progress: (Int, Int) throws -> Void) throws {
    let target = try Connection(path: path, mode: .readWrite)
    // The file is of no use until it is complete, so nothing of it needs to survive a crash.
    try target.execute(
      "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; PRAGMA cache_size = -2048", operation: "make a copy")
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw SystemFailure("cannot open '\(path)'") }
    // To close it lets go of SQLite's locks on the copy, of which nobody knows yet.
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
    // The original's header says that it has a write-ahead log; a copy that lies in a read-only folder can have none.
    try target.execute("PRAGMA journal_mode = DELETE", operation: "finish a copy")
  }
}
