package import FlowModel
package import FlowNotices
internal import FlowWork

extension Settings {
  /// The settings of one `[Sink NAME]` section: an output for notices or published pages.
  package struct SinkSettings: Hashable, Sendable {
    package var name: String
    package var kind: SinkKind
    /// The folder of a file drop (nil for a folder in the state directory) or of published pages.
    package var directory: String?
    /// For published pages: the public URL of the folder, without a trailing slash.
    package var baseURL: String?
    /// For a file drop: the number of files in `new/` at which the sink waits for its consumer.
    package var maxFiles: Int?
    /// For stdout: the format of a notice.
    package var format = LineFormat.auto
    /// The teams whose notices this sink gets; nil for all teams and for notices about the server.
    package var teams: Set<String>?
    /// The jobs whose notices this sink gets, by raw value, and `operator`; nil for all.
    package var jobs: Set<String>?
    package var severity = Severity.info
    /// The time limit of one batch.
    package var timeout = Limits.sinkTimeout
    package var rate: SinkRate?
    /// For a file drop: true if its files may contain gate codes, telephone numbers and notes.
    package var sensitive = false
    /// For a file drop: the name of the credential with the signing key.
    package var sign: String?
    /// For a file drop: the folder in which the consumer reports the outcomes.
    package var receipts = ReceiptSource.ifThere

    /// The location of the receipts folder.
    package enum ReceiptSource: Hashable, Sendable {
      /// `receipts/` next to `new/`, if that folder exists.
      case ifThere
      /// `receipts/` next to `new/`, which the daemon creates if it is missing.
      case beside
      case folder(String)
      case none
    }

    /// The format of a notice on stdout.
    package enum LineFormat: String, Sendable, CaseIterable {
      /// `reference` if stdout is the journal, else `json`.
      case auto
      /// One CloudEvent per line, for programs.
      case json
      /// Text for people, with the names and addresses in the notice.
      case text
      /// The notice's id and number of lines only, without names, because a log has more readers.
      case reference
    }

    package init(name: String, kind: SinkKind, format: LineFormat = .auto) {
      self.name = name
      self.kind = kind
      self.format = format
    }

    /// The selection of notices that this sink gets.
    package var route: SinkRoute {
      SinkRoute(sink: name, teams: teams, jobs: jobs, severity: severity, takesPersonal: sensitive)
    }

    /// The same sink without its selection of notices and its receipts folder: a reload that changes only these does not
    /// recreate the sink. A publish sink keeps its teams, because they decide which pages exist.
    package var withoutRoute: SinkSettings {
      var copy = self
      (copy.teams, copy.jobs, copy.severity) = (kind == .publish ? teams : nil, nil, .info)
      copy.receipts = .ifThere
      return copy
    }

    /// A web URL with scheme, host and optional path, without its trailing slash; nil for anything else.
    static func baseURL(_ text: String) -> String? {
      guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return nil }
      let rest = text.dropFirst(scheme.count)
      let isPlain = rest.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"#<>?@\\^`{|}".utf8.contains($0) }
      guard isPlain, let first = rest.first, first != "/", first != ":", !rest.contains("//") else { return nil }
      return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// True for a valid sink name. The name is used in folder names, notices and commands.
    static func isName(_ name: String) -> Bool {
      name.count <= Limits.sinkNameLength && !name.hasPrefix(".") && !name.hasPrefix("-")
        && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
    }
  }

  static let sinkKeys = [
    "Type", "Directory", "Format", "MaxFiles", "Teams", "Jobs", "Severity", "Timeout", "Rate", "Sensitive", "Sign",
    "BaseURL", "Receipts",
  ]

  /// Applies one key of a `[Sink NAME]` section.
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
      if let count = Int(line.value), (1...Limits.dropFolderFiles).contains(count) {
        sink.maxFiles = count
      } else {
        problems.append(.badValue(line, expected: "it must be a number from 1 to \(Limits.dropFolderFiles)", known: []))
      }
    case "Directory": path(line, into: &sink.directory, &problems)
    case "BaseURL":
      if let url = SinkSettings.baseURL(line.value) {
        sink.baseURL = url
      } else {
        problems.append(
          .badValue(
            line, expected: "it must be an address such as https://routes.example.net, without ? and #", known: [])
        )
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

  /// Applies a key that selects the notices of the sink.
  private func applyFilter(
    _ line: SettingsLine, to sink: inout SinkSettings, _ catalogue: JobCatalogue, _ problems: inout [SettingsProblem]
  ) {
    let words = line.value.split { $0 == " " || $0 == "\t" || $0 == "," }.map(String.init)
    switch line.key {
    case "Teams":
      // Teams are created and removed while the daemon runs, so an unknown team name is not a mistake.
      sink.teams = words.isEmpty ? nil : Set(words)
    case "Jobs":
      let known = catalogue.ofTeam.map(\.rawValue) + [OperatorNotice.job]
      for word in words where !known.contains(word) {
        problems.append(.unknownListItem(line, word, expected: "a job is", known: known))
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

  /// Applies a key for the way in which the sink delivers.
  private func applyManner(_ line: SettingsLine, to sink: inout SinkSettings, _ problems: inout [SettingsProblem]) {
    switch line.key {
    case "Timeout":
      if let seconds = Int(line.value.hasSuffix("s") ? String(line.value.dropLast()) : line.value),
        Limits.sinkTimeoutRange.contains(.seconds(seconds))
      {
        sink.timeout = .seconds(seconds)
      } else {
        problems.append(
          .badValue(line, expected: "it must be a number of seconds from 1 to 300, such as 15s", known: []))
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
        problems.append(.badValue(line, expected: "it must be yes, no, or a path that begins with /", known: []))
      }
    default:
      if SinkSettings.isName(line.value), !line.value.isEmpty {
        sink.sign = line.value
      } else {
        problems.append(.badValue(line, expected: "it must be the name of a credential, such as drop-key", known: []))
      }
    }
  }
}

extension SettingsProblem {
  /// A mistake in one entry of a list.
  static func unknownListItem(_ line: SettingsLine, _ word: String, expected: String, known: [String])
    -> SettingsProblem
  {
    let before = line.value.firstRange(of: word).map { line.value[..<$0.lowerBound].count } ?? 0
    return SettingsProblem(
      file: line.file, line: line.line, column: line.valueColumn + before, length: word.count, text: line.text,
      message: "\(line.key) cannot hold \"\(word)\": \(expected) \(known.joined(separator: " or "))",
      suggestion: Suggestion.nearest(to: word, among: known))
  }
}
