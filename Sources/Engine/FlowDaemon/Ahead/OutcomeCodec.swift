import FlowModel
import FlowNotices
import FlowStore
import FlowWork

/// Serialises outcomes for the same process.
struct OutcomeCodec: Sendable {
  let trades: StoreTrades

  /// Serialises an outcome; its pages are stored elsewhere in the file.
  ///
  /// - Returns: nil for an outcome with data that this format does not cover.
  func bytes(of outcome: Outcome, pages: [(notice: String, position: FileRange)]) -> [UInt8]? {
    guard let account = outcome.account, let changes = account.changesSeen else { return nil }
    var fields = ByteFields()
    fields.put(outcome.result.rawValue)
    for text in [outcome.reason, outcome.detail, account.words] { fields.put(text) }
    fields.put(changes)
    fields.put(pages.count)
    for page in pages {
      fields.put(page.notice)
      for number in [page.position.start, page.position.count, page.position.unpackedSize] { fields.put(number) }
    }
    fields.put(account.record == nil ? 0 : 1)
    if let record = account.record, !trades.write(record, to: &fields) { return nil }
    fields.put(outcome.notices.count)
    for notice in outcome.notices { fields.put(notice) }
    return fields.bytes
  }

  /// Parses an outcome that `bytes(of:pages:)` made.
  ///
  /// - Returns: nil if the bytes are not such an outcome.
  func outcome(_ bytes: [UInt8], page: (FileRange) -> PrefetchedPage) -> Outcome? {
    var fields = ByteFields(bytes)
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
    guard let hasRecord = fields.number() else { return nil }
    let record = hasRecord > 0 ? trades.record(from: &fields) : nil
    guard hasRecord == 0 || record != nil, let count = fields.length() else { return nil }
    var notices: [Notice] = []
    for _ in 0..<count {
      guard let notice = fields.notice() else { return nil }
      notices.append(notice)
    }
    let account = PrefetchedExplanation(words: words ?? "", changesSeen: changes, record: record, pages: pages)
    return Outcome(
      result: result, reason: reason, detail: detail, notice: notices.first, personal: Array(notices.dropFirst()),
      account: account)
  }
}

extension ByteFields {
  fileprivate mutating func put(_ notice: Notice) {
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

  fileprivate mutating func notice() -> Notice? {
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
}
