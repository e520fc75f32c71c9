internal import FlowModel
internal import Glibc

extension PostSettings {
  /// The default path of the settings: `post.conf` in `$CONFIGURATION_DIRECTORY`, else in `/etc/poolflow`.
  package static func standardPath(_ environment: [String: String]) -> String {
    let directory = environment["CONFIGURATION_DIRECTORY"]?.split(separator: ":").first.map(String.init)
    return (directory ?? "/etc/poolflow") + "/post.conf"
  }

  /// Reads `post.conf` and the drop-ins in `post.conf.d`.
  ///
  /// - Throws: `SettingsError`, listing all mistakes.
  package static func load(path: String) throws(SettingsError) -> PostSettings {
    var lines: [SettingsLine] = []
    var problems: [SettingsProblem] = []
    for file in [path] + Settings.dropIns(beside: path) {
      let (read, wrong) = SettingsFile.read(try Settings.contents(of: file), file: file, first: "Post")
      lines += read
      problems += wrong
    }
    let (settings, wrong) = reading(lines)
    if settings.channels.isEmpty, wrong.isEmpty { problems.append(.missingFile(in: path)) }
    guard (problems + wrong).isEmpty else { throw .mistakes(problems + wrong) }
    return settings
  }

  /// Parses `text` as a settings file called `name`, and returns the valid settings and all mistakes, sorted by
  /// position.
  package static func read(_ text: String, name: String) -> (settings: PostSettings, problems: [SettingsProblem]) {
    let (lines, wrong) = SettingsFile.read(text, file: name, first: "Post")
    let (settings, problems) = reading(lines)
    return (settings, (wrong + problems).sorted { ($0.line, $0.column) < ($1.line, $1.column) })
  }

  private static func reading(_ lines: [SettingsLine]) -> (PostSettings, [SettingsProblem]) {
    var settings = PostSettings()
    var problems: [SettingsProblem] = []
    var reading: [ChannelReading] = []
    for line in lines {
      if line.section == "Post" {
        if !line.isHeading { settings.apply(line, &problems) }
      } else if line.section.hasPrefix("Channel "), line.section.count > 8 {
        let name = String(line.section.dropFirst(8))
        if !reading.contains(where: { $0.name == name }) {
          reading.append(ChannelReading(name: name, heading: line))
          if !Settings.SinkSettings.isName(name) {
            problems.append(
              .badName(line, expected: "a channel's name has letters, digits, -, _ and ., at most 64 characters"))
          }
        }
        guard !line.isHeading, let index = reading.firstIndex(where: { $0.name == name }) else { continue }
        if PostSettingsKey.channel.contains(where: { $0.name == line.key }) {
          reading[index].lines[line.key] = line
        } else {
          problems.append(.unknownKey(line, known: PostSettingsKey.channel.map(\.name)))
        }
      } else if line.isHeading {
        problems.append(.unknownSection(line, known: ["Post", "Channel NAME"]))
      }
    }
    settings.channels = reading.compactMap { $0.channel(&problems) }
    for channel in reading {
      settings.channelLines.lines[channel.name] = channel.lines.merging(["": channel.heading]) { own, _ in own }
    }
    for channel in reading { channel.checkFallback(settings.channels, &problems) }
    return (settings, problems)
  }

  private mutating func apply(_ line: SettingsLine, _ problems: inout [SettingsProblem]) {
    switch line.key {
    case "Folder" where line.value.hasPrefix("/"): folder = line.value
    case "StateDirectory" where line.value.hasPrefix("/"): stateDirectory = line.value
    case "Receipts" where line.value.hasPrefix("/"): receipts = line.value
    case "Folder", "StateDirectory", "Receipts":
      problems.append(.badValue(line, expected: "a path begins with /", known: []))
    case "Timeout": read(line, into: &timeout, within: Limits.sinkTimeoutRange, example: "30s", &problems)
    case "AnswerTimeout":
      read(line, into: &answerTimeout, within: Limits.postAnswerTimeoutRange, example: "600s", &problems)
    case "DueWithin":
      if let time = Duration(shortText: line.value), Limits.postDueWithinRange.contains(time) {
        dueWithin = time
      } else {
        problems.append(.badValue(line, expected: "it must be a time from 1s to 1h, such as 2min", known: []))
      }
    default: problems.append(.unknownKey(line, known: PostSettingsKey.post.map(\.name)))
    }
  }
}

extension PostSettings {
  private func read(
    _ line: SettingsLine, into time: inout Duration, within limits: ClosedRange<Duration>, example: String,
    _ problems: inout [SettingsProblem]
  ) {
    if let seconds = Int(line.value.hasSuffix("s") ? String(line.value.dropLast()) : line.value),
      limits.contains(.seconds(seconds))
    {
      time = .seconds(seconds)
    } else {
      let (least, most) = (limits.lowerBound.components.seconds, limits.upperBound.components.seconds)
      let expected = "it must be a number of seconds from \(least) to \(most), such as \(example)"
      problems.append(.badValue(line, expected: expected, known: []))
    }
  }
}

/// The lines of one `[Channel NAME]` section; of repeated keys, the last line.
private struct ChannelReading {
  let name: String
  let heading: SettingsLine
  var lines: [String: SettingsLine] = [:]

  /// Parses the section; nil if its type is missing or unknown.
  func channel(_ problems: inout [SettingsProblem]) -> PostSettings.Channel? {
    guard let type = lines["Type"] else {
      problems.append(
        missing("Type", "what it is: \(PostSettings.Kind.allCases.map(\.rawValue).joined(separator: ", "))"))
      return nil
    }
    guard let kind = PostSettings.Kind(rawValue: type.value) else {
      problems.append(.badValue(type, expected: "a channel is", known: PostSettings.Kind.allCases.map(\.rawValue)))
      return nil
    }
    var channel = PostSettings.Channel(name: name, kind: kind)
    applyAddress(&channel, &problems)
    if let line = lines["Detail"] {
      if let detail = PostSettings.Detail(rawValue: line.value) {
        channel.detail = detail
      } else {
        problems.append(.badValue(line, expected: "it is", known: PostSettings.Detail.allCases.map(\.rawValue)))
      }
      if channel.detail == .full, !kind.isMail, kind != .webhook {
        problems.append(
          .badValue(
            line, expected: "gate codes are sent only by mail or webhook; other channels allow",
            known: ["headline", "stops"]))
      }
    }
    applyReplies(&channel, &problems)
    applyAudience(&channel, &problems)
    applyTransport(&channel, &problems)
    return channel
  }

  /// Reads the server, the credential and the sender address.
  private func applyAddress(_ channel: inout PostSettings.Channel, _ problems: inout [SettingsProblem]) {
    let kind = channel.kind
    if let line = lines["Server"] {
      if kind.isAddressedByName {
        problems.append(
          .badKey(line, "the URL of \(kind.rawValue) is a secret; put it into the file that Credential= names"))
      } else if kind == .sendmail {
        problems.append(.badKey(line, "sendmail is a program of this machine; name it with Program="))
      } else if let fault = PostURL.fault(line.value, mail: kind == .smtp) {
        problems.append(.badValue(line, expected: fault, known: []))
      } else {
        channel.server = line.value.hasSuffix("/") ? String(line.value.dropLast()) : line.value
      }
    } else if kind == .telegram {
      channel.server = "https://api.telegram.org"
    } else if !kind.isAddressedByName, kind != .sendmail {
      problems.append(
        missing(
          "Server", kind == .smtp ? "such as smtp://127.0.0.1:25" : "such as https://\(kind.rawValue).example.com"))
    }
    if let line = lines["Credential"] {
      channel.credential = line.value
      if kind == .sendmail {
        problems.append(.badKey(line, "sendmail is a program of this machine and needs no credential"))
      } else if line.value.isEmpty || !Settings.SinkSettings.isName(line.value) {
        problems.append(
          .badValue(line, expected: "it must be the name of a credential, such as \(kind.rawValue)-key", known: []))
      }
    } else if kind.isAddressedByName || kind == .telegram || kind == .matrix {
      problems.append(missing("Credential", "the file that holds its \(kind.isAddressedByName ? "URL" : "token")"))
    }
    if let line = lines["From"] {
      channel.from = PostAddress(line.value)
      if channel.from == nil {
        problems.append(
          .badValue(line, expected: "write it as routes@example.com or Routes <routes@example.com>", known: []))
      }
    } else if kind.isMail {
      problems.append(missing("From", "such as Routes <routes@example.com>"))
    }
  }

  /// Reads the addresses for replies and for unsubscribing, which only mail channels have.
  private func applyReplies(_ channel: inout PostSettings.Channel, _ problems: inout [SettingsProblem]) {
    for line in ["ReplyTo", "Unsubscribe"].compactMap({ lines[$0] }) where !channel.kind.isMail {
      problems.append(.badKey(line, "\(channel.kind.rawValue) brings no mail"))
    }
    guard channel.kind.isMail else { return }
    if let line = lines["ReplyTo"] {
      channel.replyTo = PostAddress(line.value)
      if channel.replyTo == nil {
        problems.append(
          .badValue(line, expected: "write it as office@example.com or Office <office@example.com>", known: []))
      }
    }
    if let line = lines["Unsubscribe"] {
      channel.unsubscribe = PostUnsubscribe(line.value)
      if channel.unsubscribe == nil {
        problems.append(
          .badValue(
            line,
            expected: "it must be an address such as office@example.com, a URL that begins with https://, or both",
            known: []))
      }
    }
  }

  /// Reads the recipients of events that are not addressed to a person: the teams, the operator and the address.
  private func applyAudience(_ channel: inout PostSettings.Channel, _ problems: inout [SettingsProblem]) {
    if let line = lines["Teams"] {
      channel.teams = Set(line.value.split { $0 == " " || $0 == "\t" || $0 == "," }.map(String.init))
    }
    if let line = lines["Operator"] {
      switch line.value {
      case "yes": channel.tellsOperator = true
      case "no": break
      default: problems.append(.badValue(line, expected: "it is", known: ["yes", "no"]))
      }
    }
    if let line = lines["To"] {
      channel.to = line.value
      if line.value.isEmpty || (channel.kind.isMail && PostAddress(line.value) == nil) {
        problems.append(.badValue(line, expected: "it must be an address, such as office@example.com", known: []))
      } else if channel.kind.isAddressedByName {
        problems.append(.badKey(line, "\(channel.kind.rawValue) has only one recipient, its URL"))
      }
    } else if !channel.kind.isAddressedByName, !channel.teams.isEmpty || channel.tellsOperator {
      problems.append(missing("To", "the recipient of notices for the whole team"))
    }
  }

  /// Reads the delivery options and the fallback.
  private func applyTransport(_ channel: inout PostSettings.Channel, _ problems: inout [SettingsProblem]) {
    if let line = lines["Program"] {
      channel.program = line.value
      if channel.kind != .sendmail {
        problems.append(.badKey(line, "only sendmail is a program"))
      } else if !line.value.hasPrefix("/") {
        problems.append(.badValue(line, expected: "a path begins with /", known: []))
      }
    }
    if let line = lines["Authority"] {
      channel.authority = line.value
      if channel.kind == .sendmail {
        problems.append(.badKey(line, "sendmail uses no certificates of poolflow"))
      } else if !line.value.hasPrefix("/") {
        problems.append(.badValue(line, expected: "a path begins with /", known: []))
      }
    }
    if let line = lines["Unknown"] {
      channel.stopsWhenUnknown = line.value == "stop"
      if line.value != "stop", line.value != "repeat" {
        problems.append(.badValue(line, expected: "it is", known: ["repeat", "stop"]))
      }
    }
    channel.fallback = lines["Fallback"]?.value
    if let line = lines["FallbackAfter"] {
      if channel.fallback == nil {
        problems.append(.badKey(line, "there is no Fallback"))
      } else if let time = Duration(shortText: line.value), Limits.postFallbackAfterRange.contains(time) {
        channel.fallbackAfter = time
      } else {
        problems.append(.badValue(line, expected: "it must be a time from 1s to 12h, such as 10min", known: []))
      }
    }
  }

  /// Checks that the fallback is an existing channel and that following fallbacks does not lead back to this channel.
  func checkFallback(_ channels: [PostSettings.Channel], _ problems: inout [SettingsProblem]) {
    guard let line = lines["Fallback"] else { return }
    var passed = [name]
    while let next = channels.first(where: { $0.name == passed.last })?.fallback {
      guard channels.contains(where: { $0.name == next }) else {
        // The mistake is reported at the section that names the missing channel.
        guard passed.count == 1 else { return }
        return problems.append(
          .badValue(line, expected: "it is another channel", known: channels.map(\.name).filter { $0 != name }))
      }
      guard !passed.contains(next) else {
        guard next == name else { return }
        return problems.append(.badValue(line, expected: "it leads back to [Channel \(name)] itself", known: []))
      }
      passed.append(next)
    }
  }

  private func missing(_ key: String, _ what: String) -> SettingsProblem {
    SettingsProblem(
      file: heading.file, line: heading.line, column: heading.keyColumn, length: heading.section.count,
      text: heading.text, message: "[\(heading.section)] has no \(key): \(what)", suggestion: nil)
  }
}

extension SettingsProblem {
  /// A file without channels is a mistake, because events would be taken and never delivered.
  fileprivate static func missingFile(in path: String) -> SettingsProblem {
    SettingsProblem(
      file: path, line: 1, column: 1, length: 1, text: "", message: "there is no [Channel NAME]", suggestion: nil)
  }

  fileprivate static func badKey(_ line: SettingsLine, _ why: String) -> SettingsProblem {
    SettingsProblem(
      file: line.file, line: line.line, column: line.keyColumn, length: line.key.count, text: line.text,
      message: "\(line.key) does not belong here: \(why)", suggestion: nil)
  }
}
