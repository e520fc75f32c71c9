import FlowFuzzing
import Testing

/// Replays the fuzzer's findings and seeds; see config/fuzz.sh.
struct ZIPCorpusTests {
  @Test(arguments: [FuzzInput.zip])
  func `every corpus input is read or refused in time`(input: FuzzInput) throws {
    let (count, broken) = try Corpus.replay(input)
    #expect(count > 0)
    #expect(broken.isEmpty, "\(broken.joined(separator: "\n"))")
  }
}
