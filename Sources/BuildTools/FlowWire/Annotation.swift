/// An annotation of a type, method or error: a comment that begins with `#@` and states what Varlink cannot express.
///
///     #@ reads                          changes nothing
///     #@ changes: team add {name}       changes something; the text is the audit template (see `AuditTemplate`)
///     #@ changes unless dry_run: …      likewise; not audited if that parameter is true, or a number other than 0
///     #@ changes, unaudited             makes no lasting change and is not audited
///     #@ streams                        sends several answers to a caller that accepts `more`
///     #@ pages: entries                 the list of the answer that is sent in pages to a caller that accepts `more`
///     #@ lengthy                        the answer can be long: it is built only when the memory budget has room
///     #@ lengthy without more           likewise, only for a caller that does not accept `more`
///     #@ long                           keeps the daemon busy for seconds or minutes
///     #@ waits                          only waits for events
///     #@ waits with more                likewise, only for a caller that accepts `more`
///     #@ partition: team                the partition that the call concerns (see `PartitionRule`); every call has one
///     #@ audited file: upload           the audit text has the name of that upload's file instead of its id
///     #@ report: teams name; hides to   what a bug report keeps of the values in the audit text (see `ReportRule`)
///     #@ trade: stable                  accepts only teams of that trade in its `team` parameter
///     #@ reply: RepairReply             the name of the answer's type, if several methods share it
///     #@ sensitive: notes, changes.value    fields that the audit must not contain
///     #@ told: …                        for a type: the audit template of its values
///     #@ compared                       for a type: its values are comparable (Hashable)
///     #@ exit: usage                    for an error: the exit code of `pfctl`
package enum Annotation: Hashable, Sendable {
  case reads
  case changes(words: String, unless: String?)
  case unaudited
  case streams
  case pages(String)
  case lengthy(withoutMore: Bool)
  case long
  case waits(withMore: Bool)
  case partition(PartitionRule)
  case auditedFile(String)
  case report(ReportRule)
  case trade(String)
  case reply(String)
  case sensitive([String])
  case told(String)
  case compared
  case exit(String)

  /// Parses the text after `#@`; nil if it is not an annotation.
  init?(_ text: String) {
    switch text {
    case "reads": self = .reads
    case "changes, unaudited": self = .unaudited
    case "streams": self = .streams
    case "lengthy": self = .lengthy(withoutMore: false)
    case "lengthy without more": self = .lengthy(withoutMore: true)
    case "long": self = .long
    case "waits": self = .waits(withMore: false)
    case "waits with more": self = .waits(withMore: true)
    case "compared": self = .compared
    default:
      guard let colon = text.firstIndex(of: ":") else { return nil }
      let name = text[..<colon]
      let value = String(text[text.index(after: colon)...])
      guard !trimmed(value).isEmpty else { return nil }
      let words = name.split(separator: " ")
      switch words.first {
      case "changes" where words.count == 1: self = .changes(words: trimmed(value), unless: nil)
      case "changes" where words.count == 3 && words[1] == "unless":
        self = .changes(words: trimmed(value), unless: String(words[2]))
      case "partition" where words.count == 1:
        guard let rule = PartitionRule(trimmed(value)) else { return nil }
        self = .partition(rule)
      case "audited" where words.count == 2 && words[1] == "file": self = .auditedFile(trimmed(value))
      case "report" where words.count == 1:
        guard let rule = ReportRule(trimmed(value)) else { return nil }
        self = .report(rule)
      case "pages" where words.count == 1: self = .pages(trimmed(value))
      case "trade" where words.count == 1: self = .trade(trimmed(value))
      case "reply" where words.count == 1: self = .reply(trimmed(value))
      case "sensitive" where words.count == 1:
        self = .sensitive(value.split(separator: ",").map { trimmed(String($0)) })
      case "told" where words.count == 1: self = .told(trimmed(value))
      case "exit" where words.count == 1: self = .exit(trimmed(value))
      default: return nil
      }
    }
  }
}

extension Annotation {
  /// True for `changes` with an audit template.
  var isAudited: Bool { if case .changes = self { true } else { false } }
}

extension [Annotation] {
  /// The partition that the call concerns; nil if there is not exactly one annotation of it.
  var partition: PartitionRule? {
    let found = compactMap { annotation -> PartitionRule? in
      if case .partition(let rule) = annotation { return rule }
      return nil
    }
    return found.count == 1 ? found[0] : nil
  }

  /// The parameter with an upload whose file name is in the audit text; nil if there is none.
  var auditedFile: String? {
    for case .auditedFile(let name) in self { return name }
    return nil
  }

  /// What a bug report keeps of the values in the audit text.
  var reported: [ReportRule.Statement] {
    flatMap { annotation -> [ReportRule.Statement] in
      if case .report(let rule) = annotation { return rule.statements }
      return []
    }
  }

  var trade: String? {
    for case .trade(let name) in self { return name }
    return nil
  }

  var reply: String? {
    for case .reply(let name) in self { return name }
    return nil
  }

  var sensitive: [String] {
    flatMap { annotation -> [String] in
      if case .sensitive(let names) = annotation { return names }
      return []
    }
  }

  /// Path of the paged list, such as `entries` or `report.pools`; nil if there is none.
  var pages: [String]? {
    for case .pages(let path) in self { return path.split(separator: ".").map(String.init) }
    return nil
  }

  var told: String? {
    for case .told(let words) in self { return words }
    return nil
  }

  var exit: String? {
    for case .exit(let name) in self { return name }
    return nil
  }

  /// The `reads`, `changes` or `unaudited` annotation; nil if there is not exactly one.
  var change: Annotation? {
    let found = filter {
      switch $0 {
      case .reads, .changes, .unaudited: true
      default: false
      }
    }
    return found.count == 1 ? found[0] : nil
  }
}
