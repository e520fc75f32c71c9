package import PoolModel

/// Where an archive comes from, and so how its records are held to the rules of fields (`TextRule`, `NumberRule`).
package enum ArchiveOrigin: Hashable, Sendable {
  /// Whoever made it: texts within their bounds and numbers that can be reckoned with.
  case anywhere
  /// A backup that this store made: what the store held, also where that is from before a rule.
  case ownBackup
}

/// What is said about the records of one file while they are read.
package final class RecordRemarks {
  package var warnings = ArchiveWarnings()

  package init() {}
}

/// The fields of one record, each read into the type it must have or refused with its place.
package struct RecordReader {
  package let file: String
  /// From 1.
  package let number: Int
  package let object: JSONObject
  package let origin: ArchiveOrigin
  /// What was left out of texts.
  private let remarks: RecordRemarks

  package init(
    file: String, number: Int, value: JSONValue, origin: ArchiveOrigin, remarks: RecordRemarks
  ) throws(ArchiveError) {
    guard case .object(let object) = value else {
      throw .unreadableArchive(.record(file: file, number: number, field: "it", .notAnObject))
    }
    self.file = file
    self.number = number
    self.object = object
    self.origin = origin
    self.remarks = remarks
  }

  /// The fields of a record within this one.
  package func inner(_ value: JSONValue) throws(ArchiveError) -> RecordReader {
    try RecordReader(file: file, number: number, value: value, origin: origin, remarks: remarks)
  }

  package func refuse(_ field: String, _ fault: RecordFault) -> ArchiveError {
    .unreadableArchive(.record(file: file, number: number, field: field, fault))
  }

  /// nil for an absent field and for null alike: the app leaves absent optionals out, other writers say null.
  package func value(_ field: String) -> JSONValue? {
    guard let value = object[field], value != .null else { return nil }
    return value
  }

  // MARK: Texts

  /// A field that a record cannot do without.
  package func name(_ field: String) throws(ArchiveError) -> String {
    guard value(field) != nil else { throw refuse(field, .missing) }
    return try text(field, .name)
  }

  /// A field that may be absent, which means empty. Control characters are left out with a remark (`TextRule`); a backup of
  /// our own gives back what it was given.
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
    remarks.warnings.add(.controlCharacters(file: file, record: number, field: field))
    return withoutControls(text)
  }

  // MARK: Numbers

  package func number(_ field: String) throws(ArchiveError) -> Double {
    guard let number = try optionalNumber(field) else { throw refuse(field, .missing) }
    return number
  }

  package func optionalNumber(_ field: String) throws(ArchiveError) -> Double? {
    guard let value = value(field) else { return nil }
    guard case .number(let number) = value else { throw refuse(field, .notANumber) }
    guard origin == .ownBackup || NumberRule.record.accepts(number) else { throw refuse(field, .outOfRange) }
    return number
  }

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
