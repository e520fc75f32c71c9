internal import FlowModel
package import FlowNotices
internal import Glibc

/// A folder of receipts, in which a sender such as `poolflow-post` reports the outcome of a sink's notices. Its content is
/// untrusted: only small regular files that parse as a receipt are used.
package struct ReceiptFolder: Sendable {
  package let path: String
  private let calls = LinuxFileSystemCalls()

  package init(path: String) { self.path = path }

  /// The files found by one scan.
  package struct ScanResult: Sendable {
    package var receipts: [Receipt] = []
    /// The file names of the receipts and of invalid files, to be removed after the receipts are stored.
    package var names: [String] = []
    /// The number of invalid files, and the reason for the first one.
    package var invalid = 0
    package var firstFault = ""
    /// The number of unreadable files, which are kept.
    package var unreadable = 0
  }

  /// Returns the names of receipt files, at most `limit`, in no order; nil if the folder does not exist.
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

  /// Reads the receipts of these names. A file removed in the meantime is skipped.
  ///
  /// - Throws: `DeliveryError.file` if the folder cannot be opened.
  package func read(_ names: some Sequence<String>) throws(DeliveryError) -> ScanResult {
    let folder = try open()
    defer { close(folder) }
    var found = ScanResult()
    for name in names {
      do {
        // Read one byte more than the limit, so that a larger file is recognized as invalid.
        let bytes = try calls.read(name, in: folder, limit: Limits.receiptBytes + 1)
        found.receipts.append(try Receipt(bytes))
        found.names.append(name)
      } catch let failure as SystemCallError {
        switch failure.code {
        case ENOENT: break
        case EACCES, EPERM, EIO: found.unreadable += 1
        default: found.add(invalid: name, "it is no file")
        }
      } catch {
        found.add(invalid: name, "\(error)")
      }
    }
    return found
  }

  /// Returns the bytes of the sender's report about itself; nil if there is none.
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

  /// Removes receipt files. A file that cannot be removed is read again later, with no other effect.
  package func remove(_ names: [String]) throws(DeliveryError) {
    let folder = try open()
    defer { close(folder) }
    for name in names { do { try calls.remove(name, in: folder) } catch {} }
  }

  /// Creates the receipt folder inside an existing drop folder, with mode 770 for the group of the consumer.
  package func make() throws(DeliveryError) {
    guard let slash = path.lastIndex(of: "/") else { return }
    do {
      let drop = try calls.openFolder(String(path[..<slash]))
      defer { close(drop) }
      try calls.makeFolder(String(path[path.index(after: slash)...]), in: drop, mode: 0o770)
    } catch {
      // The sink of the drop folder reports that the folder is missing.
      if error.code != ENOENT { throw .file(.create, path: path, code: error.code) }
    }
  }

  private func open() throws(DeliveryError) -> Int32 {
    do { return try calls.openFolder(path) } catch { throw .file(.open, path: path, code: error.code) }
  }

  private func close(_ folder: Int32) {
    // No data was written through this descriptor, so errors do not matter.
    do { try calls.close(folder) } catch {}
  }
}

extension ReceiptFolder.ScanResult {
  /// Counts an invalid file, and keeps the reason of the first one.
  fileprivate mutating func add(invalid name: String, _ why: String) {
    invalid += 1
    if firstFault.isEmpty { firstFault = why }
    names.append(name)
  }
}
