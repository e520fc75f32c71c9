import FlowModel
import FlowNotices
import FlowWork
import PoolDigests
import PoolModel

/// Serialises an outcome for the same process: fields in a fixed order, each text and list after its length. The length -1
/// means nil.
struct OutcomeCodec {
  private(set) var bytes: [UInt8] = []
  private var position = 0

  /// Serialises an outcome; its pages are stored elsewhere in the file.
  ///
  /// - Returns: nil for an outcome with data that this format does not cover.
  static func bytes(of outcome: Outcome, pages: [(notice: String, position: FileRange)]) -> [UInt8]? {
    guard let account = outcome.account, let changes = account.changesSeen,
      account.record == nil || account.record is SentRoute
    else { return nil }
    var fields = OutcomeCodec()
    fields.put(outcome.result.rawValue)
    for text in [outcome.reason, outcome.detail, account.words] { fields.put(text) }
    fields.put(changes)
    fields.put(pages.count)
    for page in pages {
      fields.put(page.notice)
      for number in [page.position.start, page.position.count, page.position.unpackedSize] { fields.put(number) }
    }
    fields.put(route: account.record as? SentRoute)
    fields.put(outcome.notices.count)
    for notice in outcome.notices { fields.put(notice) }
    return fields.bytes
  }

  /// Parses an outcome that `bytes(of:pages:)` made.
  ///
  /// - Returns: nil if the bytes are not such an outcome.
  static func outcome(_ bytes: [UInt8], page: (FileRange) -> PrefetchedPage) -> Outcome? {
    var fields = OutcomeCodec()
    fields.bytes = bytes
    guard let result = fields.text().flatMap(RunOutcome.init(rawValue:)) else { return nil }
    let (reason, detail, words) = (fields.text(), fields.text(), fields.text())
    guard let changes = fields.number(), let pageCount = fields.length() else { return nil }
    var pages: [String: PrefetchedPage] = [:]
    for _ in 0..<pageCount {
      guard let notice = fields.text(), let start = fields.number(), let count = fields.number(),
        let unpackedSize = fields.number()
      else { return nil }
      pages[notice] = page(FileRange(start: start, count: count, unpackedSize: unpackedSize))
    }
    guard let hasRoute = fields.number() else { return nil }
    let route = hasRoute > 0 ? fields.route() : nil
    guard hasRoute == 0 || route != nil, let count = fields.length() else { return nil }
    var notices: [Notice] = []
    for _ in 0..<count {
      guard let notice = fields.notice() else { return nil }
      notices.append(notice)
    }
    let account = PrefetchedExplanation(words: words ?? "", changesSeen: changes, record: route, pages: pages)
    return Outcome(
      result: result, reason: reason, detail: detail, notice: notices.first, personal: Array(notices.dropFirst()),
      account: account)
  }

  // MARK: Notices and routes

  private mutating func put(_ notice: Notice) {
    for text in [
      notice.id, notice.teamName, notice.job, notice.identifier, notice.title, notice.body, notice.dataJSON,
      notice.severity.rawValue, notice.person?.text,
    ] { put(text) }
    for number in [
      notice.teamID?.number, notice.jobID?.number, notice.slot.milliseconds, notice.lateness.wholeMilliseconds,
      notice.createdAt.milliseconds, notice.expiresAt?.milliseconds,
    ] {
      put(number == nil ? 0 : 1)
      put(Int(number ?? 0))
    }
    put(notice.lines.count)
    for line in notice.lines { put(line) }
  }

  private mutating func notice() -> Notice? {
    let texts = (0..<9).map { _ in text() }
    let numbers = (0..<6).map { _ in
      let isPresent = number()
      let value = number()
      return isPresent == 1 ? value.map(Int64.init) : nil
    }
    guard let lineCount = length() else { return nil }
    var lines: [String] = []
    for _ in 0..<lineCount {
      guard let line = text() else { return nil }
      lines.append(line)
    }
    guard let id = texts[0], let teamName = texts[1], let job = texts[2], let identifier = texts[3],
      let title = texts[4], let body = texts[5], let dataJSON = texts[6],
      let severity = texts[7].flatMap(Severity.init(rawValue:)), let slot = numbers[2], let lateness = numbers[3],
      let createdAt = numbers[4]
    else { return nil }
    return Notice(
      id: id, teamID: numbers[0].map(TeamID.init), teamName: teamName, jobID: numbers[1].map(JobID.init), job: job,
      slot: Timestamp(milliseconds: slot), identifier: identifier, title: title, body: body, lines: lines,
      dataJSON: dataJSON, lateness: .milliseconds(lateness), createdAt: Timestamp(milliseconds: createdAt),
      expiresAt: numbers[5].map(Timestamp.init(milliseconds:)), severity: severity,
      person: texts[8].flatMap(PersonKey.init))
  }

  private mutating func put(route: SentRoute?) {
    put(route == nil ? 0 : 1)
    guard let route else { return }
    put(route.date.daysSince1970)
    put(route.stops.count)
    for stop in route.stops {
      for text in [stop.poolID.description, stop.customer, stop.technician] { put(text) }
    }
    put(route.currentDays.count)
    for (pool, day) in route.currentDays {
      put(pool.description)
      put(day.rawValue)
    }
  }

  private mutating func route() -> SentRoute? {
    guard let date = number(), let count = length() else { return nil }
    var stops: [SentRoute.Stop] = []
    for _ in 0..<count {
      guard let pool = text().flatMap(PoolID.init), let customer = text(), let technician = text() else { return nil }
      stops.append(SentRoute.Stop(poolID: pool, customer: customer, technician: technician))
    }
    guard let dayCount = length() else { return nil }
    var days: [PoolID: Weekday] = [:]
    for _ in 0..<dayCount {
      guard let pool = text().flatMap(PoolID.init), let day = number().flatMap(Weekday.init(rawValue:)) else {
        return nil
      }
      days[pool] = day
    }
    return SentRoute(date: CivilDate(daysSince1970: date), stops: stops, currentDays: days)
  }

  // MARK: Fields

  private mutating func put(_ number: Int) {
    withUnsafeBytes(of: Int64(number).littleEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func put(_ text: String?) {
    guard let text else { return put(-1) }
    put(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func number() -> Int? {
    guard bytes.count - position >= 8 else { return nil }
    defer { position += 8 }
    var value: UInt64 = 0
    for step in 0..<8 { value |= UInt64(bytes[position + step]) << (8 * step) }
    return Int(Int64(bitPattern: value))
  }

  /// A length of a list; nil at the end of the bytes or if negative.
  private mutating func length() -> Int? { number().flatMap { $0 < 0 ? nil : $0 } }

  /// A text; nil for a nil text and at the end of the bytes.
  private mutating func text() -> String? {
    guard let count = number(), count >= 0, count <= bytes.count - position else { return nil }
    defer { position += count }
    return String(decoding: bytes[position..<(position + count)], as: UTF8.self)
  }
}
