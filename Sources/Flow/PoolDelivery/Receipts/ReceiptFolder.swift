internal import Glibc
internal import PoolModel
package import PoolNotices

/// A folder in which somebody else says what became of a sink's notices. What lies there is believed as far as it can be
/// read: small files without a link between, each one receipt.
package struct ReceiptFolder: Sendable {
  package let path: String
  private let calls = LinuxFileCalls()

  package init(path: String) { self.path = path }

  /// Files of one look.
  package struct Found: Sendable {
    package var receipts: [Receipt] = []
    /// Of those, and of what is no receipt: to be removed once what is worth keeping is kept.
    package var names: [String] = []
    /// How many were no receipts, and why the first was none.
    package var bad = 0
    package var fault = ""
    /// How many could not be read at all; they stay.
    package var closed = 0
  }

  /// Names of files that lie there, oldest deliveries in no order; at most `limit`. Nil where there is no folder.
  ///
  /// - Throws: `DeliveryError.file`.
  package func names(limit: Int = 2 * Limits.postReceipts) throws(DeliveryError) -> [String]? {
    let folder: Int32
    do { folder = try calls.openFolder(path) } catch {
      if error.code == ENOENT { return nil }
      throw .file(.open, path: path, code: error.code)
    }
    defer { close(folder) }
    do { return try calls.names(in: folder, limit: limit).filter(Receipt.isFileName) } catch {
      throw .file(.list, path: path, code: error.code)
    }
  }

  /// Reads some of them.
  package func read(_ names: some Sequence<String>) throws(DeliveryError) -> Found {
    let folder = try open()
    defer { close(folder) }
    var found = Found()
    for name in names {
      do {
        // One byte more than may be: what has it is none.
        let bytes = try calls.read(name, in: folder, limit: Limits.receiptBytes + 1)
        found.receipts.append(try Receipt(bytes))
        found.names.append(name)
      } catch let failure as CallFailure {
        switch failure.code {
        case ENOENT: break
        case EACCES, EPERM, EIO: found.closed += 1
        default: found.add(bad: name, "it is no file")
        }
      } catch {
        found.add(bad: name, "\(error)")
      }
    }
    return found
  }

  /// What the sender of the notices reports of itself; nil where there is no report.
  ///
  /// - Throws: `DeliveryError.file`.
  package func report() throws(DeliveryError) -> [UInt8]? {
    let name = SenderReport.fileName
    let folder: Int32
    do { folder = try calls.openFolder(path) } catch {
      if error.code == ENOENT { return nil }
      throw .file(.open, path: path, code: error.code)
    }
    defer { close(folder) }
    do { return try calls.read(name, in: folder, limit: Limits.senderReportBytes + 1) } catch {
      if error.code == ENOENT { return nil }
      throw .file(.read, path: "\(path)/\(name)", code: error.code)
    }
  }

  /// What cannot be removed stays, and is read again: it comes to the same.
  package func remove(_ names: [String]) throws(DeliveryError) {
    let folder = try open()
    defer { close(folder) }
    for name in names { do { try calls.remove(name, in: folder) } catch {} }
  }

  /// Makes it beside the folders of a drop: whoever takes the drop's files may write there.
  package func make() throws(DeliveryError) {
    guard let slash = path.lastIndex(of: "/") else { return }
    do {
      let drop = try calls.openFolder(String(path[..<slash]))
      defer { close(drop) }
      try calls.makeFolder(String(path[path.index(after: slash)...]), in: drop, mode: 0o770)
    } catch {
      // A drop that is not there yet is its sink's matter.
      if error.code != ENOENT { throw .file(.create, path: path, code: error.code) }
    }
  }

  private func open() throws(DeliveryError) -> Int32 {
    do { return try calls.openFolder(path) } catch { throw .file(.open, path: path, code: error.code) }
  }

  private func close(_ folder: Int32) {
    // Nothing was written through it.
    do { try calls.close(folder) } catch {}
  }
}

extension ReceiptFolder.Found {
  fileprivate mutating func add(bad name: String, _ why: String) {
    bad += 1
    if fault.isEmpty { fault = why }
    names.append(name)
  }
}
