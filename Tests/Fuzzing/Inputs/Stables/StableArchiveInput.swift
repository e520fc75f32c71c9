import PoolInterchange
import StableInterchange

/// Bytes as the `stable.json` of an archive: accepted input is written and read back unchanged.
enum StableArchiveInput {
  static func check(_ bytes: [UInt8], _ limit: TimeLimit) throws(BrokenLaw) {
    let promise: Duration = .milliseconds(1) + .microseconds(2 * bytes.count)
    switch try limit.call("reading", promise, { read(bytes, .anywhere) }) {
    case .failure(let error):
      let sentence = error.description.utf8.count
      try require(sentence > 0 && sentence < 100_000, "the error says nothing, or has no end")
    case .success(let contents):
      let written = StableArchiveWriter.member(of: contents).bytes()
      for origin in [ArchiveOrigin.anywhere, .ownBackup] {
        switch read(written, origin) {
        case .failure(let error): throw BrokenLaw("what was accepted is written and then refused: \(error)")
        case .success(let again):
          try require(
            StableArchiveWriter.member(of: again).bytes() == written,
            "the records change when they are read and written")
        }
      }
    }
  }

  private static func read(_ bytes: [UInt8], _ origin: ArchiveOrigin) -> Result<StableContents, ArchiveError> {
    do throws(ArchiveError) {
      return .success(try StableArchiveReader.read(Member(bytes: bytes), origin: origin))
    } catch {
      return .failure(error)
    }
  }

  private struct Member: ArchiveMembers {
    let bytes: [UInt8]

    func names() -> [String] { [StableArchiveName.records] }
    func bytes(of name: String, limit: Int) throws -> [UInt8]? { name == StableArchiveName.records ? bytes : nil }
  }
}
