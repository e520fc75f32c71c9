package import FlowBackup
package import FlowModel
package import FlowNotices
import FoundationEssentials

extension Limits {
  /// Maximum bytes of a photo embedded in a report; as base64 it takes 7 of the 16 MiB that a reply may have.
  static let reportPhotoBytes = 5 << 20
}

extension PhotoStore {
  /// A photo for a report, or the reason why the report cannot show it.
  package func shown<Entity>(of record: EntityID<Entity>, team: TeamID) async -> ReportPhoto {
    // Errors are not passed on: a report that mentions its missing photo is better than no report.
    guard let (bytes, size) = try? await bytes(of: record, team: team, upTo: Limits.reportPhotoBytes) else {
      return .unreadable
    }
    guard size <= Limits.reportPhotoBytes else { return .tooLarge(bytes: size) }
    guard let kind = PhotoKind(bytes[...]) else { return .unreadable }
    if kind == .heic { return .otherFormat("HEIC") }
    return .shown("data:image/\(kind == .jpeg ? "jpeg" : kind.rawValue);base64,\(Data(bytes).base64EncodedString())")
  }
}
