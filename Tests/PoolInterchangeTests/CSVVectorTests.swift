import FlowModel
import Foundation
import PoolInterchange
import PoolModel
import Testing

/// The golden files `csv_headers.json`, `csv_days.json`, `csv_import.json` and the CSV files of `fixtures.json`.
struct CSVVectorTests {
  struct HeaderCase: Decodable, Sendable, CustomTestStringConvertible {
    struct Input: Decodable { var header: String }
    struct Expected: Decodable {
      var normalized: String
      var column: String?
    }
    var name: String
    var input: Input
    var expected: Expected
    var testDescription: String { name }
  }

  @Test(arguments: Fixtures.cases(HeaderCase.self, "csv_headers.json"))
  func `a header cell names the golden file's column`(_ row: HeaderCase) {
    #expect(CSVColumn.normalized(row.input.header) == row.expected.normalized)
    #expect(CSVColumn(header: row.input.header)?.rawValue == row.expected.column)
  }

  struct DayCase: Decodable, Sendable, CustomTestStringConvertible {
    struct Input: Decodable {
      var text: String
      var locale: Language
    }
    struct Expected: Decodable {
      var weekday: Int
      var recognized: Bool
    }
    var name: String
    var input: Input
    var expected: Expected
    var testDescription: String { name }
  }

  @Test(arguments: Fixtures.cases(DayCase.self, "csv_days.json"))
  func `a service day is read as in the golden file`(_ row: DayCase) {
    let day = CSVWeekday.day(row.input.text, locale: row.input.locale)
    #expect((day != nil) == row.expected.recognized)
    #expect((day ?? .monday).rawValue == row.expected.weekday)
  }

  @Test(arguments: Fixtures.cases(CSVCase.self, "csv_import.json"))
  func `a text is imported as in the golden file`(_ row: CSVCase) throws {
    let input = try #require(row.input)
    try row.expected.check(
      row.name, bytes: Array(input.text.utf8), locale: input.locale, existing: input.existing)
  }

  @Test(arguments: FixtureFile.all.filter { $0.kind == "csv" })
  func `a file is imported as in the fixtures`(_ file: FixtureFile) throws {
    let expected = try #require(file.csv)
    try expected.check(
      file.file, bytes: Fixtures.bytes("files/\(file.file)"), locale: file.locale ?? .english,
      existing: file.existing ?? [])
  }

  @Test func `every row of the golden files is read`() throws {
    func rows(_ name: String, _ key: String = "cases") throws -> Int {
      let file = try JSONSerialization.jsonObject(with: Data(contentsOf: Fixtures.url(name)))
      let rows = try #require((file as? [String: Any])?[key] as? [Any])
      #expect(!rows.isEmpty, "\(name)")
      return rows.count
    }
    #expect(Fixtures.cases(HeaderCase.self, "csv_headers.json").count == (try rows("csv_headers.json")))
    #expect(Fixtures.cases(DayCase.self, "csv_days.json").count == (try rows("csv_days.json")))
    #expect(Fixtures.cases(CSVCase.self, "csv_import.json").count == (try rows("csv_import.json")))
    #expect(FixtureFile.all.count == (try rows("files/fixtures.json", "fixtures")))
  }
}

struct CSVCase: Decodable, Sendable, CustomTestStringConvertible {
  struct Input: Decodable {
    var text: String
    var locale: Language
    var existing: [VectorPool]
  }
  var name: String
  var input: Input?
  var expected: CSVExpectation
  var testDescription: String { name }
}

/// The expected result of one import: a plan, or the reason for refusing the file.
struct CSVExpectation: Decodable, Sendable {
  struct Issue: Decodable, Hashable {
    var row: Int
    var severity: String
    var field: String
  }
  enum Value: Decodable, Equatable {
    case number(Int)
    case texts([String])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Int.self) {
        self = .number(number)
      } else {
        self = .texts(try container.decode([String].self))
      }
    }
  }
  var error: String?
  var value: Value?
  var encoding: String?
  var delimiter: String?
  var creates: Int?
  var updates: Int?
  var skips: Int?
  var issues: [Issue]?
  var pools: [VectorPool]?
  var poolCount: Int?
  var lastPool: VectorPool?

  func check(_ name: String, bytes: [UInt8], locale: Language, existing: [VectorPool]) throws {
    let ids = CountedIDs()
    let pools = try existing.map { try $0.pool(ids.make()) }
    let outcome = Result<CSVTable, CSVError> { () throws(CSVError) in try CSVImport.read(bytes: bytes, locale: locale) }
    let table: CSVTable
    switch outcome {
    case .failure(let failure):
      #expect(word(failure) == error)
      #expect(detail(failure) == value)
      return
    case .success(let read): table = read
    }
    #expect(error == nil)
    let plan = CSVImport.plan(
      table, existing: pools, now: Timestamp(seconds: 1_800_000_000), makeID: { _ in ids.make() })
    #expect(String(plan.delimiter.rawValue) == delimiter)
    if let encoding { #expect(plan.encoding.rawValue == encoding) }
    #expect(plan.creates == creates)
    #expect(plan.updates == updates)
    #expect(plan.skips == skips)
    #expect(
      plan.issues.map { Issue(row: $0.row, severity: $0.severity.rawValue, field: $0.field.rawValue) } == issues)
    let result = plan.pools.map { VectorPool($0) }
    if let expected = self.pools { #expect(result == expected) }
    if let poolCount { #expect(result.count == poolCount) }
    if let lastPool { #expect(result.last == lastPool) }
    #expect(plan.createdIDs.count == plan.creates)
    #expect(Set(plan.pools.map(\.id)).count == plan.pools.count)
  }

  private func word(_ error: CSVError) -> String {
    switch error {
    case .unreadableTextFile: "unreadableTextFile"
    case .missingRequiredColumns: "missingRequiredColumns"
    case .rowLimitExceeded: "rowLimitExceeded"
    case .tooLarge, .tooManyColumns, .unterminatedQuote: "not in the vectors: \(error)"
    }
  }

  private func detail(_ error: CSVError) -> Value? {
    switch error {
    case .missingRequiredColumns(let columns): .texts(columns.map(\.rawValue))
    case .rowLimitExceeded(let limit): .number(limit)
    default: nil
    }
  }
}

/// One entry of `files/fixtures.json`.
struct FixtureFile: Decodable, Sendable, CustomTestStringConvertible {
  var file: String
  var kind: String
  var locale: Language?
  var existing: [VectorPool]?
  /// Set for CSV files.
  var csv: CSVExpectation?
  /// Set for archives.
  var backup: BackupExpectation?
  var testDescription: String { file }

  private enum Key: CodingKey { case file, kind, locale, existing, expected }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    file = try container.decode(String.self, forKey: .file)
    kind = try container.decode(String.self, forKey: .kind)
    locale = try container.decodeIfPresent(Language.self, forKey: .locale)
    existing = try container.decodeIfPresent([VectorPool].self, forKey: .existing)
    if kind == "csv" { csv = try container.decode(CSVExpectation.self, forKey: .expected) }
    if kind == "backup" { backup = try container.decode(BackupExpectation.self, forKey: .expected) }
  }

  static let all: [FixtureFile] = {
    struct File: Decodable { var fixtures: [FixtureFile] }
    do { return try Fixtures.decode(File.self, "files/fixtures.json").fixtures } catch {
      print("fixtures.json: \(error)")
      return []
    }
  }()
}
