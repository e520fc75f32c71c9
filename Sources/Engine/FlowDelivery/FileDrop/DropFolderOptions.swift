package import FlowModel
package import FlowPlatform

/// The optional files and data of a drop folder, as configured in its section of the settings.
package struct DropFolderOptions: Sendable {
  let signature: WebhookSignature?
  let source: (any NoticeAttachmentSource)?
  let wallClock: any WallClock
  /// The daemon's view of a cluster: several daemons of one store, which may share a drop folder or have one each.
  package struct Cluster: Sendable {
    /// This node's name.
    let own: String
    /// Throws if another node has acquired a partition of this node.
    let checkOwnership: @Sendable () async throws -> Void

    package init(own: String, checkOwnership: @escaping @Sendable () async throws -> Void) {
      self.own = own
      self.checkOwnership = checkOwnership
    }
  }

  /// Nil if only one daemon uses the store and so the folder.
  let cluster: Cluster?

  /// - Parameters:
  ///   - signature: signs the file `ID.headers` beside each notice file; nil writes none.
  ///   - source: supplies `ID.html`, which the notice file refers to, `ID.ics`, and data for sensitive sinks only.
  ///   - wallClock: dates the signatures.
  ///   - cluster: the cluster, or nil for a single daemon.
  package init(
    signature: WebhookSignature? = nil, source: (any NoticeAttachmentSource)? = nil,
    wallClock: any WallClock = SystemWallClock(), cluster: Cluster? = nil
  ) {
    self.signature = signature
    self.source = source
    self.wallClock = wallClock
    self.cluster = cluster
  }

  /// Whether the drop folder may contain sidecar files of this kind.
  func mayContain(_ sidecar: SidecarFile) -> Bool {
    switch sidecar {
    case .page, .calendar: source != nil
    case .headers: signature != nil
    }
  }
}

/// A sidecar file, written beside a notice file under the same name with another extension.
enum SidecarFile: String, CaseIterable {
  case page = "html"
  case calendar = "ics"
  case headers

  func fileName(_ noticeID: String) -> String { "\(noticeID).\(rawValue)" }
}

extension FileDropSink {
  /// The bounds on files, time and rate.
  package struct Bounds: Sendable {
    /// The number of files in `new/` at which the consumer counts as stopped; the sink then stops too.
    let maxFiles: Int
    /// The time after which a batch ends early, because a shutdown waits for it.
    let batchTime: Duration
    /// The time after which the disk counts as not answering.
    let timeout: Duration
    let rate: SinkRate?
    /// The batch size from which one `syncAll` replaces one `fsync` per file.
    let sharedSync: Int

    package init(
      maxFiles: Int = Limits.dropFolderFiles, batchTime: Duration = .seconds(2), timeout: Duration = Limits.sinkTimeout,
      rate: SinkRate? = nil, sharedSync: Int = Limits.sharedSyncThreshold
    ) {
      self.maxFiles = maxFiles
      self.batchTime = batchTime
      self.timeout = timeout
      self.rate = rate
      self.sharedSync = sharedSync
    }
  }
}
