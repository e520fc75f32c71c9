import FlowModel
package import PoolInterchange
import PoolModel
import StableModel

/// Reads all records of a stable's archive from its members, or throws the reason for refusing it.
package enum StableArchiveReader {
  /// The maximum number of values in one record, enough for a forecast with the maximum number of hours.
  private static let values = 8 * Limits.forecastHours

  /// True if the archive is that of a stable.
  package static func isStable(_ members: some ArchiveMembers) -> Bool {
    members.names().contains(StableArchiveName.records)
  }

  /// Reads the archive. Horses whose photo is missing get none and are listed in `photosMissing`; unknown members are
  /// listed as warnings.
  package static func read(
    _ members: some ArchiveMembers, origin: ArchiveOrigin = .anywhere
  ) throws(ArchiveError) -> StableContents {
    let file = StableArchiveName.records
    let found: [UInt8]?
    do {
      found = try members.bytes(
        of: file, limit: origin == .ownBackup ? Limits.archiveBytes : Limits.archiveRecordBytes)
    } catch { throw .unreadableArchive(.container("\(error)")) }
    guard let bytes = found else { throw .missingRequiredFile(file) }
    var contents = try records(bytes, origin)
    let present = Set(members.names())
    for index in contents.horses.indices where contents.horses[index].hasPhoto {
      guard !present.contains(StableArchiveName.photo(of: contents.horses[index].id)) else { continue }
      contents.horses[index].hasPhoto = false
      contents.photosMissing.append(contents.horses[index].id)
    }
    let photos = Set(contents.horses.filter(\.hasPhoto).map { StableArchiveName.photo(of: $0.id) })
    for name in members.names() where name != file && !photos.contains(name) {
      contents.warnings.append(.foreign(name: name))
    }
    return contents
  }

  private static func records(_ bytes: [UInt8], _ origin: ArchiveOrigin) throws(ArchiveError) -> StableContents {
    let file = StableArchiveName.records
    let recordWarnings = RecordWarnings()
    var draft = StableDraft()
    var scanner = JSONScanner(bytes, values: values)
    let isObject = try scanner.members { (key, number, value) throws(ArchiveError) in
      if number > 0, case .object = value {
        let record = try RecordReader(
          file: "\(file), \(key),", number: number, value: value, origin: origin, warnings: recordWarnings)
        try draft.take(record, of: key)
      } else {
        var object = JSONObject()
        object.append(key, value)
        let record = try RecordReader(
          file: file, number: 1, value: .object(object), origin: origin, warnings: recordWarnings)
        try draft.take(record, field: key, isElement: number > 0)
      }
    } fault: {
      .unreadableArchive(.json(file: file, $0))
    }
    guard isObject else {
      throw .unreadableArchive(.record(file: file, number: 1, field: "it", .notAnObject))
    }
    var contents = try draft.contents(file: file, origin)
    contents.warnings = recordWarnings.warnings.shown
    return contents
  }
}
