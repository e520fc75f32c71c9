package import FlowModel
package import FlowNotices

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
    /// For a file drop: true if its files may contain sensitive data, such as telephone numbers.
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
