/// An archive to be restored.
package struct ArchiveToRestore: Sendable {
  package let path: String
  /// The user's name for the file, for messages.
  package let name: String
  /// The technician whose records it holds; nil if the archive says whose they are.
  package let technician: String?
  /// True if its records belong to that technician alone.
  package let isOwn: Bool
  /// True if it is from a verified backup of this store, false for an external file.
  package let isFromOwnBackup: Bool

  package init(path: String, name: String, technician: String?, isOwn: Bool, isFromOwnBackup: Bool) {
    self.path = path
    self.name = name
    self.technician = technician
    self.isOwn = isOwn
    self.isFromOwnBackup = isFromOwnBackup
  }
}
