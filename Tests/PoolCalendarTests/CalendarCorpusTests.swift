import PoolFuzzing
import Testing

/// The fuzzer's finds and seeds, replayed: see config/fuzz.sh.
struct CalendarCorpusTests {
  @Test(arguments: [FuzzInput.calendarExpression, .iCalendar, .tzif])
  func `any bytes at all are read or refused, in time and by the laws`(input: FuzzInput) throws {
    let (count, broken) = try Corpus.replay(input)
    #expect(count > 0)
    #expect(broken.isEmpty, "\(broken.joined(separator: "\n"))")
  }
}
