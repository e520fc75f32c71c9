import FlowModel
import FlowTestKit
import PoolInterchange
import PoolModel
import StableInterchange
import StableModel
import Testing

struct StableArchiveTests {
  /// An archive in memory.
  private struct Members: ArchiveMembers {
    var members: [String: [UInt8]]

    func names() -> [String] { members.keys.sorted() }
    func bytes(of name: String, limit: Int) throws -> [UInt8]? { members[name] }
  }

  private static let monday = CivilDate(year: 2026, month: 3, day: 2)

  private static var barn: StableContents {
    let ids = (1...3).map { HorseID(Samples.uuid($0)) }
    let now = Samples.mondayMorning
    var barn = StableContents(appVersion: "test", createdAt: now)
    barn.settings = BarnSettings(
      limits: BlanketLimits([14, 9.5, 4, -1, -8]) ?? .usual, intervals: [CareType.farrier: 49, .dental: nil])
    barn.horses = [
      Horse(id: ids[0], name: "Apollo", owner: "Kim \"K\" Nováková", isClipped: true, added: monday, hasPhoto: true),
      Horse(id: ids[1], name: "bella", added: monday),
    ]
    barn.schedules = [
      ids[0]: FeedSchedule(
        am: FeedMeal(grain: "2 qt oats", supplements: ["MSM", "Biotin"], medications: ["Bute 1 g, with molasses"]))
    ]
    barn.templates = [
      FeedTemplate(
        id: FeedTemplateID(Samples.uuid(50)), name: "Box rest", about: "hay\nonly",
        schedule: FeedSchedule(pm: FeedMeal(grain: "hay")), uses: 3, createdAt: now)
    ]
    barn.care = [
      CareEvent(
        id: CareEventID(Samples.uuid(60)), horseID: ids[0], type: .farrier, date: monday, notes: "front\nshoes",
        nextDue: monday.adding(days: 42), cost: Cost("120.5025"), provider: "J. Smith"),
      CareEvent(id: CareEventID(Samples.uuid(61)), horseID: ids[1], type: .vet, date: monday.adding(days: 3)),
    ]
    barn.marks = [
      FeedMark(horseID: ids[0], date: monday, slot: .am, at: now, by: "Chloe", marking: 7),
      // A mark of a removed horse, on a closed day.
      FeedMark(horseID: ids[2], date: monday.adding(days: -1), slot: .pm, at: now, by: "", marking: 6),
    ]
    barn.closedDays = [
      monday.adding(days: -1): [
        FeedRow(date: monday.adding(days: -1), horseID: ids[2], horse: "Cato", am: .missed, pm: .fed)
      ],
      monday.adding(days: -2): [],
    ]
    barn.forecasts = [
      StoredForecast(
        forecast: Forecast(
          source: .nws, place: "38.96,-77.03", issuedAt: now,
          hours: [
            ForecastHour(start: now, air: -3.3, wind: 12, probability: 40),
            ForecastHour(start: now.advanced(by: .hours(1)), air: 4, rain: 0.2),
          ]), digest: "abc", importedAt: now)
    ]
    barn.nights = [
      BlanketNight(date: monday, felt: -2.25, isWet: true, advice: [ids[0]: .heavy, ids[1]: BlanketAdvice.none])
    ]
    return barn
  }

  private static func written(_ contents: StableContents) -> Members {
    let member = StableArchiveWriter.member(of: contents)
    var members = Members(members: [member.name: member.bytes()])
    for horse in contents.horses where horse.hasPhoto { members.members[StableArchiveName.photo(of: horse.id)] = [1] }
    return members
  }

  @Test func `an archive is read back as written`() throws {
    for contents in [Self.barn, StableContents(appVersion: "", createdAt: Samples.mondayMorning)] {
      for origin in [ArchiveOrigin.anywhere, .ownBackup] {
        let members = Self.written(contents)
        #expect(StableArchiveReader.isStable(members))
        let again = try StableArchiveReader.read(members, origin: origin)
        #expect(again == contents)
        #expect(Self.written(again).members == members.members)
      }
    }
  }

  @Test func `a horse without its photo file has none, and unknown files are reported`() throws {
    var members = Self.written(Self.barn)
    members.members = members.members.filter { $0.key == StableArchiveName.records }
    members.members["notes.txt"] = []
    let read = try StableArchiveReader.read(members)
    #expect(read.photosMissing == [Self.barn.horses[0].id])
    #expect(read.horses.allSatisfy { !$0.hasPhoto })
    #expect(read.warnings == [.foreign(name: "notes.txt")])
  }

  /// The change in the text, and the expected refusal.
  private static let broken: [(String, String, String)] = [
    ("\"schemaVersion\":1", "\"schemaVersion\":2", "schemaVersion is out of range"),
    (
      "\"name\":\"Apollo\"", "\"name\":\"\(String(repeating: "N", count: 300))\"",
      "horses, record 1: name is longer than 200"
    ),
    ("\"name\":\"Apollo\"", "\"name\":\"BELLA \"", "horses, record 2: name is there already"),
    ("\"name\":\"Apollo\"", "\"name\":\" \"", "horses, record 1: name is missing"),
    ("\"added\":\"2026-03-02\"", "\"added\":\"2026-02-30\"", "added is not a date"),
    ("\"nextDue\":\"2026-04-13\"", "\"nextDue\":\"2026-03-02\"", "nextDue is not after date"),
    ("\"cost\":\"120.5025\"", "\"cost\":\"120.50255\"", "cost is out of range"),
    ("\"type\":\"vet\"", "\"type\":\"wizard\"", "type is not one of the allowed values"),
    ("\"airC\":-3.3", "\"airC\":70", "airC is out of range"),
    ("\"slot\":\"am\"", "\"slot\":\"noon\"", "slot is not one of the allowed values"),
    ("\"am\":\"missed\"", "\"am\":\"eaten\"", "am is not one of the allowed values"),
    ("\"limits\":[\"14.0\"", "\"limits\":[\"1.0\"", "limits is out of range"),
    ("\"days\":49", "\"days\":0", "days is out of range"),
    ("\"uses\":3", "\"uses\":-1", "uses is out of range"),
    ("\"horses\":[{", "\"horses\":[7,{", "horses is not an object"),
    ("\"closedDays\":[", "\"closedDays\":[true,", "closedDays is not a date"),
    ("\"care\":[", "\"care\":[],\"care\":[", "occurs twice"),
  ]

  @Test func `an archive with one invalid field is refused with the reason`() throws {
    let text = String(decoding: Self.written(Self.barn).members[StableArchiveName.records] ?? [], as: UTF8.self)
    for (old, new, sentence) in Self.broken {
      #expect(text.contains(old), "\(old)")
      let members = Members(members: [
        StableArchiveName.records: [UInt8](text.replacing(old, with: new, maxReplacements: 1).utf8)
      ])
      #expect {
        try StableArchiveReader.read(members)
      } throws: { error in
        let said = "\(error)".contains(sentence)
        if !said { Issue.record("\(new.prefix(60)): \(error)") }
        return said
      }
    }
  }

  @Test func `a record of a missing horse is refused`() throws {
    var barn = Self.barn
    barn.care[1].horseID = HorseID(Samples.uuid(99))
    #expect(throws: ArchiveError.self) { try StableArchiveReader.read(Self.written(barn)) }
    barn = Self.barn
    barn.marks[0].horseID = HorseID(Samples.uuid(99))
    #expect(throws: ArchiveError.self) { try StableArchiveReader.read(Self.written(barn)) }
  }

  @Test func `an archive with too many horses is refused`() throws {
    var barn = StableContents(appVersion: "test", createdAt: Samples.mondayMorning)
    barn.horses = (0...Limits.horsesPerTeam).map {
      Horse(id: HorseID(Samples.uuid($0 + 1)), name: "Horse \($0)", added: Self.monday)
    }
    #expect {
      try StableArchiveReader.read(Self.written(barn))
    } throws: {
      "\($0)".contains("record 2001: it is one more than the limit of 2000")
    }
    barn.horses.removeLast()
    #expect(try StableArchiveReader.read(Self.written(barn)) == barn)
  }

  @Test func `an archive truncated anywhere is refused`() throws {
    let bytes = Self.written(Self.barn).members[StableArchiveName.records] ?? []
    for length in stride(from: 0, to: bytes.count - 1, by: 7) {
      let members = Members(members: [StableArchiveName.records: Array(bytes.prefix(length))])
      #expect(throws: ArchiveError.self) { try StableArchiveReader.read(members) }
    }
  }
}
