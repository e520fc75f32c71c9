import PoolModel

/// The fields of one record, each read into the type it must have or refused with its place.
struct RecordReader {
  let file: String
  /// From 1.
  let number: Int
  let object: JSONObject

  init(file: String, number: Int, value: JSONValue) throws(ArchiveError) {
    guard case .object(let object) = value else {
      throw .unreadableArchive(.record(file: file, number: number, field: "it", .notAnObject))
    }
    self.file = file
    self.number = number
    self.object = object
  }

  func refuse(_ field: String, _ fault: RecordFault) -> ArchiveError {
    .unreadableArchive(.record(file: file, number: number, field: field, fault))
  }

  /// nil for an absent field and for null alike: the app leaves absent optionals out, other writers say null.
  private func value(_ field: String) -> JSONValue? {
    guard let value = object[field], value != .null else { return nil }
    return value
  }

  // MARK: Texts

  /// A field that a record cannot do without.
  func name(_ field: String, limit: Int = Limits.nameLength) throws(ArchiveError) -> String {
    guard value(field) != nil else { throw refuse(field, .missing) }
    return try text(field, limit: limit)
  }

  /// A field that may be absent, which means empty.
  func text(_ field: String, limit: Int) throws(ArchiveError) -> String {
    guard let value = value(field) else { return "" }
    guard case .text(let text) = value else { throw refuse(field, .notText) }
    // Bytes are counted first: a text of few bytes cannot have many characters.
    guard text.utf8.count <= limit || text.count <= limit else { throw refuse(field, .tooLong(limit: limit)) }
    return text
  }

  // MARK: Numbers

  func number(_ field: String) throws(ArchiveError) -> Double {
    guard let number = try optionalNumber(field) else { throw refuse(field, .missing) }
    return number
  }

  func optionalNumber(_ field: String) throws(ArchiveError) -> Double? {
    guard let value = value(field) else { return nil }
    guard case .number(let number) = value else { throw refuse(field, .notANumber) }
    return number
  }

  func whole(_ field: String) throws(ArchiveError) -> Int {
    let number = try number(field)
    guard let whole = Int(exactly: number), let bounded = Int32(exactly: whole) else {
      throw refuse(field, number == number.rounded() ? .outOfRange : .notAWholeNumber)
    }
    return Int(bounded)
  }

  // MARK: Identities and instants

  func id<Entity>(_ field: String) throws(ArchiveError) -> EntityID<Entity> {
    guard let id: EntityID<Entity> = try optionalID(field) else { throw refuse(field, .missing) }
    return id
  }

  func optionalID<Entity>(_ field: String) throws(ArchiveError) -> EntityID<Entity>? {
    guard let value = value(field) else { return nil }
    guard case .text(let text) = value, let uuid = UUIDText.uuid(text) else { throw refuse(field, .notAUUID) }
    return EntityID(uuid)
  }

  func instant(_ field: String) throws(ArchiveError) -> Timestamp {
    guard let instant = try optionalInstant(field) else { throw refuse(field, .missing) }
    return instant
  }

  func optionalInstant(_ field: String) throws(ArchiveError) -> Timestamp? {
    guard let value = value(field) else { return nil }
    guard case .text(let text) = value, let instant = Timestamp(rfc3339: text) else {
      throw refuse(field, .notAnInstant)
    }
    return instant
  }
}
