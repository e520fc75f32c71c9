import FlowDelivery
import FlowModel
import FlowNotices
import FlowPlatform
import FlowServices
import FlowSettings
import FlowStore
import FlowWork
import Glibc

/// Creates the sinks that the settings name, without starting them.
struct SinkFactory: Sendable {
  let statePath: String
  let store: Store
  let trades: DaemonTrades
  let environment: [String: String]
  let published: any PublishedNames
  let zones: SystemZones
  let jobs: JobCatalogues
  let clock: any WallClock
  let digestCache: DigestCache
  /// Nil if no other node can take over this node's folders.
  var cluster: DropFolderOptions.Cluster? = nil

  /// Creates the sinks, and missing default folders.
  ///
  /// - Returns: the sinks, and the folders of sinks that write files, by sink name.
  func make(_ settings: [Settings.SinkSettings]) throws -> (sinks: [any Sink], folders: [String: String]) {
    let source = "/poolflow/\(store.install)"
    var sinks: [any Sink] = []
    var folders: [String: String] = [:]
    for sink in settings {
      switch sink.kind {
      case .journal:
        sinks.append(JournalSink(name: sink.name, timeout: sink.timeout, rate: sink.rate ?? .journal))
      case .standardOutput:
        sinks.append(
          StandardOutputSink(
            name: sink.name, format: format(of: sink), source: source, timeout: sink.timeout,
            rate: sink.rate ?? (DaemonLog.isJournal(descriptor: 1, environment) ? .journal : nil)))
      case .fileDrop:
        let folder: String
        if let configured = sink.directory {
          // The operator must create a configured folder: creating it here would hide a missing mount.
          folder = configured
        } else {
          folder =
            sink.name == "drop"
            ? statePath + "/outbox" : statePath + "/\(PathComponent(encoding: "outbox-" + sink.name))"
          if mkdir(folder, 0o750) != 0, errno != EEXIST { throw SystemFailure("cannot make '\(folder)'") }
        }
        folders[sink.name] = folder
        sinks.append(
          FileDropSink(
            name: sink.name, path: folder, source: source,
            bounds: .init(maxFiles: sink.maxFiles ?? Limits.dropFolderFiles, timeout: sink.timeout, rate: sink.rate),
            attachments: DropFolderOptions(
              signature: try signature(sink),
              source: DigestAttachments(
                sensitive: sink.sensitive ? store : nil, trades: trades, zones: zones, clock: clock, jobs: jobs,
                digestCache: digestCache,
                published: PublishedAddresses(
                  names: published, trades: trades, sinks: settings.filter { $0.kind == .publish })),
              cluster: cluster)))
      case .publish:
        // The settings require a directory for this kind.
        let folder = sink.directory ?? ""
        folders[sink.name] = folder
        sinks.append(
          PublishSink(
            name: sink.name, path: folder,
            source: TeamSites(
              store: store, trades: trades, published: published, zones: zones, clock: clock,
              publishedTeams: sink.teams, isSensitive: sink.sensitive),
            bounds: .init(timeout: sink.timeout, rate: sink.rate)))
      }
    }
    digestCache.use(readers: settings.count { $0.kind == .fileDrop })
    return (sinks, folders)
  }

  /// The output format; `auto` depends on whether standard output is the journal.
  private func format(of sink: Settings.SinkSettings) -> StandardOutputSink.Format {
    switch sink.format {
    case .auto: DaemonLog.isJournal(descriptor: 1, environment) ? .reference : .ndjson
    case .json: .ndjson
    case .text: .text
    case .reference: .reference
    }
  }

  /// Throws the errors that `make` would throw for missing secrets; creates nothing.
  func check(_ settings: [Settings.SinkSettings]) throws {
    for sink in settings { _ = try signature(sink) }
  }

  /// The signature key of a sink; nil if it signs nothing.
  ///
  /// - Throws: `Credential.Failure` or `WebhookSignature.Fault`; neither quotes the secret.
  private func signature(_ sink: Settings.SinkSettings) throws -> WebhookSignature? {
    try sink.sign.map { name in
      try WebhookSignature(secret: try Credential.text(name, environment: environment), credential: name)
    }
  }
}
