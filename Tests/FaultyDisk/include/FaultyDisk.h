#ifndef POOLFLOW_FAULTY_DISK_H
#define POOLFLOW_FAULTY_DISK_H

#include <stdbool.h>
#include <stdint.h>

// A disk below SQLite that fails as a test says: what was written and not synced may be lost, sector by sector and in any
// order, when its power fails. It stands before SQLite's own files, for the whole process; the files are real ones.

/// Stands before SQLite's own disk from here on, also for connections that name none. Once is enough.
/// - Returns: whether SQLite took it.
bool faulty_disk_register(void);

/// What a write does that fails.
enum faulty_disk_kind {
  faulty_disk_error = 0, ///< Nothing of it is written.
  faulty_disk_short = 1, ///< Half of it is written.
  faulty_disk_full = 2,  ///< Nothing of it is written, for want of room.
  faulty_disk_off = 3,   ///< Half of it is written, and from then on nothing works until `faulty_disk_lose_power`.
};

/// The write, sync or truncation after `calls` further ones fails, and `times - 1` after it.
void faulty_disk_fail(int calls, int times, enum faulty_disk_kind kind);

/// Nothing fails from here on, but for a disk that is off.
void faulty_disk_mend(void);

bool faulty_disk_is_off(void);

/// How many calls have failed as they were told to.
int64_t faulty_disk_failures(void);

/// The power fails and comes back: of all files whose path begins with `prefix`, some of what was not synced is gone. Whoever
/// had one of them open has lost it, as a process has that ended.
/// - Returns: how many writes were lost, in whole or in part; -1 where a file could not be made anew.
int faulty_disk_lose_power(const char *prefix, uint64_t seed);

/// Forgets what it knows of files whose path begins with `prefix`: they are gone.
void faulty_disk_forget(const char *prefix);

#endif
