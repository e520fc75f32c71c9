import PoolInterchange

/// Bytes as the members of an archive: a line `=== NAME`, then the member up to the next such line.
///
/// Text instead of a ZIP, so that a fuzzer gets past checksums and headers to the records.
enum ArchiveInput {
  static func check(_ bytes: [UInt8], _ limit: TimeLimit) throws(BrokenLaw) {
    let members = Members(cut(bytes))
    let promise: Duration = .milliseconds(1) + .nanoseconds(500 * bytes.count)
    switch try limit.call("reading", promise, { read(members) }) {
    case .failure(let error):
      try require(!error.description.isEmpty, "the error says nothing")
    case .success(let contents):
      let written = ArchiveWriter.members(of: contents).map { (name: $0.name, bytes: $0.bytes()) }
      // The photos come from elsewhere; that they are there is enough.
      let photos = contents.photoNames.map { (name: $0.memberName, bytes: [UInt8]()) }
      switch read(Members(written + photos)) {
      case .failure(let error): throw BrokenLaw("what was accepted is written and then refused: \(error)")
      case .success(let again):
        let rewritten = ArchiveWriter.members(of: again).map { (name: $0.name, bytes: $0.bytes()) }
        for (first, second) in zip(written, rewritten) {
          try require(first.bytes == second.bytes, "\(first.name) changes when it is read and written again")
        }
      }
    }
  }

  private static func read(_ members: Members) -> Result<ArchiveContents, ArchiveError> {
    do throws(ArchiveError) { return .success(try ArchiveReader.read(members)) } catch { return .failure(error) }
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

    /// Of several of one name the last stays, as there are no two of one name in a ZIP.
    init(_ list: [(name: String, bytes: [UInt8])]) {
      for (name, bytes) in list { members[name] = bytes }
    }

    func names() -> [String] { members.keys.sorted() }

    func bytes(of name: String, limit: Int) throws -> [UInt8]? { members[name] }
  }
}
