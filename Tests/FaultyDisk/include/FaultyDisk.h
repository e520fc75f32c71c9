#ifndef POOLFLOW_FAULTY_DISK_H
#define POOLFLOW_FAULTY_DISK_H

#include <stdbool.h>
#include <stdint.h>

// A SQLite VFS that injects faults: after a simulated power failure, unsynced writes may be lost, sector by sector and in
// any order. It wraps SQLite's default VFS for the whole process; the files are real.

/// Registers the VFS as the default one. Further calls have no effect.
/// - Returns: true on success.
bool faulty_disk_register(void);

/// The effect of a failing write.
enum faulty_disk_kind {
  faulty_disk_error = 0, ///< Writes nothing.
  faulty_disk_short = 1, ///< Writes half.
  faulty_disk_full = 2,  ///< Writes nothing: the disk is full.
  faulty_disk_off = 3,   ///< Writes half; all further calls fail until `faulty_disk_lose_power`.
};

/// Lets `calls` more writes, syncs or truncations succeed and the next `times` fail.
void faulty_disk_fail(int calls, int times, enum faulty_disk_kind kind);

/// Cancels the planned failures; a disk that is off stays off.
void faulty_disk_mend(void);

bool faulty_disk_is_off(void);

/// The number of injected failures so far.
int64_t faulty_disk_failures(void);

/// Simulates a power failure: files whose path begins with `prefix` lose a random part of their unsynced changes, and open
/// handles become invalid, as for a process that ended.
/// - Returns: the number of changes lost completely or partly; -1 if a file could not be rewritten.
int faulty_disk_lose_power(const char *prefix, uint64_t seed);

/// Drops the state of files whose path begins with `prefix`, after their removal.
void faulty_disk_forget(const char *prefix);

#endif
