internal import Glibc
package import PoolModel
package import PoolNotices
internal import PoolPlatform
internal import Synchronization

/// Drops each notice as one JSON file for whatever posts it on: a folder with a private `staging/` and a public `new/`.
///
/// A file appears in `new/` whole, on the disk and exactly once, even when its consumer takes it away at once: the file
/// in `staging/` is a token that one rename moves. The store's `staged` says that the token was made; if it is no longer
/// in `staging/`, it was moved.
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

  private struct State: ~Copyable {
    var folder: DropFolder?
    /// Tokens that this process made and has not tried to move. If one of them is gone from `staging/`, somebody else
    /// removed it, and it is made anew.
    var tokens: Set<String> = []
    /// At most so many files are in `new/`: counted once, and from then on only our own are added, for the consumer
    /// takes away and never adds.
    var filesInNew = 0
    /// Batches that are to sync each file by itself, because syncing all at once failed or took long.
    var batchesAlone = 0
  }
  /// Used on `queue` only, so nobody ever waits for the lock, however slow the disk.
  private let state = Mutex(State())

  /// - Parameters:
  ///   - path: the drop folder; it must exist when the first notice is due, not before.
  ///   - source: the events' `source`, such as `/poolflow/3f9a1c02`.
  ///   - maxFiles: with this many files in `new/` the consumer is taken to have stopped, and the sink stops too.
  ///   - allowance: after so long a batch ends where it is: a shutdown waits for it.
  ///   - sharedFrom: batches of so many notices are brought to the disk by one call.
  ///   - clock: measures how long that call takes.
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
    // What is to be written or compared needs all that belongs to it; what was only moved does not.
    let open = zip(entries, moved).compactMap { $1 == nil ? $0 : nil }
    guard !open.isEmpty else { return Self.sickIfAllFailed(moved.compactMap(\.self)) }
    let extras: [String: NoticeExtras]
    do throws(DeliveryError) {
      // A token that is not where this process put it may have been moved by the node that follows it.
      try await refuseWhereFollowed()
      extras = try await self.extras(of: open)
    } catch { return stalled(entries, error) }
    let rest = await queue.perform { [self] in state.withLock { publish(open, extras, &$0) } }
    var verdicts = (rest?.compactMap(\.self) ?? stalled(open, stuck))[...]
    return Self.sickIfAllFailed(moved.map { $0 ?? verdicts.removeFirst() })
  }

  /// The file of a notice, in `staging/` as in `new/`.
  package static func fileName(_ noticeID: String) -> String {
    "\(noticeID).json"
  }

  /// The notice whose file or companion has this name.
  private static func noticeID(of fileName: String) -> String {
    fileName.lastIndex(of: ".").map { String(fileName[..<$0]) } ?? fileName
  }

  private func refuseWhereFollowed() async throws(DeliveryError) {
    do { try await companions.among?.stillOurs() } catch { throw .store(sink: name, sentence: "\(error)") }
  }

  /// By notice; empty where the settings ask for none.
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
        // Which of them are lost nobody says: each is written again, and synced by itself.
        let isImpossible = if case .file(_, _, ENOSYS) = error { true } else { false }
        state.batchesAlone = isImpossible ? .max : Limits.batchesSyncedAlone
        return stage(entries, extras, &state)
      }
      // None of the names is known to be on the disk; all of them are written again.
      return verdicts.map { $0 == .delivered ? .stalled(.temporary(error)) : $0 }
    }
    // Others fill the same disk: what they write is not waited for again soon.
    if isShared, taken > Limits.longSharedSync { state.batchesAlone = Limits.batchesSyncedAlone }
    return verdicts
  }

  /// - Parameter extras: by notice; nil to move alone what lies ready.
  /// - Returns: nil for an entry that cannot go on without its extras; with them there is none.
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

  /// Writes the notice's companions, then its file: whoever finds that has all of them.
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
      // A page without its event would only fill a disk that may be full already.
      for companion in Companion.allCases where companions.has(companion) {
        folder.discard(companion.fileName(notice.id))
      }
      throw error
    }
  }

  /// The bytes of the notice's file.
  private func bytes(
    of notice: Notice, _ extras: NoticeExtras, hasPage: Bool
  ) throws(DeliveryError) -> [UInt8] {
    let page = hasPage ? Companion.page.fileName(notice.id) : nil
    return try event.bytes(of: notice, page: page, sensitive: extras.sensitive) + [UInt8(ascii: "\n")]
  }

  /// - Returns: false where it must be written or compared, and `extras` is nil.
  private func move(
    _ notice: Notice, _ extras: NoticeExtras?, in folder: DropFolder, _ state: inout State
  ) throws(DeliveryError) -> Bool {
    let name = Self.fileName(notice.id)
    // From the first try on, an absent token may mean that it was moved.
    let isOurs = state.tokens.remove(notice.id) != nil
    try moveCompanions(of: notice, in: folder, &state)
    for _ in 1...2 {
      switch try folder.publish(name) {
      case .done:
        state.filesInNew += 1
        return true
      case .alreadyGone:
        // Another node's may never have been here.
        if !isOurs, try !isOwnAlone(folder) { return true }
        guard let extras else {
          state.tokens.insert(notice.id)
          return false
        }
        // Somebody emptied `staging/` between our two steps.
        try write(notice, extras, into: folder)
        try folder.syncStaging()
        try moveCompanions(of: notice, in: folder, &state)
      case .nameTaken:
        guard let extras else {
          if isOurs { state.tokens.insert(notice.id) }
          return false
        }
        let bytes = try bytes(of: notice, extras, hasPage: extras.page() != nil)
        guard let isSame = try folder.newHolds(name, bytes) else { continue }  // Taken away meanwhile.
        // The token stays until the store knows the refusal: without it, a restart would believe that it was moved.
        guard isSame else { throw .nameTaken(path: "\(folder.newPath)/\(name)") }
        folder.discard(name)
        return true
      }
    }
    throw .nameTaken(path: "\(folder.newPath)/\(name)")
  }

  /// Whether each of several nodes has a folder of its own: what another had staged is in that one.
  private func isOwnAlone(_ folder: DropFolder) throws(DeliveryError) -> Bool {
    guard let among = companions.among else { return false }
    return try !folder.mark(node: among.own)
  }

  /// Before the file itself, so that nobody finds it without them. One that is there already came with an earlier try.
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

  private func checkedFolder(_ state: inout State) throws(DeliveryError) -> DropFolder {
    guard let folder = state.folder else { throw .folderMissing(path: path) }
    try folder.check()
    return folder
  }

  private func checkRoom(in folder: DropFolder, for count: Int, _ state: inout State) throws(DeliveryError) {
    if state.filesInNew + count <= maxFiles { return }
    state.filesInNew = try folder.newCount()
    guard state.filesInNew >= maxFiles else { return }
    throw .folderFull(path: folder.newPath, files: state.filesInNew, bound: maxFiles)
  }

  private func stalled(_ entries: [OutboxEntry], _ error: DeliveryError) -> [Verdict] {
    entries.map { _ in .stalled(.temporary(error)) }
  }

  /// Letters, digits, `-` and `.`, not first a dot, short enough for any file system.
  /// Two hundred bytes leave room for what comes after the id in a file's name.
  private static func isSafe(_ id: String) -> Bool {
    id.utf8.count <= 200 && (try? PathComponent(identity: id)) != nil
  }

  /// Whether an error is the entry's own or the sink's: a bad sector may hit one file, a full disk hits all.
  private static func verdict(_ error: DeliveryError) -> Verdict {
    switch error {
    case .nameTaken, .unsafeName, .brokenDetails, .expired: .refused(.permanent(error))
    case .file(_, _, let code) where code == EIO: .refused(.temporary(error))
    default: .stalled(.temporary(error))
    }
  }

  /// A batch in which nothing worked and all of it may work later says more of the sink than of its entries.
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
