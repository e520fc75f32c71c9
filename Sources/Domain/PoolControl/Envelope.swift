internal import FoundationEssentials
internal import PoolModel

/// What stands around the parameters on the wire: writes calls, answers and errors, and reads them back.
package enum Envelope {
  /// The part of a call that says where it goes and how it is to be answered.
  package struct Head: Decodable, Hashable, Sendable {
    package let method: String
    /// The caller wants no answer, not even an error.
    package let oneway: Bool
    /// The caller takes several answers.
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

  private enum Key: String, CodingKey {
    case method, oneway, more, upgrade, parameters, error, continues
  }

  // MARK: Calls

  package static func call<M: ControlMethod>(_ call: M, more: Bool = false, oneway: Bool = false) throws -> [UInt8] {
    try encode(CallFrame(parameters: call, more: more, oneway: oneway))
  }

  /// - Throws: `ControlError.invalidParameter` for bytes that are not a call, or a call in which an object says a key twice,
  ///   at whatever depth.
  package static func head(of frame: [UInt8]) throws -> Head {
    // What the decoder must not see is looked for before, and said after it: of other bytes it says that they are no call.
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
    // It is looked up among all.
    if hasEndlessMarks(head.method) { throw refusal(.endlessMarks(path: "method")) }
    return head
  }

  private static func refusal(_ fault: UntrustedJSON.Fault) -> ControlError {
    let path = fault.path
    let name = path.hasPrefix("parameters.") ? String(path.dropFirst("parameters.".count)) : path
    switch fault {
    case .repeatedKey:
      return ControlError.badValue(
        field: name, value: String(name.split(separator: ".").last ?? ""),
        why: "the call says this key twice, and which of the two is meant cannot be known; say it once")
    case .longNumber:
      return ControlError.invalidParameter(
        name, "'\(visible(name))' is a number of more than 64 characters; write a shorter one")
    case .endlessMarks:
      return ControlError.invalidParameter(
        name, "'\(visible(name))' has thousands of marks on a letter; leave them out")
    }
  }

  /// False for a call that certainly wants an answer; true is a reason to look.
  static func mayBeOneway(_ frame: [UInt8]) -> Bool {
    // An escape may spell any letter.
    frame.contains(UInt8(ascii: "\\")) || frame.firstRange(of: Array("oneway".utf8)) != nil
  }

  /// The parameters of a call whose head was read; refuses names that `interfaces` does not list for it.
  ///
  /// - Throws: `ControlError.invalidParameter` that names the first parameter missing, of a wrong type or unknown;
  ///   `badValue` for a word that is not one of its parameter's.
  package static func parameters<M: ControlMethod>(of frame: [UInt8], as method: M.Type) throws -> M {
    do {
      let call = try JSONDecoder().decode(ParametersFrame<M>.self, from: Data(frame))
      if let unknown = call.names.first(where: { !M.parameterNames.contains($0) }) {
        throw ControlError.invalidParameter(unknown, "\(M.method) has no parameter '\(unknown)'")
      }
      return call.parameters
    } catch let error as UnknownWord {
      throw error.refusal
    } catch let error as DecodingError {
      let name = error.parameterName
      throw ControlError.invalidParameter(name, "\(M.method) cannot read its parameter '\(name)'")
    }
  }

  // MARK: Answers

  package static func answer(_ parameters: some Encodable, continues: Bool = false) throws -> [UInt8] {
    try encode(AnswerFrame(parameters: parameters, continues: continues))
  }

  package static func error(_ error: ControlError) -> [UInt8] {
    var parameters = error.facts
    // The protocol's own errors have no sentence among their declared parameters.
    if !error.name.hasPrefix("org.varlink.service.") { parameters["message"] = error.message }
    // A dictionary of strings always has a JSON form.
    let bytes = try? encode(ErrorFrame(error: error.name, parameters: parameters))
    return bytes ?? Array(#"{"error":"\#(ControlError.Kind.internal.rawValue)","parameters":{}}"#.utf8)
  }

  /// Reads an answer, or throws the error that came instead of it.
  ///
  /// - Throws: `ControlError` as the daemon sent it, or `.internal` for an answer that cannot be understood.
  package static func read<R: Decodable>(_ frame: [UInt8], as reply: R.Type) throws -> (reply: R, continues: Bool) {
    let data = Data(frame)
    do {
      let outcome = try JSONDecoder().decode(OutcomeFrame.self, from: data)
      if let name = outcome.error { throw ControlError.received(name: name, facts: outcome.facts) }
      return (try JSONDecoder().decode(ReplyFrame<R>.self, from: data).parameters, outcome.continues)
    } catch let error as UnknownWord {
      throw ControlError.notUnderstood(error.path.wireName)
    } catch let error as DecodingError {
      throw ControlError.notUnderstood(error.parameterName)
    }
  }

  /// True for an answer of this daemon that others follow, as its first bytes say; false is a reason to look.
  package static func certainlyContinues(_ frame: [UInt8]) -> Bool { frame.starts(with: #"{"continues":true,"#.utf8) }

  /// Any value as JSON, its keys in order so that equal values give equal bytes. What a terminal obeys or hides is written
  /// as `\u202E`: the same value, whoever looks at the bytes.
  package static func encode(_ value: some Encodable, pretty: Bool = false) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting =
      pretty ? [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted] : [.sortedKeys, .withoutEscapingSlashes]
    return escapedInJSON(Array(try encoder.encode(value)))
  }

  /// A document with the name of its schema among its keys, such as `pfctl.list/1`.
  ///
  /// - Parameter pretty: on many lines; else on one.
  package static func document(_ schema: String, _ body: some Encodable, pretty: Bool = true) throws -> [UInt8] {
    try encode(Document(schema: schema, body: body), pretty: pretty)
  }

  // MARK: Frames

  private struct Document<Body: Encodable>: Encodable {
    let schema: String
    let body: Body

    private enum Key: CodingKey {
      case schema
    }

    func encode(to encoder: any Encoder) throws {
      try body.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(schema, forKey: .schema)
    }
  }

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

  private struct ParametersFrame<M: ControlMethod>: Decodable {
    let parameters: M
    let names: [String]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      if try container.contains(.parameters) && !container.decodeNil(forKey: .parameters) {
        parameters = try container.decode(M.self, forKey: .parameters)
        names = try container.nestedContainer(keyedBy: AnyKey.self, forKey: .parameters).allKeys.map(\.stringValue)
      } else {
        // A call without parameters may leave the object out.
        parameters = try JSONDecoder().decode(M.self, from: Data("{}".utf8))
        names = []
      }
    }
  }

  private struct AnswerFrame<R: Encodable>: Encodable {
    let parameters: R
    let continues: Bool

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(parameters, forKey: .parameters)
      if continues { try container.encode(true, forKey: .continues) }
    }
  }

  private struct ErrorFrame: Encodable {
    let error: String
    let parameters: [String: String]
  }

  private struct ReplyFrame<R: Decodable>: Decodable {
    let parameters: R
  }

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
        // A fact of another type is of a newer daemon; the sentence says it too.
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
  /// The parameter at fault, as a path: `changes.0.key`.
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
  /// `parameter` names what cannot be read; the sentence stays with us, the protocol's error has no room for it.
  package static func invalidParameter(_ parameter: String, _ message: String) -> ControlError {
    ControlError(.invalidParameter, message, facts: ["parameter": parameter])
  }

  fileprivate static func notUnderstood(_ field: String) -> ControlError {
    ControlError(
      .internal, "the daemon's answer cannot be understood (\(field)); are pfctl and poolflowd of one version?")
  }

  /// An error as it arrived; where it has no sentence, one is made of its name and facts.
  static func received(name: String, facts: [String: String]) -> ControlError {
    var facts = facts
    if let message = facts.removeValue(forKey: "message") {
      return ControlError(name: name, message: message, facts: facts)
    }
    let told = facts.sorted { $0.key < $1.key }.map { "\($0.key) '\($0.value)'" }.joined(separator: ", ")
    let word = name.split(separator: ".").last.map(String.init) ?? name
    let sentence = "the daemon answers \(word)" + (told.isEmpty ? "" : ": \(told)")
    return ControlError(name: name, message: sentence, facts: facts)
  }
}
