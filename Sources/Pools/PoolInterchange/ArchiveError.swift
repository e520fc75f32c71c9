import FlowModel

/// The reason why an archive is refused. Nothing of a refused archive is imported.
package enum ArchiveError: Error, Hashable, Sendable {
  case missingManifest
  case unsupportedSchemaVersion(Int)
  case missingRequiredFile(String)
  /// References to records that do not exist: the first `Limits.problemsShown` of `total`.
  case invalidReference([DanglingReference], total: Int)
  case unreadableArchive(ArchiveDamage)
}

/// A reference from one record to another that the archive does not contain.
package struct DanglingReference: Hashable, Sendable {
  /// The member with the record, such as `chemical_doses.json`.
  package var file: String
  package var recordID: String
  /// The field with the reference, such as `serviceEventID`.
  package var field: String
  package var missingID: String

  package init(file: String, recordID: String, field: String, missingID: String) {
    self.file = file
    self.recordID = recordID
    self.field = field
    self.missingID = missingID
  }
}

/// A defect in the bytes, the container or the records of an archive.
package enum ArchiveDamage: Hashable, Sendable {
  /// A defect of the ZIP container, as a sentence.
  case container(String)
  case json(file: String, JSONFault)
  /// `number` counts records from 1.
  case record(file: String, number: Int, field: String, RecordFault)
  case notAList(file: String)
  /// Ids that occur more than once: the first `Limits.problemsShown` of `total`.
  case repeatedIDs(file: String, [String], total: Int)
}

/// The position and kind of an error in JSON text.
package struct JSONFault: Error, Hashable, Sendable {
  /// The kind of JSON error.
  package enum Kind: Hashable, Sendable {
    case unexpected(UInt8)
    case unexpectedEnd
    case textAfterEnd
    case tooDeep(Int)
    case tooManyValues(Int)
    case repeatedKey(String)
    case controlCharacter(UInt32)
    case badEscape
    case notUTF8
    case endlessMarks
    case badNumber
    case numberOutOfRange
  }
  package var kind: Kind
  /// From 1.
  package var line: Int
  /// In bytes, from 1.
  package var column: Int
}

/// The reason why a field's value is refused.
package enum RecordFault: Hashable, Sendable {
  case missing
  case notAnObject
  case notText
  case notANumber
  case notAWholeNumber
  case notAUUID
  case notAnInstant
  case outOfRange
  case tooLong(limit: Int)
  case tooManyBytes(limit: Int)
  case notADate
  case unexpectedToken
  case notAList
  case tooMany(limit: Int)
  /// Another record already has this value.
  case taken
  /// The date is not after the date in the named field.
  case notAfter(String)
}

extension ArchiveError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missingManifest:
      "the archive has no manifest.json at its top level, so it is not a PoolFlow backup"
    case .unsupportedSchemaVersion(let version):
      "the archive's manifest.json says schema version \(version); this poolflow reads versions 1 and 2"
    case .missingRequiredFile(let name):
      "the archive has no \(name), which every PoolFlow backup holds"
    case .invalidReference(let references, let total):
      "records of the archive refer to records that it does not contain: "
        + Self.list(references, of: total)
    case .unreadableArchive(let damage):
      "the archive cannot be read: \(damage)"
    }
  }
}

extension ArchiveError {
  /// The references separated by semicolons, then the number of further ones.
  package static func list(_ references: [DanglingReference], of total: Int) -> String {
    references.map(\.description).joined(separator: "; ") + more(total - references.count)
  }
}

extension DanglingReference: CustomStringConvertible {
  package var description: String { "\(file): \(recordID) has \(field) \(missingID), which does not exist" }
}

extension ArchiveDamage: CustomStringConvertible {
  package var description: String {
    switch self {
    case .container(let sentence): sentence
    case .json(let file, let fault): "\(file) line \(fault.line) column \(fault.column): \(fault.kind)"
    case .record(let file, let number, let field, let fault): "\(file) record \(number): \(field) \(fault)"
    case .notAList(let file): "\(file) is not a list of records"
    case .repeatedIDs(let file, let ids, let total):
      "\(file) holds more than one record of the same id: \(ids.joined(separator: ", "))" + more(total - ids.count)
    }
  }
}

extension JSONFault: CustomStringConvertible {
  package var description: String { "line \(line) column \(column): \(kind)" }
}

extension JSONFault.Kind: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unexpected(let byte):
      (33...126).contains(byte)
        ? "unexpected '\(Unicode.Scalar(byte))'" : "unexpected byte 0x\(String(byte, radix: 16))"
    case .unexpectedEnd: "the text ends too early"
    case .textAfterEnd: "there is extra text after the end"
    case .tooDeep(let limit): "nested more than \(limit) levels deep"
    case .tooManyValues(let limit): "more than \(limit) values in one record"
    case .repeatedKey(let key): "the key '\(plain(key))' occurs twice"
    case .controlCharacter(let value): "bare control character \(codePoint(value)) in a text"
    case .badEscape: "invalid escape in a text"
    case .notUTF8: "the text is not UTF-8"
    case .endlessMarks: "a character of the text has a thousand accents"
    case .badNumber: "invalid number"
    case .numberOutOfRange: "number out of range"
    }
  }
}

extension RecordFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missing: "is missing"
    case .notAnObject: "is not an object"
    case .notText: "is not a text"
    case .notANumber: "is not a number"
    case .notAWholeNumber: "is not a whole number"
    case .notAUUID: "is not a UUID"
    case .notAnInstant: "is not an ISO 8601 instant such as 2026-03-02T14:00:00Z"
    case .outOfRange: "is out of range"
    case .tooLong(let limit): "is longer than \(limit) characters"
    case .tooManyBytes(let limit): "has more than \(limit) bytes; use fewer accents or combining marks"
    case .notADate: "is not a date such as 2026-03-02"
    case .unexpectedToken: "is not one of the allowed values"
    case .notAList: "is not a list"
    case .tooMany(let limit): "is one more than the limit of \(limit)"
    case .taken: "is there already"
    case .notAfter(let field): "is not after \(field)"
    }
  }
}

private func more(_ count: Int) -> String { count > 0 ? "; and \(count) more" : "" }

/// A key made safe for an error message: cut to 64 characters, control characters replaced, so that it cannot move the
/// cursor of a terminal.
private func plain(_ key: String) -> String {
  let scalars = key.unicodeScalars.prefix(64).map { $0.properties.generalCategory == .control ? "?" : String($0) }
  return scalars.joined()
}
