internal import FlowCommandKit
internal import FlowOperations
internal import FlowControl
internal import FlowModel
internal import FlowSettings

/// A settings file that setup writes.
struct SetupFile: Hashable {
  let path: String
  let text: String

  var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() }
}

/// The servers through which people are reached.
struct SetupServers: Hashable {
  var relay: String?
  var sender: PostAddress?
  var ntfy: String?
  /// Whether mail shows access data of records, such as codes; nil keeps what it shows now.
  var showsAccess: Bool?

  /// True if no server is given.
  var isEmpty: Bool { relay == nil && ntfy == nil }

  /// Advice for a channel that no sender delivers yet.
  static func advice(for channel: ReachChannel, team: String) -> String {
    let team = shellWord(team)
    return switch channel {
    case .mail: "`pfctl setup --team \(team) --relay smtp://HOST:25 --sender ADDRESS` sets the server that sends mail"
    case .ntfy: "`pfctl setup --team \(team) --ntfy-server https://HOST` sets the server for it"
    case .telegram, .matrix, .slack, .teams, .webhook: "poolflow-post(1) explains how to set up its channel"
    }
  }
}

/// The delivery settings on disk, and the changes they need.
///
/// Setup owns three drop-ins: `post.conf.d/setup.conf`, `poolflow.conf.d/post.conf` and, for what published pages show,
/// `poolflow.conf.d/setup-pages.conf`. It never overwrites one that was written or changed by hand.
struct SetupFiles {
  /// The daemon's settings file, such as `/etc/poolflow/poolflow.conf`; post.conf is in the same folder.
  let main: String
  let post: PostFiles
  /// True if a sensitive file-drop sink writes to the folder that poolflow-post reads.
  let hasSink: Bool
  /// True if the name of setup's sink is used by a different sink.
  let isNameTaken: Bool
  /// True if the settings name no sink: adding one would disable the two default sinks.
  let hasOnlyDefaultSinks: Bool
  /// The text of setup's daemon drop-in; nil if it does not exist.
  let ownSinkText: String?
  /// The sinks that publish pages.
  let pages: [PublishSink]
  /// The text of setup's drop-in about published pages; nil if it does not exist.
  let ownPagesText: String?

  /// A sink that publishes pages.
  struct PublishSink: Hashable {
    let name: String
    /// Whether its pages show access data of records.
    let showsAccess: Bool
  }

  var folder: String { ConfigFiles.folder(of: main) }
  var postPath: String { Self.postPath(main) }
  var sinkPath: String { Self.sinkPath(main) }

  private static func postPath(_ main: String) -> String { "\(ConfigFiles.folder(of: main))/post.conf.d/setup.conf" }
  private static func sinkPath(_ main: String) -> String { "\(main).d/post.conf" }
  var pagesPath: String { Self.pagesPath(main) }
  private static func pagesPath(_ main: String) -> String { "\(main).d/setup-pages.conf" }

  static let sinkName = "post"

  /// The present text of one of setup's files that it may replace; nil if no file may exist.
  func text(at path: String) -> String? {
    switch path {
    case postPath: post.own
    case pagesPath: ownPagesText
    default: nil
    }
  }

  /// The files to write, and sentences on the changes that are not possible.
  struct RequiredFiles: Hashable {
    var files: [SetupFile] = []
    var warnings: [String] = []
  }

  /// The configured channels as text: `mail by smtp://127.0.0.1:25`.
  var channelTexts: [String] {
    channels.map { channel in
      "\(channel.kind.addressWord) by \(channel.server ?? channel.name)"
    }
  }

  /// The kinds of addresses that the channels can reach, including `servers`.
  func addressKinds(with servers: SetupServers) -> Set<String> {
    var addressKinds = Set(channels.map(\.kind.addressWord))
    if servers.relay != nil { addressKinds.insert(PostSettings.Kind.smtp.addressWord) }
    if servers.ntfy != nil { addressKinds.insert(PostSettings.Kind.ntfy.addressWord) }
    return addressKinds
  }

  private var channels: [PostSettings.Channel] { post.others.channels + (own ?? []) }

  /// The channels of setup's own drop-in: empty if there is no file, nil if it was written or changed by hand.
  private var own: [PostSettings.Channel]? {
    guard let text = post.own else { return [] }
    let channels = PostSettings.read(text, name: "setup.conf").settings.channels
    return Self.postText(channels) == text ? channels : nil
  }

  /// Setup's channels that `servers` would change: `mail by smtp://… from …`.
  func replaced(by servers: SetupServers) -> [String] {
    let channels = [(PostSettings.Kind.smtp, servers.relay), (.ntfy, servers.ntfy)].compactMap {
      kind, server -> String? in
      guard let known = own?.first(where: { $0.kind == kind }) else { return nil }
      let isOtherServer = server.map { known.server != $0 || (kind == .smtp && known.from != servers.sender) } ?? false
      let isOtherDetail = kind == .smtp && Self.detail(known.detail, servers.showsAccess) != known.detail
      guard isOtherServer || isOtherDetail else { return nil }
      return "\(kind.addressWord) by \(known.server ?? known.name)"
        + (known.from.map { " from \(Self.formatted($0))" } ?? "")
    }
    return channels + pagesToChange(servers.showsAccess).map { "the pages of [Sink \($0.name)]" }
  }

  /// The sinks whose pages differ from an answer; none without an answer.
  private func pagesToChange(_ showsAccess: Bool?) -> [PublishSink] {
    showsAccess.map { answer in pages.filter { $0.showsAccess != answer } } ?? []
  }

  /// Whether mail and pages that setup can change all show access data now, or at first for new mail; nil if there is neither.
  /// It is the answer that Enter gives, so where only some show the data it is false: Enter never reveals more.
  func showsAccess(with servers: SetupServers) -> Bool? {
    let pagesShow = pages.allSatisfy(\.showsAccess)
    guard let mailShows = mailShowsAccess(with: servers) else { return pages.isEmpty ? nil : pagesShow }
    return mailShows && pagesShow
  }

  /// Where setup's answer about access data applies: `mail and published pages`.
  func placesOfAccess(with servers: SetupServers) -> String {
    let isMail = mailShowsAccess(with: servers) != nil
    return [isMail ? "mail" : nil, pages.isEmpty ? nil : "published pages"].compactMap(\.self)
      .joined(separator: " and ")
  }

  private func mailShowsAccess(with servers: SetupServers) -> Bool? {
    guard let own, !post.others.channels.contains(where: \.kind.isMail) else { return nil }
    if let known = own.first(where: { $0.kind == .smtp }) { return known.detail == .full }
    return servers.relay == nil ? nil : false
  }

  /// The detail of a mail channel that shows access data or not; nil keeps `known`.
  private static func detail(_ known: PostSettings.Detail, _ showsAccess: Bool?) -> PostSettings.Detail {
    showsAccess.map { $0 ? .full : min(known, .stops) } ?? known
  }

  func requiredFiles(_ servers: SetupServers) -> RequiredFiles {
    var requiredFiles = RequiredFiles()
    addChannels(servers, to: &requiredFiles)
    addPages(servers.showsAccess, to: &requiredFiles)
    guard !servers.isEmpty || !channels.isEmpty, !hasSink else { return requiredFiles }
    let file = SetupFile(path: sinkPath, text: sinkText)
    if isNameTaken {
      requiredFiles.warnings.append(
        "[Sink \(Self.sinkName)] is already in the settings, but not with the folder \(post.others.folder) and "
          + "Sensitive=yes; `pfctl config show --origin` shows in which file")
    } else if ownSinkText == nil {
      requiredFiles.files.append(file)
    } else {
      requiredFiles.warnings.append(Self.changedFileWarning(file))
    }
    return requiredFiles
  }

  private func addChannels(_ servers: SetupServers, to requiredFiles: inout RequiredFiles) {
    var wanted = own ?? []
    for (kind, server) in [(PostSettings.Kind.smtp, servers.relay), (.ntfy, servers.ntfy)] {
      guard let server else { continue }
      let from = kind == .smtp ? servers.sender : nil
      if let other = post.others.channels.first(where: { $0.kind.addressWord == kind.addressWord }) {
        if other.server != server || (kind == .smtp && other.from != from) {
          requiredFiles.warnings.append(
            "\(kind.addressWord) uses [Channel \(other.name)] of the settings, which setup did not write; change it "
              + "there, or remove it and run this again")
        }
        continue
      }
      var channel = PostSettings.Channel(name: freeName(of: kind), kind: kind)
      (channel.server, channel.from) = (server, from)
      if let index = wanted.firstIndex(where: { $0.kind == kind }) {
        channel.detail = wanted[index].detail
        wanted[index] = channel
      } else {
        wanted.append(channel)
      }
    }
    if let index = wanted.firstIndex(where: { $0.kind == .smtp }) {
      wanted[index].detail = Self.detail(wanted[index].detail, servers.showsAccess)
    } else if let warning = accessWarning(servers.showsAccess) {
      requiredFiles.warnings.append(warning)
    }
    guard wanted != own ?? [] else { return }
    let whole = SetupFile(path: postPath, text: Self.postText(wanted))
    if own == nil {
      requiredFiles.warnings.append(Self.changedFileWarning(whole))
    } else {
      requiredFiles.files.append(whole)
    }
  }

  private func addPages(_ showsAccess: Bool?, to requiredFiles: inout RequiredFiles) {
    guard let showsAccess, !pagesToChange(showsAccess).isEmpty else { return }
    let file = SetupFile(path: pagesPath, text: pagesText(showsAccess))
    if let ownPagesText, ![true, false].map(pagesText).contains(ownPagesText) {
      requiredFiles.warnings.append(Self.changedFileWarning(file))
    } else {
      requiredFiles.files.append(file)
    }
  }

  /// The sentence for an answer that setup cannot write, because it has no mail channel of its own; nil if nothing differs.
  private func accessWarning(_ showsAccess: Bool?) -> String? {
    guard let showsAccess else { return nil }
    let detail = (showsAccess ? PostSettings.Detail.full : .stops).rawValue
    if own == nil {
      return "'\(postPath)' was not written by setup, or was changed since; set Detail = \(detail) in its mail channel"
    }
    if let other = post.others.channels.first(where: \.kind.isMail) {
      return Self.detail(other.detail, showsAccess) == other.detail
        ? nil
        : "mail uses [Channel \(other.name)] of the settings, which setup did not write; set Detail = \(detail) there"
    }
    return showsAccess && pages.isEmpty
      ? "what mail shows was not set, because there is no mail server; --relay and --sender set one" : nil
  }

  /// A free section name: sections of the same name are merged.
  private func freeName(of kind: PostSettings.Kind) -> String {
    let name = kind.addressWord
    return post.others.channels.contains { $0.name == name } ? "setup-\(name)" : name
  }

  private static func changedFileWarning(_ file: SetupFile) -> String {
    "'\(file.path)' exists and was not written by setup, or was changed since; it is not changed. Setup would write: "
      + file.lines.filter { !$0.hasPrefix("#") && !$0.isEmpty }.joined(separator: "; ")
  }

  // MARK: Texts

  static func postText(_ channels: [PostSettings.Channel]) -> String {
    var text = """
      # How notices reach people; written by pfctl setup, which writes it anew as long
      # as nobody else has changed it. More channels: man poolflow-post.

      """
    for channel in channels {
      text += "\n[Channel \(channel.name)]\nType = \(channel.kind.rawValue)\n"
      if channel.detail != PostSettings.Channel(name: channel.name, kind: channel.kind).detail {
        text += "Detail = \(channel.detail.rawValue)\n"
      }
      if let server = channel.server { text += "Server = \(server)\n" }
      if let from = channel.from { text += "From = \(formatted(from))\n" }
    }
    return text
  }

  static func formatted(_ address: PostAddress) -> String {
    address.name.isEmpty ? address.address : "\(address.name) <\(address.address)>"
  }

  private var sinkText: String {
    var text = "# Notices for poolflow-post, which delivers them; written by pfctl setup.\n"
    if hasOnlyDefaultSinks {
      text += "\n# A named sink replaces the default sinks; these lines keep them.\n"
      for sink in Settings.standard(terminal: false).sinks {
        text += "[Sink \(sink.name)]\nType = \(sink.kind.rawValue)\n\n"
      }
    } else {
      text += "\n"
    }
    return text + "[Sink \(Self.sinkName)]\nType = file-drop\nDirectory = \(post.others.folder)\nSensitive = yes\n"
  }
}

extension SetupFiles {
  private func pagesText(_ showsAccess: Bool) -> String {
    var text = """
      # Whether published pages show access data, such as codes and telephone numbers;
      # written by pfctl setup.

      """
    for sink in pages { text += "\n[Sink \(sink.name)]\nSensitive = \(showsAccess ? "yes" : "no")\n" }
    return text
  }

  /// Reads the settings on disk.
  ///
  /// - Parameter reading: the daemon's current settings.
  init(beside main: String, reading: SettingsReading) throws(SettingsError) {
    let post = try PostFiles(at: "\(ConfigFiles.folder(of: main))/post.conf", own: Self.postPath(main))
    let sinks = reading.settings.sinks
    func leads(_ sink: Settings.SinkSettings) -> Bool {
      sink.kind == .fileDrop && sink.sensitive && sink.directory == post.others.folder
    }
    self.init(
      main: main, post: post, hasSink: sinks.contains(where: leads),
      isNameTaken: sinks.contains { $0.name == Self.sinkName && !leads($0) },
      hasOnlyDefaultSinks: !reading.values.contains { $0.section.hasPrefix("Sink ") && $0.origin != nil },
      ownSinkText: try PostFiles.text(of: Self.sinkPath(main)),
      pages: sinks.filter { $0.kind == .publish }.map { PublishSink(name: $0.name, showsAccess: $0.sensitive) },
      ownPagesText: try PostFiles.text(of: Self.pagesPath(main)))
  }
}
