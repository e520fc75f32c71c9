import PoolFuzzing
import Testing

/// The fuzzer's finds and seeds, replayed: see config/fuzz.sh.
struct ManifestCorpusTests {
  @Test func `any bytes at all are read as a manifest or refused, in time and by the laws`() throws {
    let (count, broken) = try Corpus.replay(.manifest)
    #expect(count > 0)
    #expect(broken.isEmpty, "\(broken.joined(separator: "\n"))")
  }
}
