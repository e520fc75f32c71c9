package import FlowModel

extension Limits {
  /// The uncompressed bytes of an archive entry above which `archiveRatio` is checked.
  package static let archiveRatioFrom = 32 << 20
  /// The largest compression ratio of such an entry, against ZIP bombs.
  static let archiveRatio = 100
  /// Maximum entries of one archive: 100,000 photos, plus the record files.
  static let archiveEntries = 100_016
  /// Arenas of the allocator: one per processor of a small machine, which avoids most lock contention.
  static let memoryArenas = 2
  /// The allocation size from which memory is mapped separately and returned to the system when freed. By default the
  /// allocator raises this threshold to the largest block ever freed, and would then keep most of the memory used to read ten
  /// thousand teams' jobs.
  static let mappedAllocationBytes = 1 << 18
  /// Disk space reserved for the store with a placeholder file: SQLite's shared memory of 32 KiB, some commits of a start,
  /// and the growth of the file at a checkpoint.
  package static let reserveBytes = 1 << 20
}
