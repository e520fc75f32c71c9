package import PoolPlatform

/// The optional files and data of a drop folder, as configured in its section of the settings.
package struct DropExtras: Sendable {
  let signature: WebhookSignature?
  let source: (any NoticeExtrasSource)?
  let wallClock: any WallClock
  /// The daemon's view of a cluster: several daemons of one store, which may share a drop folder or have one each.
  package struct Nodes: Sendable {
    /// This node's name.
    let own: String
    /// Throws if another node has acquired a partition of this node.
    let stillOurs: @Sendable () async throws -> Void

    package init(own: String, stillOurs: @escaping @Sendable () async throws -> Void) {
      self.own = own
      self.stillOurs = stillOurs
    }
  }

  /// Nil if only one daemon uses the store and so the folder.
  let among: Nodes?

  /// - Parameters:
  ///   - signature: signs the file `ID.headers` beside each notice file; nil writes none.
  ///   - source: supplies `ID.html`, which the notice file refers to, `ID.ics`, and data for sensitive sinks only.
  ///   - wallClock: dates the signatures.
  ///   - among: the cluster, or nil for a single daemon.
  package init(
    signature: WebhookSignature? = nil, source: (any NoticeExtrasSource)? = nil,
    wallClock: any WallClock = SystemWallClock(), among: Nodes? = nil
  ) {
    self.signature = signature
    self.source = source
    self.wallClock = wallClock
    self.among = among
  }

  /// Whether the drop folder may contain sidecar files of this kind.
  func has(_ companion: Companion) -> Bool {
    switch companion {
    case .page, .calendar: source != nil
    case .headers: signature != nil
    }
  }
}

/// A sidecar file, written beside a notice file under the same name with another extension.
enum Companion: String, CaseIterable {
  case page = "html"
  case calendar = "ics"
  case headers

  func fileName(_ noticeID: String) -> String { "\(noticeID).\(rawValue)" }
}
