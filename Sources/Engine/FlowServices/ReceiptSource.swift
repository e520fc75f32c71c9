package import FlowDelivery
import FlowModel
import FlowNotices
package import FlowSettings

/// The folder with the receipts of one sink's notices.
package struct ReceiptSource: Sendable {
  package let sink: String
  private let path: String
  /// The drop folder that contains it; nil for a folder elsewhere.
  package let dropFolder: String?
  /// True if the daemon creates the folder.
  package let isCreatedByDaemon: Bool
  /// True if the settings name the folder, so that its absence is worth a warning.
  package let isConfigured: Bool

  package var folder: ReceiptFolder { ReceiptFolder(path: path) }

  /// The receipt folders of all file-drop sinks.
  ///
  /// - Parameter drops: the sinks' drop folders, by sink name.
  package static func all(in sinks: [Settings.SinkSettings], drops: [String: String]) -> [ReceiptSource] {
    sinks.compactMap { sink in
      guard sink.kind == .fileDrop, let dropFolder = drops[sink.name] else { return nil }
      let beside = "\(dropFolder)/\(Receipt.folderName)"
      return switch sink.receipts {
      case .none: nil
      case .ifThere:
        ReceiptSource(
          sink: sink.name, path: beside, dropFolder: dropFolder, isCreatedByDaemon: false, isConfigured: false)
      case .beside:
        ReceiptSource(
          sink: sink.name, path: beside, dropFolder: dropFolder, isCreatedByDaemon: true, isConfigured: true)
      case .folder(let path):
        ReceiptSource(sink: sink.name, path: path, dropFolder: nil, isCreatedByDaemon: false, isConfigured: true)
      }
    }
  }

  /// True if the folder exists, so that a sender may write receipts.
  package var exists: Bool { do { return try folder.names(limit: 0) != nil } catch { return false } }
}
