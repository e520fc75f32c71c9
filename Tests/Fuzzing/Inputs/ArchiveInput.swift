import FlowModel
import FoundationEssentials
import PoolInterchange
import PoolModel

/// Bytes as the members of an archive: a line `=== NAME`, then the member up to the next such line.
///
/// Text instead of a ZIP, so that a fuzzer gets past checksums and headers to the records. The same bytes are also used as the
/// texts and numbers of a store, which a backup must return unchanged.
enum ArchiveInput {
  static func check(_ bytes: [UInt8], _ limit: TimeLimit) throws(BrokenLaw) {
    let members = Members(cut(bytes))
    let promise: Duration = .milliseconds(1) + .nanoseconds(500 * bytes.count)
    switch try limit.call("reading", promise, { read(members) }) {
    case .failure(let error):
      let sentence = error.description.utf8.count
      try require(sentence > 0 && sentence < 100_000, "the error says nothing, or has no end")
    case .success(let contents):
      let written = ArchiveWriter.members(of: contents).map { (name: $0.name, bytes: $0.bytes()) }
      // Photos are not in the input; their presence is enough.
      let photos = contents.photoNames.map { (name: $0.memberName, bytes: [UInt8]()) }
      switch read(Members(written + photos)) {
      case .failure(let error): throw BrokenLaw("what was accepted is written and then refused: \(error)")
      case .success(let again):
        let rewritten = ArchiveWriter.members(of: again).map { (name: $0.name, bytes: $0.bytes()) }
        for (first, second) in zip(written, rewritten) {
          try require(first.bytes == second.bytes, "\(first.name) changes when it is read and written again")
        }
      }
      try check(contents)
    }
    try checkBackup(of: bytes)
  }

  /// Checks the import rules on everything that was accepted.
  private static func check(_ contents: ArchiveContents) throws(BrokenLaw) {
    for pool in contents.pools {
      try check([pool.customerName, pool.address], .name)
      try check([pool.notes], .notes)
      try require(
        (pool.volumeGallons * pool.monthlyServiceFee * pool.readings.pH * 100_000).isFinite, "a product is no number")
    }
    for item in contents.inventory {
      try check([item.name, item.chemicalType], .name)
      try require((item.costPerOz * item.currentStockOz * 100_000).isFinite, "a product is no number")
    }
    for profile in contents.profiles { try check([profile.gateAccessType, profile.contactName], .name) }
    for visit in contents.serviceEvents { try check([visit.techNotes], .notes) }
  }

  private static func check(_ texts: [String], _ rule: TextRule) throws(BrokenLaw) {
    for text in texts {
      try require(rule.lengthFault(in: text) == nil && !hasControls(text), "a text is let in that breaks its rule")
    }
  }

  /// A backup of a store with these bytes as texts and numbers must be read back unchanged.
  private static func checkBackup(of bytes: [UInt8]) throws(BrokenLaw) {
    let text = String(decoding: bytes, as: UTF8.self)
    let numbers = stride(from: 0, to: max(1, bytes.count), by: 8).prefix(64).map { start -> Double in
      let eight = bytes[min(start, bytes.count)..<min(start + 8, bytes.count)]
      return finite(Double(bitPattern: eight.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }))
    }
    let id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
    // The text is used once instead of sixty times, which tests as much and is faster.
    let items = numbers.enumerated().map { place, number in
      let text = place == 0 ? text : String(place)
      return InventoryItem(
        id: InventoryItemID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, UInt8(place)))), name: text,
        chemicalType: text, concentration: number, costPerOz: number, currentStockOz: number,
        lowStockThresholdOz: number, unitLabel: text)
    }
    let profile = CustomerProfile(
      poolID: PoolID(id), contactName: text, contactPhone: text, contactEmail: text, gateAccessType: text,
      preferredArrivalWindow: text, tagsCSV: text)
    let given = ArchiveContents(
      manifest: ArchiveManifest(
        schemaVersion: 2, appVersion: text, createdAt: Timestamp(seconds: 1_800_000_000), counts: RecordCounts()),
      inventory: items, profiles: [profile])
    let members = Members(ArchiveWriter.members(of: given).map { (name: $0.name, bytes: $0.bytes()) })
    switch read(members, origin: .ownBackup) {
    case .failure(let error): throw BrokenLaw("what a store holds is written and then refused: \(error)")
    case .success(let again):
      try require(again.inventory == items && again.profiles == [profile], "a backup gives back something else")
      try require(again.manifest.appVersion == text, "a backup's manifest says something else")
    }
  }

  private static func read(
    _ members: Members, origin: ArchiveOrigin = .anywhere
  ) -> Result<ArchiveContents, ArchiveError> {
    do throws(ArchiveError) { return .success(try ArchiveReader.read(members, origin: origin)) } catch {
      return .failure(error)
    }
  }

  private static func cut(_ bytes: [UInt8]) -> [(name: String, bytes: [UInt8])] {
    let mark = Array("=== ".utf8)
    var members: [(name: String, bytes: [UInt8])] = []
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if line.starts(with: mark) {
        members.append((String(decoding: line.dropFirst(mark.count), as: UTF8.self), []))
      } else if !members.isEmpty {
        members[members.count - 1].bytes += line + [UInt8(ascii: "\n")]
      }
    }
    return members
  }

  private struct Members: ArchiveMembers {
    private var members: [String: [UInt8]] = [:]

    /// Of several members with one name the last is kept, because a ZIP has unique names.
    init(_ list: [(name: String, bytes: [UInt8])]) {
      for (name, bytes) in list { members[name] = bytes }
    }

    func names() -> [String] { members.keys.sorted() }

    func bytes(of name: String, limit: Int) throws -> [UInt8]? { members[name] }
  }
}
