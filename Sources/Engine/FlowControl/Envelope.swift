internal import FlowModel
internal import FoundationEssentials

/// Encodes and decodes calls, answers and errors on the wire.
package enum Envelope {
  /// Method and flags of a call.
  package struct Head: Decodable, Hashable, Sendable {
    package let method: String
    /// The caller wants no answer, not even an error.
    package let oneway: Bool
    /// The caller accepts several answers.
    package let more: Bool
    package let upgrade: Bool

    package init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      method = try container.decode(String.self, forKey: .method)
      oneway = try container.decodeIfPresent(Bool.self, forKey: .oneway) ?? false
      more = try container.decodeIfPresent(Bool.self, forKey: .more) ?? false
      upgrade = try container.decodeIfPresent(Bool.self, forKey: .upgrade) ?? false
    }
  }

  /// Keys of the Varlink message object.
  private enum Key: String, CodingKey {
    case method, oneway, more, upgrade, parameters, error, continues
  }

  // MARK: Calls

  /// Encodes a call.
  /// - Parameters:
  ///   - more: true if the caller accepts several answers.
  ///   - oneway: true if the caller wants no answer.
  package static func call<M: ControlMethod>(_ call: M, more: Bool = false, oneway: Bool = false) throws -> [UInt8] {
    try encode(CallFrame(parameters: call, more: more, oneway: oneway))
  }

  /// - Throws: `ControlError.invalidParameter` if the bytes are not a call, `badValue` if an object at any depth repeats a key.
  package static func head(of frame: [UInt8]) throws -> Head {
    // Faults that the JSON decoder must not see are thrown before decoding; a repeated key is reported only if the frame is a
    // call.
    let fault = UntrustedJSON.fault(in: frame)
    if let fault, case .longNumber = fault { throw refusal(fault) }
    if let fault, case .endlessMarks = fault { throw refusal(fault) }
    let head: Head
    do {
      head = try JSONDecoder().decode(Head.self, from: Data(frame))
    } catch {
      throw ControlError.invalidParameter("method", "this is not a Varlink call: a JSON object with a `method`")
    }
    if let fault { throw refusal(fault) }
    // The method name is compared with all names, and thousands of combining marks would make that slow.
    if hasTooManyCombiningMarks(head.method) { throw refusal(.endlessMarks(path: "method")) }
    return head
  }

  /// Error for JSON that is not accepted from untrusted callers.
  private static func refusal(_ fault: UntrustedJSON.Fault) -> ControlError {
    let path = fault.path
    let name = path.hasPrefix("parameters.") ? String(path.dropFirst("parameters.".count)) : path
    switch fault {
    case .repeatedKey:
      return ControlError.badValue(
        field: name, value: String(name.split(separator: ".").last ?? ""),
        why: "the call has this key twice; give it once")
    case .longNumber:
      return ControlError.invalidParameter(
        name, "'\(visible(name))' is a number of more than 64 characters; write a shorter one")
    case .endlessMarks:
      return ControlError.invalidParameter(
        name, "'\(visible(name))' has thousands of accents on one character; leave them out")
    }
  }

  /// False only if the call certainly wants an answer; true means that the frame must be decoded to find out.
  static func mayBeOneway(_ frame: [UInt8]) -> Bool {
    // A JSON escape could spell any character of `oneway`.
    frame.contains(UInt8(ascii: "\\")) || frame.firstRange(of: Array("oneway".utf8)) != nil
  }

  /// Decodes the parameters of a call whose head was read.
  ///
  /// - Throws: `ControlError.invalidParameter` that names the first parameter missing, of a wrong type or unknown to the
  ///   method; `badValue` if a text is not a value of its enum.
  package static func parameters<M: ControlMethod>(of frame: [UInt8], as method: M.Type) throws -> M {
    do {
      let call = try JSONDecoder().decode(ParametersFrame<M>.self, from: Data(frame))
      if let unknown = call.names.first(where: { !M.parameterNames.contains($0) }) {
        throw ControlError.invalidParameter(unknown, "\(M.method) has no parameter '\(unknown)'")
      }
      return call.parameters
    } catch let error as UnknownRawValue {
      throw error.refusal
    } catch let error as DecodingError {
      let name = error.parameterName
      throw ControlError.invalidParameter(name, "\(M.method) cannot read its parameter '\(name)'")
    }
  }

  // MARK: Answers

  /// Encodes an answer; `continues` is true if further answers follow.
  package static func answer(_ parameters: some Encodable, continues: Bool = false) throws -> [UInt8] {
    try encode(AnswerFrame(parameters: parameters, continues: continues))
  }

  /// Encodes an error, with its message among the parameters.
  package static func error(_ error: ControlError) -> [UInt8] {
    var parameters = error.facts
    // The Varlink protocol's own errors declare no `message` parameter.
    if !error.name.hasPrefix("org.varlink.service.") { parameters["message"] = error.message }
    // A dictionary of strings can always be encoded.
    let bytes = try? encode(ErrorFrame(error: error.name, parameters: parameters))
    return bytes ?? Array(#"{"error":"\#(ControlError.Kind.internal.rawValue)","parameters":{}}"#.utf8)
  }

  /// Decodes an answer.
  ///
  /// - Throws: the `ControlError` that the daemon sent instead, or `.internal` if the answer cannot be decoded.
  package static func read<R: Decodable>(_ frame: [UInt8], as reply: R.Type) throws -> (reply: R, continues: Bool) {
    let data = Data(frame)
    do {
      let outcome = try JSONDecoder().decode(OutcomeFrame.self, from: data)
      if let name = outcome.error { throw ControlError.received(name: name, facts: outcome.facts) }
      return (try JSONDecoder().decode(ReplyFrame<R>.self, from: data).parameters, outcome.continues)
    } catch let error as UnknownRawValue {
      throw ControlError.notUnderstood(error.path.wireName)
    } catch let error as DecodingError {
      throw ControlError.notUnderstood(error.parameterName)
    }
  }

  /// True if the frame is certainly followed by further answers, judged by its first bytes; false means that it must be
  /// decoded.
  package static func certainlyContinues(_ frame: [UInt8]) -> Bool { frame.starts(with: #"{"continues":true,"#.utf8) }

  /// Encodes a value as JSON with sorted keys, so that equal values give equal bytes. Control and bidirectional characters are
  /// written as escapes such as `\u202E`.
  package static func encode(_ value: some Encodable, pretty: Bool = false) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting =
      pretty ? [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted] : [.sortedKeys, .withoutEscapingSlashes]
    return escapedInJSON(Array(try encoder.encode(value)))
  }

  /// Encodes a document with a `schema` key, such as `pfctl.list/1`.
  ///
  /// - Parameter pretty: true for indented output, false for a single line.
  package static func document(_ schema: String, _ body: some Encodable, pretty: Bool = true) throws -> [UInt8] {
    try encode(Document(schema: schema, body: body), pretty: pretty)
  }

  // MARK: Frames

  /// A body with a `schema` key added.
  private struct Document<Body: Encodable>: Encodable {
    let schema: String
    let body: Body

    /// The added key.
    private enum Key: CodingKey {
      case schema
    }

    func encode(to encoder: any Encoder) throws {
      try body.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(schema, forKey: .schema)
    }
  }

  /// A call as sent by a client.
  private struct CallFrame<M: ControlMethod>: Encodable {
    let parameters: M
    let more: Bool
    let oneway: Bool

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(M.method, forKey: .method)
      try container.encode(parameters, forKey: .parameters)
      if more { try container.encode(true, forKey: .more) }
      if oneway { try container.encode(true, forKey: .oneway) }
    }
  }

  /// The parameters of a received call, with the names actually present.
  private struct ParametersFrame<M: ControlMethod>: Decodable {
    let parameters: M
    let names: [String]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      if try container.contains(.parameters) && !container.decodeNil(forKey: .parameters) {
        parameters = try container.decode(M.self, forKey: .parameters)
        names = try container.nestedContainer(keyedBy: AnyKey.self, forKey: .parameters).allKeys.map(\.stringValue)
      } else {
        // The parameters object may be missing if a call has no parameters.
        parameters = try JSONDecoder().decode(M.self, from: Data("{}".utf8))
        names = []
      }
    }
  }

  /// A successful answer.
  private struct AnswerFrame<R: Encodable>: Encodable {
    let parameters: R
    let continues: Bool

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(parameters, forKey: .parameters)
      if continues { try container.encode(true, forKey: .continues) }
    }
  }

  /// An error answer.
  private struct ErrorFrame: Encodable {
    let error: String
    let parameters: [String: String]
  }

  /// The parameters of a received answer.
  private struct ReplyFrame<R: Decodable>: Decodable {
    let parameters: R
  }

  /// The part of a received answer that shows whether it is an error.
  private struct OutcomeFrame: Decodable {
    let error: String?
    let continues: Bool
    let facts: [String: String]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      error = try container.decodeIfPresent(String.self, forKey: .error)
      continues = try container.decodeIfPresent(Bool.self, forKey: .continues) ?? false
      var facts: [String: String] = [:]
      if error != nil, container.contains(.parameters) {
        let parameters = try container.nestedContainer(keyedBy: AnyKey.self, forKey: .parameters)
        // A fact of another type comes from a newer daemon; the message contains it too.
        for key in parameters.allKeys { facts[key.stringValue] = try? parameters.decode(String.self, forKey: key) }
      }
      self.facts = facts
    }
  }
}

/// Any key of a JSON object.
private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension DecodingError {
  /// Dotted path of the invalid parameter, such as `changes.0.key`.
  fileprivate var parameterName: String {
    let path: [any CodingKey]
    switch self {
    case .keyNotFound(let key, let context): path = context.codingPath + [key]
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      path = context.codingPath
    @unknown default: path = []
    }
    return path.map(\.onTheWire).wireName
  }
}

extension ControlError {
  /// An invalid parameter. The error on the wire contains only its name; the message stays in the daemon.
  package static func invalidParameter(_ parameter: String, _ message: String) -> ControlError {
    ControlError(.invalidParameter, message, facts: ["parameter": parameter])
  }

  fileprivate static func notUnderstood(_ field: String) -> ControlError {
    ControlError(
      .internal,
      "the daemon's answer cannot be understood (\(field)); check that pfctl and poolflowd have the same version")
  }

  /// A received error; without a message, one is built from its name and facts.
  static func received(name: String, facts: [String: String]) -> ControlError {
    var facts = facts
    if let message = facts.removeValue(forKey: "message") {
      return ControlError(name: name, message: message, facts: facts)
    }
    let factsText = facts.sorted { $0.key < $1.key }.map { "\($0.key) '\($0.value)'" }.joined(separator: ", ")
    let word = name.split(separator: ".").last.map(String.init) ?? name
    let sentence = "the daemon answers \(word)" + (factsText.isEmpty ? "" : ": \(factsText)")
    return ControlError(name: name, message: sentence, facts: facts)
  }
}
