package import FlowControl
import FlowModel
package import FlowPlatform
import Glibc

extension Limits {
  /// Maximum uploads open at the same time, each a temporary file.
  static let uploadsAtOnce = 4
}

/// Files that are being uploaded: the daemon cannot read its callers' files, so callers send them in pieces, which are
/// collected in a private folder.
package actor Uploads {
  /// An upload of one connection, with the number of bytes received so far.
  package struct Upload: Sendable {
    package let team: String
    package let technician: String?
    package let fileName: String
    package let bytes: Int
    package let path: String
    package let connection: UInt64
    package fileprivate(set) var received = 0
  }

  private let folder: String
  private var uploads: [String: Upload] = [:]
  private var count = 0

  package init(folder: String) {
    self.folder = folder
  }

  /// Creates the folder and deletes files that an earlier process left in it.
  package nonisolated func prepare() throws(SystemFailure) {
    if mkdir(folder, 0o700) != 0, errno != EEXIST { throw SystemFailure("cannot make '\(folder)'") }
    guard let listing = opendir(folder) else { throw SystemFailure("cannot read '\(folder)'") }
    defer { closedir(listing) }
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { unlink("\(folder)/\(name)") }
    }
  }

  /// Begins an upload of this connection.
  ///
  /// - Returns: the upload's id.
  package func open(_ call: ImportCall.Open, connection: UInt64) throws -> String {
    guard uploads.count < Limits.uploadsAtOnce else {
      throw ControlError(
        .busy, "\(Limits.uploadsAtOnce) uploads are in progress, the most allowed; try again in a moment")
    }
    guard call.bytes > 0 else {
      throw ControlError.badFile("'\(call.fileName)' is empty; export it again from the PoolFlow app")
    }
    guard call.bytes <= Limits.archiveBytes else {
      throw ControlError.badFile(
        "'\(call.fileName)' has \(sizeText(call.bytes)), the limit for an import is \(sizeText(Limits.archiveBytes))"
      )
    }
    count += 1
    let id = "upload-\(count)"
    let path = "\(folder)/\(id)"
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw storage("cannot make '\(path)'", errno) }
    close(descriptor)
    uploads[id] = Upload(
      team: call.team, technician: call.technician, fileName: call.fileName, bytes: call.bytes, path: path,
      connection: connection)
    return id
  }

  /// Appends a piece.
  ///
  /// - Parameter offset: must equal the number of bytes received so far.
  /// - Returns: the number of bytes received so far.
  package func add(_ id: String, offset: Int, data: [UInt8], connection: UInt64) throws -> Int {
    var upload = try find(id, connection: connection)
    guard offset == upload.received, upload.received + data.count <= upload.bytes else {
      throw ControlError.invalidParameter(
        "offset", "the next piece begins at \(upload.received) of \(upload.bytes) bytes")
    }
    let descriptor = Glibc.open(upload.path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw storage("cannot open '\(upload.path)'", errno) }
    defer { close(descriptor) }
    var written = 0
    while written < data.count {
      let result = data[written...].withUnsafeBytes { bytes in
        pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset + written))
      }
      if result < 0, errno == EINTR { continue }
      guard result > 0 else { throw storage("cannot write '\(upload.path)'", errno) }
      written += result
    }
    upload.received += data.count
    uploads[id] = upload
    return upload.received
  }

  /// The complete upload; its file stays until it is removed or its connection ends.
  package func finished(_ id: String, connection: UInt64) throws -> Upload {
    let upload = try find(id, connection: connection)
    guard upload.received == upload.bytes else {
      throw ControlError.invalidParameter(
        "upload", "only \(upload.received) of \(upload.bytes) bytes have arrived; send the rest first")
    }
    return upload
  }

  package func remove(_ id: String, connection: UInt64) throws {
    forget(id, try find(id, connection: connection))
  }

  /// Deletes all uploads of the connection.
  package func connectionEnded(_ connection: UInt64) {
    for (id, upload) in uploads where upload.connection == connection { forget(id, upload) }
  }

  private func forget(_ id: String, _ upload: Upload) {
    uploads[id] = nil
    // A file that cannot be removed now is deleted at the next start.
    unlink(upload.path)
  }

  /// The upload of this connection; another connection cannot use it.
  private func find(_ id: String, connection: UInt64) throws(ControlError) -> Upload {
    guard let upload = uploads[id], upload.connection == connection else {
      throw ControlError(.noSuchUpload, "this connection has no upload '\(id)'; begin again with Open")
    }
    return upload
  }

  private func storage(_ what: String, _ code: Int32) -> ControlError {
    ControlError(.storage, "\(SystemFailure(what, code: code)); nothing was imported")
  }
}
