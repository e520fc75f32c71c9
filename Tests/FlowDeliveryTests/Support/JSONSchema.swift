import FlowModel
import Foundation

/// The part of JSON Schema (draft 7) that these schemas use. An unknown keyword is an error, so that no rule goes unchecked.
struct JSONSchema {
  struct UnknownKeyword: Error {
    let name: String
  }

  private let root: [String: Any]

  init(_ bytes: [UInt8]) throws {
    root = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
  }

  /// The violations of the schema, each with its JSON path; empty if the instance is valid.
  func complaints(about bytes: [UInt8]) throws -> [String] {
    try check(JSONSerialization.jsonObject(with: Data(bytes)), root, at: "$")
  }

  private func check(_ value: Any, _ schema: [String: Any], at place: String) throws -> [String] {
    var complaints: [String] = []
    let object = value as? [String: Any]
    let text = value as? String
    for (keyword, rule) in schema.sorted(by: { $0.key < $1.key }) {
      switch keyword {
      case "$schema", "$comment": break
      case "type":
        let names = rule as? [String] ?? [rule as? String ?? ""]
        if !names.contains(where: { isOf($0, value) }) { complaints.append("\(place) is not \(names)") }
      case "enum":
        if !(rule as? [String] ?? []).contains(text ?? "") { complaints.append("\(place) is none of \(rule)") }
      case "required":
        for name in rule as? [String] ?? [] where object?[name] == nil {
          complaints.append("\(place).\(name) is missing")
        }
      case "minLength":
        if let text, text.unicodeScalars.count < rule as? Int ?? 0 { complaints.append("\(place) is too short") }
      case "pattern":
        if let text, try text.firstMatch(of: Regex(rule as? String ?? "")) == nil {
          complaints.append("\(place) does not match \(rule)")
        }
      case "format": if let text { complaints += try checkFormat(text, rule as? String ?? "", at: place) }
      case "not":
        if try check(value, rule as? [String: Any] ?? [:], at: place).isEmpty {
          complaints.append("\(place) is what it must not be")
        }
      case "propertyNames":
        for name in object?.keys.sorted() ?? [] {
          complaints += try check(name, rule as? [String: Any] ?? [:], at: "\(place).\(name)'s name")
        }
      case "properties":
        for (name, part) in rule as? [String: [String: Any]] ?? [:] {
          if let member = object?[name] { complaints += try check(member, part, at: "\(place).\(name)") }
        }
      case "additionalProperties":
        let known = (schema["properties"] as? [String: Any] ?? [:]).keys
        for (name, member) in object ?? [:] where !known.contains(name) {
          complaints += try check(member, rule as? [String: Any] ?? [:], at: "\(place).\(name)")
        }
      default: throw UnknownKeyword(name: keyword)
      }
    }
    return complaints
  }

  private func isOf(_ type: String, _ value: Any) -> Bool {
    switch type {
    case "object": value is [String: Any]
    case "string": value is String
    case "boolean": (value as? NSNumber).map { CFBooleanType.contains($0) } ?? false
    case "integer":
      (value as? NSNumber).map { !CFBooleanType.contains($0) && $0.doubleValue.rounded() == $0.doubleValue } ?? false
    default: false
    }
  }

  private enum CFBooleanType {
    static func contains(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
  }

  private func checkFormat(_ text: String, _ format: String, at place: String) throws -> [String] {
    switch format {
    case "date-time": Timestamp(rfc3339: text) == nil ? ["\(place) is not an RFC 3339 time"] : []
    case "uri-reference":
      // RFC 3986: only these characters, and % only before two hexadecimal digits.
      text.wholeMatch(of: /([A-Za-z0-9\-._~:\/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*/) == nil
        ? ["\(place) is no URI reference"] : []
    case "uri":
      text.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:.+/) == nil ? ["\(place) is no URI"] : []
    default: throw UnknownKeyword(name: "format \(format)")
    }
  }
}
