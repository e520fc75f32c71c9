internal import Glibc
package import PoolModel
package import PoolNotices
internal import PoolPlatform
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
  package let rate: SinkRate?
  private let timeout: Duration
  private let path: String
  private let event: NoticeEvent
  private let calls: any FileCalls
  private let queue: WorkQueue
  private let maxFiles: Int
  private let allowance: Duration
  private let companions: DropExtras
  private let sharedFrom: Int
  private let clock: any Clock<Duration>

  /// The open folder and the sink's knowledge about it.
  private struct State: ~Copyable {
    var folder: DropFolder?
    /// Notices this process staged and has not yet tried to publish. If such a file is missing from `staging/`, another program
    /// removed it, and it is written again.
    var tokens: Set<String> = []
    /// Upper bound of the number of files in `new/`: counted once, then increased by each file this process publishes. The
    /// consumer only removes files.
    var filesInNew = 0
    /// Number of further batches that sync each file separately, because `syncAll` failed or was slow.
    var batchesAlone = 0
  }
  /// Accessed on `queue` only, so no thread waits for this lock, however slow the disk is.
  private let state = Mutex(State())

  /// - Parameters:
  ///   - path: the drop folder; it must exist when the first notice is due, but not before.
  ///   - source: the events' `source`, such as `/poolflow/3f9a1c02`.
  ///   - maxFiles: the number of files in `new/` at which the consumer counts as stopped; the sink then stops too.
  ///   - allowance: the time after which a batch ends early, because a shutdown waits for it.
  ///   - sharedFrom: the batch size from which one `syncAll` replaces one `fsync` per file.
  ///   - clock: measures the duration of `syncAll`.
  package init(
    name: String, path: String, source: String, maxFiles: Int = Limits.dropFiles, allowance: Duration = .seconds(2),
    timeout: Duration = Limits.sinkTimeout, rate: SinkRate? = nil, extras: DropExtras = DropExtras(),
    sharedFrom: Int = Limits.noticesOfSharedSync, calls: any FileCalls = LinuxFileCalls(),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.name = name
    self.timeout = timeout
    self.rate = rate
    companions = extras
    self.path = path
    self.maxFiles = maxFiles
    self.allowance = allowance
    self.sharedFrom = sharedFrom
    self.clock = clock
    self.calls = calls
    event = NoticeEvent(source: source)
    queue = WorkQueue(name, limit: timeout)
  }

  package func prepare(staged: Set<String>, others: Set<String>) async throws(SinkError) {
    let result = await queue.perform { [self] () -> Result<Void, DeliveryError> in
      state.withLock { state in
        do throws(DeliveryError) {
          state.folder = nil
          let folder = try DropFolder(path: path, waiting: staged.count, calls: calls)
          if let own = companions.among?.own { _ = try folder.mark(node: own) }
          for name in try folder.stagedNames() where !DropFolder.isMark(name) {
            let id = DropFolder.noticeID(ofDraft: Self.noticeID(of: name))
            if !(id.isDraft ? others : staged.union(others)).contains(id.notice) { folder.discard(name) }
          }
          state.tokens.formIntersection(staged)
          state.filesInNew = try folder.newCount()
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
    case nil: throw .temporary(stuck)
    }
  }

  package func stage(_ entries: [OutboxEntry]) async -> [Verdict] {
    let extras: [String: NoticeExtras]
    do throws(DeliveryError) { extras = try await self.extras(of: entries) } catch { return stalled(entries, error) }
    return await queue.perform { [self] in state.withLock { stage(entries, extras, &$0) } } ?? stalled(entries, stuck)
  }

  package func publish(_ entries: [OutboxEntry]) async -> [Verdict] {
    let moved = await queue.perform { [self] in state.withLock { publish(entries, nil, &$0) } }
    guard let moved else { return stalled(entries, stuck) }
    // Entries without a verdict must be written or compared, for which their extras are needed. A plain move needs none.
    let open = zip(entries, moved).compactMap { $1 == nil ? $0 : nil }
    guard !open.isEmpty else { return Self.sickIfAllFailed(moved.compactMap(\.self)) }
    let extras: [String: NoticeExtras]
    do throws(DeliveryError) {
      // If a staged file is missing, the node that acquired this partition may have published it.
      try await refuseWhereFollowed()
      extras = try await self.extras(of: open)
    } catch { return stalled(entries, error) }
    let rest = await queue.perform { [self] in state.withLock { publish(open, extras, &$0) } }
    var verdicts = (rest?.compactMap(\.self) ?? stalled(open, stuck))[...]
    return Self.sickIfAllFailed(moved.map { $0 ?? verdicts.removeFirst() })
  }

  /// The file name of a notice, in `staging/` and in `new/`.
  /// The file of a notice, in `staging/` as in `new/`.
  package static func fileName(_ noticeID: String) -> String {
    "\(noticeID).json"
  }

  /// The notice id in the name of a notice file or sidecar file.
  private static func noticeID(of fileName: String) -> String {
    fileName.lastIndex(of: ".").map { String(fileName[..<$0]) } ?? fileName
  }

  /// Throws `DeliveryError.store` if another node has acquired this node's partition.
  private func refuseWhereFollowed() async throws(DeliveryError) {
    do { try await companions.among?.stillOurs() } catch { throw .store(sink: name, sentence: "\(error)") }
  }

  /// The extras of each entry by notice id; empty if the settings request none.
  private func extras(of entries: [OutboxEntry]) async throws(DeliveryError) -> [String: NoticeExtras] {
    guard let source = companions.source else { return [:] }
    var extras: [String: NoticeExtras] = [:]
    do {
      for entry in entries { extras[entry.notice.id] = try await source.extras(of: entry.notice) }
    } catch {
      throw .store(sink: name, sentence: "\(error)")
    }
    return extras
  }
}

extension FileDropSink {
  private var stuck: DeliveryError { .stuck(sink: name, limit: timeout) }

  private func stage(
    _ entries: [OutboxEntry], _ extras: [String: NoticeExtras], _ state: inout State
  ) -> [Verdict] {
    let folder: DropFolder
    do throws(DeliveryError) {
      folder = try checkedFolder(&state)
      try checkRoom(in: folder, for: entries.count, &state)
    } catch {
      return stalled(entries, error)
    }
    let isShared = entries.count >= sharedFrom && state.batchesAlone == 0
    if state.batchesAlone > 0 { state.batchesAlone -= 1 }
    let deadline = ContinuousClock.now.advanced(by: allowance)
    var verdicts: [Verdict] = []
    var trouble: DeliveryError?
    for entry in entries {
      if !verdicts.isEmpty, ContinuousClock.now > deadline {
        trouble = trouble ?? .diskSlow(path: folder.stagingPath, allowance: allowance)
      }
      if let trouble {
        verdicts.append(.stalled(.temporary(trouble)))
        continue
      }
      do throws(DeliveryError) {
        try write(entry.notice, extras[entry.notice.id] ?? .none, into: folder, isSynced: !isShared)
        state.tokens.insert(entry.notice.id)
        verdicts.append(.delivered)
      } catch {
        let verdict = Self.verdict(error)
        if case .stalled = verdict { trouble = error }
        verdicts.append(verdict)
      }
    }
    guard verdicts.contains(.delivered) else { return Self.sickIfAllFailed(verdicts) }
    var failure: DeliveryError?
    let taken = clock.measure {
      do throws(DeliveryError) { if isShared { try folder.syncAll() } else { try folder.syncStaging() } } catch {
        failure = error
      }
    }
    if let error = failure {
      if isShared {
        // It is unknown which files were lost: write all of them again and sync each one.
        let isImpossible = if case .file(_, _, ENOSYS) = error { true } else { false }
        state.batchesAlone = isImpossible ? .max : Limits.batchesSyncedAlone
        return stage(entries, extras, &state)
      }
      // None of the file names is known to be durable, so the whole batch is tried again.
      return verdicts.map { $0 == .delivered ? .stalled(.temporary(error)) : $0 }
    }
    // Other programs fill the same disk, and `syncAll` waits for their data too: avoid it for some batches.
    if isShared, taken > Limits.longSharedSync { state.batchesAlone = Limits.batchesSyncedAlone }
    return verdicts
  }

  /// Moves staged files to `new/`.
  ///
  /// - Parameter extras: the extras by notice id; nil only moves files that are already staged.
  /// - Returns: one verdict per entry; nil for an entry that needs its extras, which happens only if `extras` is nil.
  private func publish(
    _ entries: [OutboxEntry], _ extras: [String: NoticeExtras]?, _ state: inout State
  ) -> [Verdict?] {
    let folder: DropFolder
    do throws(DeliveryError) { folder = try checkedFolder(&state) } catch {
      return stalled(entries, error)
    }
    var verdicts: [Verdict?] = []
    for entry in entries {
      do throws(DeliveryError) {
        let own = extras.map { $0[entry.notice.id] ?? .none }
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
    _ notice: Notice, _ extras: NoticeExtras, into folder: DropFolder, isSynced: Bool = true
  ) throws(DeliveryError) {
    guard Self.isSafe(notice.id) else { throw .unsafeName(notice: notice.id) }
    let page = extras.page()
    let bytes = try bytes(of: notice, extras, hasPage: page != nil)
    func stage(_ name: String, _ bytes: [UInt8]) throws(DeliveryError) {
      if companions.among == nil {
        try folder.stage(name, bytes, isSynced: isSynced)
      } else {
        try folder.stageWhole(name, bytes, isSynced: isSynced)
      }
    }
    do throws(DeliveryError) {
      if let page { try stage(Companion.page.fileName(notice.id), page) }
      if let calendar = extras.calendar() { try stage(Companion.calendar.fileName(notice.id), calendar) }
      if let signature = companions.signature {
        let headers = signature.headers(of: notice, body: bytes, at: companions.wallClock.now())
        try stage(Companion.headers.fileName(notice.id), headers)
      }
      try stage(Self.fileName(notice.id), bytes)
    } catch {
      // Without its notice file a sidecar file is useless, and the disk may be full.
      for companion in Companion.allCases where companions.has(companion) {
        folder.discard(companion.fileName(notice.id))
      }
      throw error
    }
  }

  /// The contents of the notice file.
  private func bytes(
    of notice: Notice, _ extras: NoticeExtras, hasPage: Bool
  ) throws(DeliveryError) -> [UInt8] {
    let page = hasPage ? Companion.page.fileName(notice.id) : nil
    return try event.bytes(of: notice, page: page, sensitive: extras.sensitive) + [UInt8(ascii: "\n")]
  }

  /// Moves a notice and its sidecar files to `new/`; stages them again if they are missing.
  ///
  /// - Returns: false if the notice must be written or compared and `extras` is nil.
  /// - Throws: `nameTaken` if `new/` holds another file of that name; errors of the folder.
  private func move(
    _ notice: Notice, _ extras: NoticeExtras?, in folder: DropFolder, _ state: inout State
  ) throws(DeliveryError) -> Bool {
    let name = Self.fileName(notice.id)
    // After the first try, a missing staged file may mean that it was published.
    let isOurs = state.tokens.remove(notice.id) != nil
    try moveCompanions(of: notice, in: folder, &state)
    for _ in 1...2 {
      switch try folder.publish(name) {
      case .done:
        state.filesInNew += 1
        return true
      case .alreadyGone:
        // The file may be staged in the folder of another node, which this node cannot see.
        if !isOurs, try !isOwnAlone(folder) { return true }
        guard let extras else {
          state.tokens.insert(notice.id)
          return false
        }
        // Another program emptied `staging/` between staging and publishing.
        try write(notice, extras, into: folder)
        try folder.syncStaging()
        try moveCompanions(of: notice, in: folder, &state)
      case .nameTaken:
        guard let extras else {
          if isOurs { state.tokens.insert(notice.id) }
          return false
        }
        let bytes = try bytes(of: notice, extras, hasPage: extras.page() != nil)
        guard let isSame = try folder.newHolds(name, bytes) else { continue }  // The consumer took the file meanwhile.
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
  private func isOwnAlone(_ folder: DropFolder) throws(DeliveryError) -> Bool {
    guard let among = companions.among else { return false }
    return try !folder.mark(node: among.own)
  }

  /// Moves the sidecar files before the notice file, so that a reader of the notice file finds them. If `new/` already has a
  /// sidecar file, an earlier try published it.
  private func moveCompanions(
    of notice: Notice, in folder: DropFolder, _ state: inout State
  ) throws(DeliveryError) {
    for companion in Companion.allCases where companions.has(companion) {
      let name = companion.fileName(notice.id)
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
    try folder.check()
    return folder
  }

  /// Throws `folderFull` if `new/` holds `maxFiles` files; it recounts them before it does.
  private func checkRoom(in folder: DropFolder, for count: Int, _ state: inout State) throws(DeliveryError) {
    if state.filesInNew + count <= maxFiles { return }
    state.filesInNew = try folder.newCount()
    guard state.filesInNew >= maxFiles else { return }
    throw .folderFull(path: folder.newPath, files: state.filesInNew, bound: maxFiles)
  }

  /// The verdicts for a batch that the sink could not handle as a whole.
  private func stalled(_ entries: [OutboxEntry], _ error: DeliveryError) -> [Verdict] {
    entries.map { _ in .stalled(.temporary(error)) }
  }

  /// Whether an id is safe as a file name: letters, digits, `-` and `.`, with no dot at the start, and at most 200 bytes, which
  /// leaves enough for extensions.
  private static func isSafe(_ id: String) -> Bool {
    id.utf8.count <= 200 && (try? PathComponent(identity: id)) != nil
  }

  /// Decides whether an error concerns one entry or the whole sink: a bad sector may affect one file, a full disk affects all.
  private static func verdict(_ error: DeliveryError) -> Verdict {
    switch error {
    case .nameTaken, .unsafeName, .brokenDetails, .expired: .refused(.permanent(error))
    case .file(_, _, let code) where code == EIO: .refused(.temporary(error))
    default: .stalled(.temporary(error))
    }
  }

  /// If every entry of a batch failed temporarily, the sink is unhealthy rather than its entries: all are marked stalled.
  private static func sickIfAllFailed(_ verdicts: [Verdict]) -> [Verdict] {
    var trouble: SinkError?
    for verdict in verdicts {
      switch verdict {
      case .refused(.temporary(let reason, let after)): trouble = trouble ?? .temporary(reason, retryAfter: after)
      case .stalled(let error): trouble = trouble ?? error
      case .delivered, .refused(.permanent): return verdicts
      }
    }
    guard let trouble else { return verdicts }
    return verdicts.map { _ in .stalled(trouble) }
  }
}
