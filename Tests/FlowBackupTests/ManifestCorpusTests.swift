import FlowFuzzing
import Testing

/// Replays the fuzzer's findings and seeds; see config/fuzz.sh.
struct ManifestCorpusTests {
  @Test func `every corpus input is parsed as a manifest or refused in time`() throws {
    let (count, broken) = try Corpus.replay(.manifest)
    #expect(count > 0)
    #expect(broken.isEmpty, "\(broken.joined(separator: "\n"))")
  }
}
