package import FlowModel
package import FlowStore
import PoolModel

extension StoreSnapshot {
  package func archiveParts(of team: TeamID) throws(StoreError) -> [ArchivePart] {
    try connection.archiveParts(of: team)
  }

  package func records(of part: ArchivePart, team: TeamID) throws(StoreError) -> ArchivePartRecords {
    try connection.records(of: part, team: team)
  }
}
