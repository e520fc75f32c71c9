/// What a description says of a member in a comment that begins with `#@`, because Varlink has no word for it.
///
///     #@ reads                          changes nothing
///     #@ changes: team add {name}       changes something; the audit tells it in these words (see `AuditTemplate`)
///     #@ changes unless dry_run: …      the same, and tells nothing where that parameter is true, or a number but 0
///     #@ changes, untold                changes nothing that lasts: the audit is silent
///     #@ streams                        tells more before its last answer to a caller that takes `more`
///     #@ pages: entries                 the list of its answer that comes in pages to a caller that takes `more`
///     #@ lengthy                        its answer may be long: it is made when there is room for it
///     #@ lengthy without more           the same, to a caller that does not take `more`
///     #@ long                           it keeps the daemon busy for seconds or minutes
///     #@ waits                          it does nothing but wait for what happens
///     #@ waits with more                the same, for a caller that takes `more`
///     #@ trade: stable                  only of teams of that trade: its `team` must be one
///     #@ reply: RepairReply             the name of the answer's type, where several methods answer alike
///     #@ sensitive: notes, changes.value    what no audit may tell
///     #@ told: …                        of a type: how the audit tells a value of it
///     #@ compared                       of a type: its values are compared
///     #@ exit: usage                    of an error: what `pfctl` exits with
package enum Annotation: Hashable, Sendable {
  case reads
  case changes(words: String, unless: String?)
  case untold
  case streams
  case pages(String)
  case lengthy(withoutMore: Bool)
  case long
  case waits(withMore: Bool)
  case trade(String)
  case reply(String)
  case sensitive([String])
  case told(String)
  case compared
  case exit(String)

  /// Nil for a text that is none of them.
  init?(_ text: String) {
    switch text {
    case "reads": self = .reads
    case "changes, untold": self = .untold
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
      // Of words that are glued to what stands before them, a space at the beginning counts.
      let value = String(text[text.index(after: colon)...])
      guard !trimmed(value).isEmpty else { return nil }
      let words = name.split(separator: " ")
      switch words.first {
      case "changes" where words.count == 1: self = .changes(words: trimmed(value), unless: nil)
      case "changes" where words.count == 3 && words[1] == "unless":
        self = .changes(words: trimmed(value), unless: String(words[2]))
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

extension [Annotation] {
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

  /// The list that comes in pages, such as `entries` or `report.pools`.
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

  /// Whether it says `reads` or `changes`, exactly one of them.
  var change: Annotation? {
    let found = filter {
      switch $0 {
      case .reads, .changes, .untold: true
      default: false
      }
    }
    return found.count == 1 ? found[0] : nil
  }
}
