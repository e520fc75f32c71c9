package import FlowModel
package import FlowNotices
internal import FlowPlatform
internal import Glibc
internal import Synchronization

/// Writes each notice as one JSON file into a drop folder, with a private `staging/` and a public `new/`, from which another
/// program takes it.
///
/// A file appears in `new/` complete, durable and exactly once, even if the consumer removes it at once: each notice is staged
/// as one file, and one rename publishes it. The store's state `staged` records that the file was staged; if it is no longer in
/// `staging/`, it was published.
package final class FileDropSink: StagingSink {
  package let name: String
  package let kind = SinkKind.fileDrop
  package var rate: SinkRate? { bounds.rate }
  private let path: String
  private let event: NoticeEvent
  private let calls: any FileSystemCalls
  private let queue: WorkQueue
  private let bounds: Bounds
  private let options: DropFolderOptions
  private let clock: any Clock<Duration>

  /// The open folder and the sink's knowledge about it.
  private struct State: ~Copyable {
    var folder: DropFolder?
    /// Notices this process staged and has not yet tried to publish. If such a file is missing from `staging/`, another program
    /// removed it, and it is written again.
    var stagedByThisProcess: Set<String> = []
    /// Upper bound of the number of files in `new/`: counted once, then increased by each file this process publishes. The
    /// consumer only removes files.
    var filesInNew = 0
    /// Number of further batches that sync each file separately, because `syncAll` failed or was slow.
    var batchesSyncedSeparately = 0
  }
  /// Accessed on `queue` only, so no thread waits for this lock, however slow the disk is.
  private let state = Mutex(State())

  /// - Parameters:
  ///   - path: the drop folder; it must exist when the first notice is due, but not before.
  ///   - source: the events' `source`, such as `/poolflow/3f9a1c02`.
  ///   - clock: measures the duration of `syncAll`.
  package init(
    name: String, path: String, source: String, bounds: Bounds = Bounds(),
    attachments: DropFolderOptions = DropFolderOptions(), calls: any FileSystemCalls = LinuxFileSystemCalls(),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.name = name
    options = attachments
    self.path = path
    self.bounds = bounds
    self.clock = clock
    self.calls = calls
    event = NoticeEvent(source: source)
    queue = WorkQueue(name, limit: bounds.timeout)
  }

  package func prepare(staged: Set<String>, others: Set<String>) async throws(SinkError) {
    let result = await queue.perform { [self] () -> Result<Void, DeliveryError> in
      state.withLock { state in
        do throws(DeliveryError) {
          state.folder = nil
          let folder = try DropFolder(path: path, waiting: staged.count, calls: calls)
          if let own = options.cluster?.own { _ = try folder.mark(node: own) }
          for name in try folder.stagedNames() where !DropFolder.isNodeMark(name) {
            let id = DropFolder.noticeID(ofDraft: Self.noticeID(of: name))
            if !(id.isDraft ? others : staged.union(others)).contains(id.notice) { folder.discard(name) }
          }
          state.stagedByThisProcess.formIntersection(staged)
          state.filesInNew = try folder.newFileCount()
          state.folder = folder
          return .success(())
        } catch {
          return .failure(error)
        }
      }
    }
    switch result {
    case .success: return
    case .failure(let error): throw .temporary(error)
    case nil: throw .temporary(timedOut)
    }
  }

  package func stage(_ entries: [OutboxEntry]) async -> [SinkVerdict] {
    let attachments: [String: NoticeAttachments]
    do throws(DeliveryError) { attachments = try await self.attachments(of: entries) } catch {
      return stalled(entries, error)
    }
    return await queue.perform { [self] in state.withLock { stage(entries, attachments, &$0) } }
      ?? stalled(entries, timedOut)
  }

  package func publish(_ entries: [OutboxEntry]) async -> [SinkVerdict] {
    let moved = await queue.perform { [self] in state.withLock { publish(entries, nil, &$0) } }
    guard let moved else { return stalled(entries, timedOut) }
    // Entries without a verdict must be written or compared, for which their extras are needed. A plain move needs none.
    let unresolved = zip(entries, moved).compactMap { $1 == nil ? $0 : nil }
    guard !unresolved.isEmpty else { return Self.stalledIfAllFailed(moved.compactMap(\.self)) }
    let attachments: [String: NoticeAttachments]
    do throws(DeliveryError) {
      // If a staged file is missing, the node that acquired this partition may have published it.
      try await checkPartitionOwnership()
      attachments = try await self.attachments(of: unresolved)
    } catch { return stalled(entries, error) }
    let rest = await queue.perform { [self] in state.withLock { publish(unresolved, attachments, &$0) } }
    var verdicts = (rest?.compactMap(\.self) ?? stalled(unresolved, timedOut))[...]
    return Self.stalledIfAllFailed(moved.map { $0 ?? verdicts.removeFirst() })
  }

  /// The file name of a notice, in `staging/` and in `new/`.
  package static func fileName(_ noticeID: String) -> String {
    "\(noticeID).json"
  }

  /// The notice id in the name of a notice file or sidecar file.
  private static func noticeID(of fileName: String) -> String {
    fileName.lastIndex(of: ".").map { String(fileName[..<$0]) } ?? fileName
  }

  /// Throws `DeliveryError.store` if another node has acquired this node's partition.
  private func checkPartitionOwnership() async throws(DeliveryError) {
    do { try await options.cluster?.checkOwnership() } catch { throw .store(sink: name, sentence: "\(error)") }
  }

  /// The extras of each entry by notice id; empty if the settings request none.
  private func attachments(of entries: [OutboxEntry]) async throws(DeliveryError) -> [String: NoticeAttachments] {
    guard let source = options.source else { return [:] }
    var attachments: [String: NoticeAttachments] = [:]
    do {
      for entry in entries { attachments[entry.notice.id] = try await source.attachments(of: entry.notice) }
    } catch {
      throw .store(sink: name, sentence: "\(error)")
    }
    return attachments
  }
}

extension FileDropSink {
  private var timedOut: DeliveryError { .timedOut(sink: name, limit: queue.limit) }

  private func stage(
    _ entries: [OutboxEntry], _ attachments: [String: NoticeAttachments], _ state: inout State
  ) -> [SinkVerdict] {
    let folder: DropFolder
    do throws(DeliveryError) {
      folder = try checkedFolder(&state)
      try checkCapacity(in: folder, for: entries.count, &state)
    } catch {
      return stalled(entries, error)
    }
    let usesSharedSync = entries.count >= bounds.sharedSync && state.batchesSyncedSeparately == 0
    if state.batchesSyncedSeparately > 0 { state.batchesSyncedSeparately -= 1 }
    let deadline = ContinuousClock.now.advanced(by: bounds.batchTime)
    var verdicts: [SinkVerdict] = []
    var firstFailure: DeliveryError?
    for entry in entries {
      if !verdicts.isEmpty, ContinuousClock.now > deadline {
        firstFailure = firstFailure ?? .diskSlow(path: folder.stagingPath, timeBudget: bounds.batchTime)
      }
      if let firstFailure {
        verdicts.append(.stalled(.temporary(firstFailure)))
        continue
      }
      do throws(DeliveryError) {
        try write(entry.notice, attachments[entry.notice.id] ?? .none, into: folder, isSynced: !usesSharedSync)
        state.stagedByThisProcess.insert(entry.notice.id)
        verdicts.append(.delivered)
      } catch {
        let verdict = Self.verdict(error)
        if case .stalled = verdict { firstFailure = error }
        verdicts.append(verdict)
      }
    }
    guard verdicts.contains(.delivered) else { return Self.stalledIfAllFailed(verdicts) }
    var failure: DeliveryError?
    let syncDuration = clock.measure {
      do throws(DeliveryError) { if usesSharedSync { try folder.syncAll() } else { try folder.syncStaging() } } catch {
        failure = error
      }
    }
    if let error = failure {
      if usesSharedSync {
        // It is unknown which files were lost: write all of them again and sync each one.
        let isUnsupported = if case .file(_, _, ENOSYS) = error { true } else { false }
        state.batchesSyncedSeparately = isUnsupported ? .max : Limits.batchesWithoutSharedSync
        return stage(entries, attachments, &state)
      }
      // None of the file names is known to be durable, so the whole batch is tried again.
      return verdicts.map { $0 == .delivered ? .stalled(.temporary(error)) : $0 }
    }
    // Other programs fill the same disk, and `syncAll` waits for their data too: avoid it for some batches.
    if usesSharedSync, syncDuration > Limits.slowSharedSync {
      state.batchesSyncedSeparately = Limits.batchesWithoutSharedSync
    }
    return verdicts
  }

  /// Moves staged files to `new/`.
  ///
  /// - Parameter attachments: the extras by notice id; nil only moves files that are already staged.
  /// - Returns: one verdict per entry; nil for an entry that needs its extras, which happens only if `attachments` is nil.
  private func publish(
    _ entries: [OutboxEntry], _ attachments: [String: NoticeAttachments]?, _ state: inout State
  ) -> [SinkVerdict?] {
    let folder: DropFolder
    do throws(DeliveryError) { folder = try checkedFolder(&state) } catch {
      return stalled(entries, error)
    }
    var verdicts: [SinkVerdict?] = []
    for entry in entries {
      do throws(DeliveryError) {
        let own = attachments.map { $0[entry.notice.id] ?? .none }
        verdicts.append(try move(entry.notice, own, in: folder, &state) ? .delivered : nil)
      } catch {
        verdicts.append(Self.verdict(error))
      }
    }
    guard verdicts.contains(.delivered) else { return verdicts }
    do throws(DeliveryError) { try folder.syncBoth() } catch {
      return verdicts.map { $0 == .delivered ? .stalled(.temporary(error)) : $0 }
    }
    return verdicts
  }

  /// Stages the sidecar files before the notice file, so that a reader of the notice file finds all of them.
  private func write(
    _ notice: Notice, _ attachments: NoticeAttachments, into folder: DropFolder, isSynced: Bool = true
  ) throws(DeliveryError) {
    guard Self.isSafeFileName(notice.id) else { throw .unsafeName(notice: notice.id) }
    let page = attachments.page()
    let bytes = try bytes(of: notice, attachments, hasPage: page != nil)
    func stage(_ name: String, _ bytes: [UInt8]) throws(DeliveryError) {
      if options.cluster == nil {
        try folder.stage(name, bytes, isSynced: isSynced)
      } else {
        try folder.stageAtomically(name, bytes, isSynced: isSynced)
      }
    }
    do throws(DeliveryError) {
      if let page { try stage(SidecarFile.page.fileName(notice.id), page) }
      if let calendar = attachments.calendar() { try stage(SidecarFile.calendar.fileName(notice.id), calendar) }
      if let signature = options.signature {
        let headers = signature.headers(of: notice, body: bytes, at: options.wallClock.now())
        try stage(SidecarFile.headers.fileName(notice.id), headers)
      }
      try stage(Self.fileName(notice.id), bytes)
    } catch {
      // Without its notice file a sidecar file is useless, and the disk may be full.
      for sidecar in SidecarFile.allCases where options.mayContain(sidecar) {
        folder.discard(sidecar.fileName(notice.id))
      }
      throw error
    }
  }

  /// The contents of the notice file.
  private func bytes(
    of notice: Notice, _ attachments: NoticeAttachments, hasPage: Bool
  ) throws(DeliveryError) -> [UInt8] {
    let page = hasPage ? SidecarFile.page.fileName(notice.id) : nil
    return try event.bytes(of: notice, page: page, sensitive: attachments.sensitive) + [UInt8(ascii: "\n")]
  }

  /// Moves a notice and its sidecar files to `new/`; stages them again if they are missing.
  ///
  /// - Returns: false if the notice must be written or compared and `attachments` is nil.
  /// - Throws: `nameTaken` if `new/` holds another file of that name; errors of the folder.
  private func move(
    _ notice: Notice, _ attachments: NoticeAttachments?, in folder: DropFolder, _ state: inout State
  ) throws(DeliveryError) -> Bool {
    let name = Self.fileName(notice.id)
    // After the first try, a missing staged file may mean that it was published.
    let wasStagedHere = state.stagedByThisProcess.remove(notice.id) != nil
    try moveSidecars(of: notice, in: folder, &state)
    for _ in 1...2 {
      switch try folder.publish(name) {
      case .done:
        state.filesInNew += 1
        return true
      case .alreadyGone:
        // The file may be staged in the folder of another node, which this node cannot see.
        if !wasStagedHere, try !usesSeparateFolders(folder) { return true }
        guard let attachments else {
          state.stagedByThisProcess.insert(notice.id)
          return false
        }
        // Another program emptied `staging/` between staging and publishing.
        try write(notice, attachments, into: folder)
        try folder.syncStaging()
        try moveSidecars(of: notice, in: folder, &state)
      case .nameTaken:
        guard let attachments else {
          if wasStagedHere { state.stagedByThisProcess.insert(notice.id) }
          return false
        }
        let bytes = try bytes(of: notice, attachments, hasPage: attachments.page() != nil)
        // Nil: the consumer took the file meanwhile.
        guard let isSame = try folder.newFolderContains(name, bytes) else { continue }
        // Keep the staged file until the store has recorded the refusal: without it, a restart would count the notice as
        // published.
        guard isSame else { throw .nameTaken(path: "\(folder.newPath)/\(name)") }
        folder.discard(name)
        return true
      }
    }
    throw .nameTaken(path: "\(folder.newPath)/\(name)")
  }

  /// Whether each node has a drop folder of its own, so that this folder lacks the files that another node staged.
  private func usesSeparateFolders(_ folder: DropFolder) throws(DeliveryError) -> Bool {
    guard let cluster = options.cluster else { return false }
    return try !folder.mark(node: cluster.own)
  }

  /// Moves the sidecar files before the notice file, so that a reader of the notice file finds them. If `new/` already has a
  /// sidecar file, an earlier try published it.
  private func moveSidecars(
    of notice: Notice, in folder: DropFolder, _ state: inout State
  ) throws(DeliveryError) {
    for sidecar in SidecarFile.allCases where options.mayContain(sidecar) {
      let name = sidecar.fileName(notice.id)
      switch try folder.publish(name) {
      case .done: state.filesInNew += 1
      case .alreadyGone: break
      case .nameTaken: folder.discard(name)
      }
    }
  }

  /// The open folder, after a check that it was not replaced.
  private func checkedFolder(_ state: inout State) throws(DeliveryError) -> DropFolder {
    guard let folder = state.folder else { throw .folderMissing(path: path) }
    try folder.checkNotReplaced()
    return folder
  }

  /// Throws `folderFull` if `new/` holds `maxFiles` files; it recounts them before it does.
  private func checkCapacity(in folder: DropFolder, for count: Int, _ state: inout State) throws(DeliveryError) {
    if state.filesInNew + count <= bounds.maxFiles { return }
    state.filesInNew = try folder.newFileCount()
    guard state.filesInNew >= bounds.maxFiles else { return }
    throw .folderFull(path: folder.newPath, files: state.filesInNew, limit: bounds.maxFiles)
  }

  /// The verdicts for a batch that the sink could not handle as a whole.
  private func stalled(_ entries: [OutboxEntry], _ error: DeliveryError) -> [SinkVerdict] {
    entries.map { _ in .stalled(.temporary(error)) }
  }

  /// Whether an id is safe as a file name: letters, digits, `-` and `.`, with no dot at the start, and at most 200 bytes, which
  /// leaves enough for extensions.
  private static func isSafeFileName(_ id: String) -> Bool {
    id.utf8.count <= 200 && (try? PathComponent(identity: id)) != nil
  }

  /// Decides whether an error concerns one entry or the whole sink: a bad sector may affect one file, a full disk affects all.
  private static func verdict(_ error: DeliveryError) -> SinkVerdict {
    switch error {
    case .nameTaken, .unsafeName, .invalidDetails, .expired: .refused(.permanent(error))
    case .file(_, _, let code) where code == EIO: .refused(.temporary(error))
    default: .stalled(.temporary(error))
    }
  }

  /// If every entry of a batch failed temporarily, the sink is unhealthy rather than its entries: all are marked stalled.
  private static func stalledIfAllFailed(_ verdicts: [SinkVerdict]) -> [SinkVerdict] {
    var firstFailure: SinkError?
    for verdict in verdicts {
      switch verdict {
      case .refused(.temporary(let reason, let after)):
        firstFailure = firstFailure ?? .temporary(reason, retryAfter: after)
      case .stalled(let error): firstFailure = firstFailure ?? error
      case .delivered, .refused(.permanent): return verdicts
      }
    }
    guard let firstFailure else { return verdicts }
    return verdicts.map { _ in .stalled(firstFailure) }
  }
}
