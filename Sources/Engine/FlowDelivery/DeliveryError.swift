package import FlowModel
internal import Glibc

/// The reasons why a notice could not be delivered to its sink. Each case holds facts; `description` is the sentence for the
/// operator.
package enum DeliveryError: Error, Hashable, Sendable {
  /// The operation on a file, folder or descriptor that failed; its raw value is a verb for the message.
  package enum Operation: String, Sendable {
    case open, create, write, sync, close, read, move, remove, list, examine, connect, send
  }

  // Failures of the drop folder as a whole.
  case folderMissing(path: String)
  case notAFolder(path: String)
  case folderReplaced(path: String)
  case stagingLost(path: String, waiting: Int)
  case differentFileSystems(staging: String, new: String)
  /// An operation on a folder or file failed with `code`, an errno.
  case file(Operation, path: String, code: Int32)

  case folderFull(path: String, files: Int, limit: Int)
  case diskSlow(path: String, timeBudget: Duration)

  /// The sink's disk or server did not answer within `limit`; the thread that called it may still be blocked.
  case timedOut(sink: String, limit: Duration)

  // Failures of one published page, while the other pages are written.
  /// `path` is occupied: `found` and `wanted` are kinds of file, such as `a folder`.
  case pathOccupied(path: String, found: String, wanted: String)
  /// Another program replaced the file at `path` while poolflow wrote it.
  case replacedWhileWriting(path: String)
  /// A folder of withdrawn pages also holds `item`, which poolflow did not write.
  case withdrawnFolderNotEmpty(path: String, item: String)
  /// A failure with the pages of `owner`, a person and team as text.
  indirect case page(owner: String, DeliveryError)

  // Failures of one notice.
  case nameTaken(path: String)
  case unsafeName(notice: String)
  case invalidDetails(notice: String)
  case expired(notice: String, at: Timestamp)

  // Failures of standard output.
  case outputClosed(sink: String)
  case outputBlocked(sink: String, maxWait: Duration)
  case output(sink: String, code: Int32)

  // Failures of the journal.
  case journalAbsent(path: String)
  case journalBusy(path: String)
  case journal(Operation, path: String, code: Int32)

  // A failed database call; `sentence` is its error message.
  case store(sink: String, sentence: String)
}

extension DeliveryError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .folderMissing(let path):
      "the folder '\(path)' does not exist; create it, or correct Directory= of this sink"
    case .notAFolder(let path):
      "'\(path)' is not a folder of its own (a file or a symbolic link); put a real folder there"
    case .folderReplaced(let path):
      "the folder '\(path)' was replaced while in use; it is opened again at the next try"
    case .stagingLost(let path, let waiting):
      "'\(path)' is gone with \(waiting) undelivered notice(s) in it; restore it (is a disk not mounted?), "
        + "or create it empty to count them as delivered"
    case .differentFileSystems(let staging, let new):
      "'\(staging)' and '\(new)' are on different file systems, so files cannot be renamed between them; "
        + "put both on one"
    case .folderFull(let path, let files, let limit):
      "'\(path)' holds \(files) files that were not collected (MaxFiles= is \(limit)); see why its consumer stopped"
    case .diskSlow(let path, let timeBudget):
      "the disk under '\(path)' was too slow for a whole batch within \(timeBudget.wholeMilliseconds) ms; "
        + "the rest follows"
    case .file(let operation, let path, let code):
      "cannot \(operation.rawValue) '\(path)': \(systemMessage(code))\(advice(code))"
    case .timedOut(let sink, let limit):
      "the sink '\(sink)' did not answer within \(limit.wholeMilliseconds / 1_000) s (Timeout=); "
        + "check whether its disk or server still answers"
    case .pathOccupied(let path, let found, let wanted):
      "'\(path)' is \(found), but must be \(wanted); move it away"
    case .replacedWhileWriting(let path):
      "'\(path)' was replaced while the daemon wrote it; find out which other program writes there"
    case .withdrawnFolderNotEmpty(let path, let item):
      "'\(path)/\(visible(item))' was not made by poolflow; the pages next to it are removed; move it out of the folder that "
        + "`pfctl publish list` does not show"
    case .page(let owner, let error):
      "pages of \(owner): \(error)"
    case .nameTaken(let path):
      "'\(path)' already exists with other contents; nothing was overwritten; move that file away and retry"
    case .unsafeName(let notice):
      "the notice id '\(visible(notice))' cannot name a file; this is a bug, please report it"
    case .invalidDetails(let notice):
      "the details of notice '\(visible(notice))' are not one JSON object; this is a bug, please report it"
    case .expired(let notice, let at):
      "notice '\(visible(notice))' expired at \(at) before it could be delivered"
    case .outputClosed(let sink):
      "the reader of sink '\(sink)' closed its output (broken pipe); restart the daemon with a reader"
    case .outputBlocked(let sink, let maxWait):
      "the reader of sink '\(sink)' read nothing for \(maxWait.wholeMilliseconds) ms; see why it stopped reading"
    case .output(let sink, let code):
      "cannot write to the output of sink '\(sink)': \(systemMessage(code))\(advice(code))"
    case .journalAbsent(let path):
      "there is no journal at '\(path)'; start systemd-journald, or remove this sink"
    case .journalBusy(let path):
      "the journal at '\(path)' accepts no messages (its queue is full); check whether systemd-journald is stopped"
    case .journal(let operation, let path, let code):
      "cannot \(operation.rawValue) '\(path)': \(systemMessage(code))\(advice(code))"
    case .store(let sink, let sentence):
      "the store could not be used for sink '\(sink)': \(sentence)"
    }
  }
}

extension [DeliveryError] {
  /// The first `Limits.unwrittenPagesListed` errors in one sentence, followed by the number of further ones.
  package var summarySentence: String {
    let more = count - Limits.unwrittenPagesListed
    return prefix(Limits.unwrittenPagesListed).map(\.description).joined(separator: "; ")
      + (more > 0 ? "; and \(more) more" : "")
  }
}

/// Returns the system's message for an errno, with the number.
private func systemMessage(_ code: Int32) -> String {
  // glibc keeps the buffer of `strerror` per thread, so this is thread-safe.
  "\(String(cString: strerror(code)).lowercased()) (errno \(code))"
}

/// Returns what the operator can do about an errno, as an end of the sentence; empty if nothing is known.
private func advice(_ code: Int32) -> String {
  switch code {
  case ENOSPC, EDQUOT: "; free some space"
  case EROFS: "; mount the file system writable"
  case EACCES, EPERM: "; give the daemon's user access"
  case EIO: "; check the disk"
  case EMFILE, ENFILE: "; raise LimitNOFILE="
  default: ""
  }
}
