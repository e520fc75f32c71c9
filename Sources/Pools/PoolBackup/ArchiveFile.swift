package import FlowPlatform
package import PoolInterchange

/// Opens an archive on disk: reads its records at once, and its photos on demand.
package enum ArchiveFile {
  /// Reads and checks all records, but no photo.
  ///
  /// - Throws: `ZIPError` if the file itself cannot be opened or read (`isAboutTheFile`), else `ArchiveError`.
  package static func open(path: String, origin: ArchiveOrigin = .anywhere) throws -> OpenArchive {
    do {
      let zip = try ZIPArchive(path: path)
      return OpenArchive(
        zip: zip, contents: try ArchiveReader.read(ZIPMembers(zip), origin: origin, parallel: ThreadRunner()))
    } catch let error as ZIPError where !error.isAboutTheFile {
      throw ArchiveError.unreadableArchive(.container(error.description))
    }
  }
}

/// The members of an archive inside its ZIP file.
package struct ZIPMembers: ArchiveMembers {
  private let zip: ZIPArchive

  package init(_ zip: ZIPArchive) { self.zip = zip }

  package func names() -> [String] { zip.entries.filter { !$0.isFolder }.map(\.name) }

  package func bytes(of name: String, limit: Int) throws -> [UInt8]? {
    guard let entry = zip.file(named: name) else { return nil }
    return try zip.read(entry, limit: limit)
  }
}
