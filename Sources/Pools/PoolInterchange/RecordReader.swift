package import FlowModel
import PoolModel

/// The origin of an archive, which decides whether the rules for fields (`TextRule`, `NumberRule`) are enforced.
package enum ArchiveOrigin: Hashable, Sendable {
  /// An archive of any origin: texts must respect the length limits and numbers the allowed ranges.
  case anywhere
  /// A backup made by this store: values are restored as they were, even if a newer rule forbids them.
  case ownBackup
}

/// Collects the warnings about the records of one file while they are read.
package final class RecordWarnings {
  package var warnings = ArchiveWarnings()

  package init() {}
}

/// Reads the fields of one record. Each accessor returns the type it names or throws an error with file, record and
/// field.
package struct RecordReader {
  package let file: String
  /// The number of the record in its file, from 1.
  package let number: Int
  package let object: JSONObject
  package let origin: ArchiveOrigin
  /// Receives a warning for each text from which characters were removed.
  private let recordWarnings: RecordWarnings

  package init(
    file: String, number: Int, value: JSONValue, origin: ArchiveOrigin, warnings: RecordWarnings
  ) throws(ArchiveError) {
    guard case .object(let object) = value else {
      throw .unreadableArchive(.record(file: file, number: number, field: "it", .notAnObject))
    }
    self.file = file
    self.number = number
    self.object = object
    self.origin = origin
    recordWarnings = warnings
  }

  /// A reader for an object inside this record.
  package func inner(_ value: JSONValue) throws(ArchiveError) -> RecordReader {
    try RecordReader(file: file, number: number, value: value, origin: origin, warnings: recordWarnings)
  }

  /// The error for an unusable field of this record.
  package func refuse(_ field: String, _ fault: RecordFault) -> ArchiveError {
    .unreadableArchive(.record(file: file, number: number, field: field, fault))
  }

  /// The value of a field; nil if it is absent or null. The app omits absent optionals; other writers may write null.
  package func value(_ field: String) -> JSONValue? {
    guard let value = object[field], value != .null else { return nil }
    return value
  }

  // MARK: Texts

  /// A required text.
  package func name(_ field: String) throws(ArchiveError) -> String {
    guard value(field) != nil else { throw refuse(field, .missing) }
    return try text(field, .name)
  }

  /// An optional text; empty if the field is absent. Control characters are removed with a warning (`TextRule`), except
  /// from a store's own backup, which is restored unchanged.
  package func text(_ field: String, _ rule: TextRule) throws(ArchiveError) -> String {
    guard let value = value(field) else { return "" }
    guard case .text(let text) = value else { throw refuse(field, .notText) }
    guard origin == .anywhere else { return text }
    switch rule.lengthFault(in: text) {
    case nil, .control, .lineEnd: break
    case .tooManyLetters(let limit): throw refuse(field, .tooLong(limit: limit))
    case .tooManyBytes(_, let limit): throw refuse(field, .tooManyBytes(limit: limit))
    }
    guard hasControls(text) else { return text }
    recordWarnings.warnings.add(.controlCharacters(file: file, record: number, field: field))
    return withoutControls(text)
  }

  // MARK: Numbers

  /// A required number within the limits of `NumberRule.record`.
  package func number(_ field: String) throws(ArchiveError) -> Double {
    guard let number = try optionalNumber(field) else { throw refuse(field, .missing) }
    return number
  }

  /// A number within the limits of `NumberRule.record`; nil if the field is absent.
  package func optionalNumber(_ field: String) throws(ArchiveError) -> Double? {
    guard let value = value(field) else { return nil }
    guard case .number(let number) = value else { throw refuse(field, .notANumber) }
    guard origin == .ownBackup || NumberRule.record.accepts(number) else { throw refuse(field, .outOfRange) }
    return number
  }

  /// A required integer of at most 32 bits; a store's own backup may have larger ones.
  package func whole(_ field: String) throws(ArchiveError) -> Int {
    let number = try number(field)
    guard let whole = Int(exactly: number), origin == .ownBackup || Int32(exactly: whole) != nil else {
      throw refuse(field, number == number.rounded() ? .outOfRange : .notAWholeNumber)
    }
    return whole
  }

  // MARK: Identities and instants

  package func id<Entity>(_ field: String) throws(ArchiveError) -> EntityID<Entity> {
    guard let id: EntityID<Entity> = try optionalID(field) else { throw refuse(field, .missing) }
    return id
  }

  package func optionalID<Entity>(_ field: String) throws(ArchiveError) -> EntityID<Entity>? {
    guard let value = value(field) else { return nil }
    guard case .text(let text) = value, let uuid = UUIDText.uuid(text) else { throw refuse(field, .notAUUID) }
    return EntityID(uuid)
  }

  package func instant(_ field: String) throws(ArchiveError) -> Timestamp {
    guard let instant = try optionalInstant(field) else { throw refuse(field, .missing) }
    return instant
  }

  package func optionalInstant(_ field: String) throws(ArchiveError) -> Timestamp? {
    guard let value = value(field) else { return nil }
    guard case .text(let text) = value, let instant = Timestamp(rfc3339: text) else {
      throw refuse(field, .notAnInstant)
    }
    return instant
  }
}
