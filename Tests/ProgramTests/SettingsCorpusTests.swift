import FlowFuzzing
import Testing

/// Replays the fuzzer's corpus of settings; see config/fuzz.sh.
struct SettingsCorpusTests {
  @Test(arguments: [FuzzInput.settings])
  func `every input of the settings corpus is read or refused, within invariants`(input: FuzzInput) throws {
    let (count, broken) = try Corpus.replay(input)
    #expect(count > 0)
    #expect(broken.isEmpty, "\(broken.joined(separator: "\n"))")
  }
}
