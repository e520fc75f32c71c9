package import FlowBackup
import FlowModel
import FlowNotices
import FlowStore
import PoolDigests
import PoolInterchange
import PoolStore

extension ImportRefusal {
  /// A refusal in the language of the file's team; its log entry is in English.
  init(for team: Team, _ text: (RefusalTexts) -> String) {
    self.init(description: text(RefusalTexts(team.language)), logged: text(RefusalTexts(.english)))
  }

  /// The refusal of named columns for a file that is no list of customers.
  package static func mapNotHere(_ request: ImportRequest) -> ImportRefusal {
    ImportRefusal(for: request.team) { $0.refusal(of: request.name, $0.mapNotHere) }
  }

  /// The refusal of a file that is no list of customers as a list of profiles.
  package static func profilesNotHere(_ request: ImportRequest) -> ImportRefusal {
    ImportRefusal(for: request.team) { $0.refusal(of: request.name, $0.profilesNotHere) }
  }
}

/// The texts for a refused file, in one language. Technical details of a damaged archive, such as a position in the file, are
/// always English.
struct RefusalTexts {
  private let phrases: PhraseBook
  private let language: Language

  init(_ language: Language) {
    self.language = language
    phrases = language.phrases
  }

  /// - Parameter name: the user's name for the file.
  /// - Parameter why: the reason, as a sentence.
  func refusal(of name: String, _ why: String) -> String { phrases.fileRefused(name, why) }

  // MARK: Customers files

  /// The refusal of a customers file. If required columns are missing, it also lists the headings of the first row.
  func refusal(of name: String, _ error: CSVError, headings: [String]) -> String {
    guard case .missingRequiredColumns(let columns) = error, !headings.isEmpty else {
      return refusal(of: name, text(of: error))
    }
    let options = columns.map { "--map 'THEIR HEADING=\($0.rawValue)'" }.joined(separator: " ")
    return phrases.fileRefusedHeadings(name, text(of: error), CSVHeader.list(headings), options)
  }

  func text(of error: CSVError) -> String {
    switch error {
    case .unreadableTextFile: phrases.fileEncoding()
    case .missingRequiredColumns(let columns):
      columns.count > 1
        ? phrases.fileNoColumns("'\(columns[0].rawValue)'", "'\(columns[1].rawValue)'")
        : phrases.fileNoColumn("'\(columns.first?.rawValue ?? "")'")
    case .rowLimitExceeded(let limit): phrases.fileTooManyRows(String(limit))
    case .tooLarge(let bytes, let limit): phrases.fileTooLarge(sizeText(bytes), sizeText(limit))
    case .tooManyColumns(let count, let limit): phrases.fileTooManyColumns(String(count), String(limit))
    case .unterminatedQuote(let row): phrases.fileOpenQuote(String(row))
    }
  }

  func text(of error: CSVMapError) -> String {
    switch error {
    case .noPair(let text): phrases.fileMapNoPair(text)
    case .unknownColumn(let name):
      phrases.fileMapUnknownColumn(name, CSVColumn.allCases.map(\.rawValue).joined(separator: ", "))
    case .columnTwice(let column): phrases.fileMapColumnTwice(column.rawValue)
    case .headingTwice(let heading): phrases.fileMapHeadingTwice(heading)
    case .unknownHeading(let heading, let headings):
      phrases.fileMapUnknownHeading(heading, CSVHeader.list(headings))
    }
  }

  var mapNotHere: String { phrases.fileMapNotHere() }
  var profilesNotHere: String { phrases.fileProfilesNotHere() }

  // MARK: Archives

  /// The reason for an archive of a stable that was sent to a pool service team.
  func archiveOfStable(_ team: Team) -> String { phrases.archiveOfStable(team.name) }

  /// - Parameter error: an error from opening or reading an archive.
  func text(ofArchive error: any Error) -> String {
    guard let error = error as? ArchiveError else { return "\(error)" }
    switch error {
    case .missingManifest: return phrases.archiveNoManifest()
    case .unsupportedSchemaVersion(let version): return phrases.archiveVersion(String(version))
    case .missingRequiredFile(let name): return phrases.archiveFileMissing(name)
    case .invalidReference(let references, let total):
      return phrases.archiveReferences(ArchiveError.list(references, of: total))
    case .unreadableArchive(let damage): return phrases.archiveDamaged("\(damage)")
    }
  }

  /// The refusal of an archive that would delete or revert records changed here.
  func refusal(replacing changes: ArchiveChanges, by name: String) -> String {
    let slips: [(PluralSentence, Int)] = [
      (phrases.archiveLosesVisits, changes.visitsLost), (phrases.archiveRevertsVisits, changes.visitsReverted),
      (phrases.archiveLosesPools, changes.poolsLost), (phrases.archiveRevertsPools, changes.poolsReverted),
    ]
    let texts = slips.filter { $0.1 > 0 }.map { sentence, count in
      sentence.form(language.pluralClass(of: count)).filled([String(count)])
    }
    let why = texts.dropFirst().reduce(texts.first ?? "") { phrases.archiveAnd($0, $1) }
    return phrases.archiveLosesWork(
      name, why, String(changes.poolsCreated), String(changes.poolsUpdated), String(changes.poolsDeleted))
  }
}
