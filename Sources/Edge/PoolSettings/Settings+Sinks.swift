package import PoolModel
package import PoolNotices
internal import PoolWork

extension Settings {
  /// One way out.
  package struct SinkSettings: Hashable, Sendable {
    package var name: String
    package var kind: SinkKind
    /// Of a file drop, where it may be left out for the daemon's own `outbox` folder, and of published pages.
    package var directory: String?
    /// Of published pages: where a web server shows them, without a slash at the end.
    package var baseURL: String?
    /// Of a file drop: the files in `new/` at which it waits for its consumer.
    package var maxFiles: Int?
    /// Of stdout: how a notice is written.
    package var format = LineFormat.auto
    /// Names of teams; nil for all, and for what concerns the server itself.
    package var teams: Set<String>?
    /// Words of jobs, and `operator`; nil for all.
    package var jobs: Set<String>?
    package var severity = Severity.info
    /// How long one batch may take.
    package var timeout = Limits.sinkTimeout
    package var rate: SinkRate?
    /// Of a file drop: gate codes, telephone numbers and notes stand in its files.
    package var sensitive = false
    /// Of a file drop: the name of the credential that its files are signed with.
    package var sign: String?
    /// Of a file drop: where whoever takes its files says what became of them.
    package var receipts = ReceiptPlace.ifThere

    package enum ReceiptPlace: Hashable, Sendable {
      /// `receipts/` beside `new/`, where somebody made it.
      case ifThere
      /// The same, and the daemon makes it.
      case beside
      case folder(String)
      case none
    }

    /// How a notice is written to stdout.
    package enum LineFormat: String, Sendable, CaseIterable {
      /// A reference in the journal, JSON elsewhere.
      case auto
      /// One CloudEvent, for programs.
      case json
      /// Lines for people, with the names and addresses that the notice holds.
      case text
      /// Which notice it is and how many lines it has, with no name: a log is read by more people.
      case reference
    }

    package init(name: String, kind: SinkKind, format: LineFormat = .auto) {
      self.name = name
      self.kind = kind
      self.format = format
    }

    /// What reaches it.
    package var route: SinkRoute {
      SinkRoute(sink: name, teams: teams, jobs: jobs, severity: severity, takesPersonal: sensitive)
    }

    /// The place itself, whatever comes to it. Whose pages are published is no matter of notices.
    package var withoutRoute: SinkSettings {
      var place = self
      (place.teams, place.jobs, place.severity) = (kind == .publish ? teams : nil, nil, .info)
      place.receipts = .ifThere
      return place
    }

    /// Of the web: a scheme, a host, perhaps a path; without the slash at its end. Nil for anything else.
    static func baseURL(_ text: String) -> String? {
      guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return nil }
      let rest = text.dropFirst(scheme.count)
      let isPlain = rest.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"#<>?@\\^`{|}".utf8.contains($0) }
      guard isPlain, let first = rest.first, first != "/", first != ":", !rest.contains("//") else { return nil }
      return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// The name stands in a folder's name, in notices and in commands.
    static func isName(_ name: String) -> Bool {
      name.count <= Limits.sinkNameLength && !name.hasPrefix(".") && !name.hasPrefix("-")
        && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
    }
  }

  static let sinkKeys = [
    "Type", "Directory", "Format", "MaxFiles", "Teams", "Jobs", "Severity", "Timeout", "Rate", "Sensitive", "Sign",
    "BaseURL", "Receipts",
  ]

  func apply(
    _ line: SettingsLine, to sink: inout SinkSettings, _ catalogue: JobCatalogue, _ problems: inout [SettingsProblem]
  ) {
    switch line.key {
    case "Type":
      if let kind = SinkKind(rawValue: line.value) {
        sink.kind = kind
      } else {
        problems.append(.badValue(line, expected: "a sink is", known: SinkKind.allCases.map(\.rawValue)))
      }
    case "MaxFiles":
      if let count = Int(line.value), (1...Limits.dropFiles).contains(count) {
        sink.maxFiles = count
      } else {
        problems.append(.badValue(line, expected: "it is a number from 1 to \(Limits.dropFiles)", known: []))
      }
    case "Directory": path(line, into: &sink.directory, &problems)
    case "BaseURL":
      if let url = SinkSettings.baseURL(line.value) {
        sink.baseURL = url
      } else {
        problems.append(
          .badValue(line, expected: "it is an address such as https://routes.example.net, without ? and #", known: []))
      }
    case "Format":
      if let format = SinkSettings.LineFormat(rawValue: line.value) {
        sink.format = format
      } else {
        problems.append(
          .badValue(line, expected: "a format is", known: SinkSettings.LineFormat.allCases.map(\.rawValue)))
      }
    case "Teams", "Jobs", "Severity": applyFilter(line, to: &sink, catalogue, &problems)
    case "Timeout", "Rate", "Sensitive", "Sign", "Receipts": applyManner(line, to: &sink, &problems)
    default: problems.append(.unknownKey(line, known: Self.sinkKeys))
    }
  }

  /// What comes to the sink.
  private func applyFilter(
    _ line: SettingsLine, to sink: inout SinkSettings, _ catalogue: JobCatalogue, _ problems: inout [SettingsProblem]
  ) {
    let words = line.value.split { $0 == " " || $0 == "\t" || $0 == "," }.map(String.init)
    switch line.key {
    case "Teams":
      // Teams come and go while the daemon lives: a name that no team has is no mistake.
      sink.teams = words.isEmpty ? nil : Set(words)
    case "Jobs":
      let known = catalogue.ofTeam.map(\.rawValue) + [OperatorNotice.job]
      for word in words where !known.contains(word) {
        problems.append(.badWord(line, word, expected: "a job is", known: known))
      }
      sink.jobs = words.isEmpty ? nil : Set(words)
    default:
      if let severity = Severity(rawValue: line.value) {
        sink.severity = severity
      } else {
        problems.append(.badValue(line, expected: "it is", known: Severity.allCases.map(\.rawValue)))
      }
    }
  }

  /// How the sink takes it.
  private func applyManner(_ line: SettingsLine, to sink: inout SinkSettings, _ problems: inout [SettingsProblem]) {
    switch line.key {
    case "Timeout":
      if let seconds = Int(line.value.hasSuffix("s") ? String(line.value.dropLast()) : line.value),
        Limits.sinkTimeouts.contains(.seconds(seconds))
      {
        sink.timeout = .seconds(seconds)
      } else {
        problems.append(.badValue(line, expected: "it is a number of seconds from 1 to 300, such as 15s", known: []))
      }
    case "Rate":
      if let rate = SinkRate(line.value) {
        sink.rate = rate
      } else {
        problems.append(.badValue(line, expected: "a rate is written 10/s, 60/min or 500/h", known: []))
      }
    case "Sensitive":
      switch line.value {
      case "yes": sink.sensitive = true
      case "no": sink.sensitive = false
      default: problems.append(.badValue(line, expected: "it is", known: ["yes", "no"]))
      }
    case "Receipts":
      switch line.value {
      case "yes": sink.receipts = .beside
      case "no": sink.receipts = .none
      case _ where line.value.hasPrefix("/"): sink.receipts = .folder(line.value)
      default:
        problems.append(.badValue(line, expected: "it is yes, no, or a path, which begins with /", known: []))
      }
    default:
      if SinkSettings.isName(line.value), !line.value.isEmpty {
        sink.sign = line.value
      } else {
        problems.append(.badValue(line, expected: "it is the name of a credential, such as drop-key", known: []))
      }
    }
  }
}

extension SettingsProblem {
  /// One word of a list.
  static func badWord(_ line: SettingsLine, _ word: String, expected: String, known: [String]) -> SettingsProblem {
    let before = line.value.firstRange(of: word).map { line.value[..<$0.lowerBound].count } ?? 0
    return SettingsProblem(
      file: line.file, line: line.line, column: line.valueColumn + before, length: word.count, text: line.text,
      message: "\(line.key) cannot hold \"\(word)\": \(expected) \(known.joined(separator: " or "))",
      suggestion: Suggestion.nearest(to: word, among: known))
  }
}
