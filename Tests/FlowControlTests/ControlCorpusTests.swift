import FlowFuzzing
import Testing

/// Replays the fuzzer's findings and seeds; see config/fuzz.sh.
struct ControlCorpusTests {
  @Test(arguments: [FuzzInput.control])
  func `every corpus input is parsed as calls or refused in time`(input: FuzzInput) throws {
    let (count, broken) = try Corpus.replay(input)
    #expect(count > 0)
    #expect(broken.isEmpty, "\(broken.joined(separator: "\n"))")
  }
}
