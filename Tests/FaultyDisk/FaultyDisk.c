#include "FaultyDisk.h"

#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { sector = 512 };

/// An unsynced change of a file: a write, or a truncation if `bytes` is NULL.
struct change {
  int64_t offset, size_before;
  int length;             ///< The length of the new bytes.
  int64_t length_before;  ///< The length of the replaced bytes.
  unsigned char *bytes, *before;
  struct change *next;
};

/// The state of a file, open or not.
struct known {
  char *path;
  struct change *newest;
  int users;          ///< The number of open handles.
  bool is_forgotten;  ///< Freed when the last handle closes.
  struct known *next;
};

struct file {
  sqlite3_file base;
  struct known *known;
  int life;
  bool writes;
  sqlite3_file *real;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sqlite3_vfs *below;
static struct known *all;
static int life, calls_left = -1, times_left;
static enum faulty_disk_kind kind;
static bool is_off;
static int64_t failures;

static void *taken(void *memory) {
  if (!memory) abort();
  return memory;
}

static struct known *known_file(const char *path) {
  for (struct known *known = all; known; known = known->next)
    if (!known->is_forgotten && strcmp(known->path, path) == 0) return known;
  struct known *known = taken(calloc(1, sizeof *known));
  known->path = taken(strdup(path));
  known->next = all;
  return all = known;
}

static void forget_changes(struct known *known) {
  while (known->newest) {
    struct change *change = known->newest;
    known->newest = change->next;
    free(change->bytes);
    free(change->before);
    free(change);
  }
}

/// Frees forgotten files without open handles; the caller holds the lock.
static void sweep(void) {
  for (struct known **place = &all; *place;) {
    struct known *known = *place;
    if (!known->is_forgotten || known->users > 0) {
      place = &known->next;
      continue;
    }
    *place = known->next;
    forget_changes(known);
    free(known->path);
    free(known);
  }
}

static bool is_dead(struct file *file) { return file->life != life || is_off; }

/// Whether this call has to fail; the caller holds the lock.
static bool fails(struct file *file) {
  if (!file->writes || calls_left < 0) return false;
  if (calls_left > 0) {
    calls_left--;
    return false;
  }
  failures++;
  if (kind == faulty_disk_off) {
    is_off = true;
    calls_left = -1;
  } else if (--times_left <= 0) {
    calls_left = -1;
  }
  return true;
}

/// Records a change before it is made; the caller holds the lock.
static void note(struct file *file, const void *bytes, int length, int64_t offset) {
  if (!file->known) return;
  sqlite3_int64 size = 0;
  if (file->real->pMethods->xFileSize(file->real, &size) != SQLITE_OK) return;
  struct change *change = taken(calloc(1, sizeof *change));
  change->offset = offset;
  change->size_before = size;
  change->length = length;
  int64_t there = size > offset ? size - offset : 0;
  change->length_before = bytes && there > length ? length : there;
  if (change->length_before > 0) {
    change->before = taken(malloc(change->length_before));
    file->real->pMethods->xRead(file->real, change->before, (int)change->length_before, offset);
  }
  if (bytes) {
    change->bytes = taken(malloc(length));
    memcpy(change->bytes, bytes, length);
  }
  change->next = file->known->newest;
  file->known->newest = change;
}

// MARK: What SQLite calls

static int disk_close(sqlite3_file *opaque) {
  struct file *file = (struct file *)opaque;
  int code = file->real->pMethods ? file->real->pMethods->xClose(file->real) : SQLITE_OK;
  free(file->real);
  pthread_mutex_lock(&lock);
  if (file->known && --file->known->users == 0 && file->known->is_forgotten) sweep();
  pthread_mutex_unlock(&lock);
  return code;
}

static int disk_read(sqlite3_file *opaque, void *bytes, int length, sqlite3_int64 offset) {
  struct file *file = (struct file *)opaque;
  if (is_dead(file)) return SQLITE_IOERR_READ;
  return file->real->pMethods->xRead(file->real, bytes, length, offset);
}

static int disk_write(sqlite3_file *opaque, const void *bytes, int length, sqlite3_int64 offset) {
  struct file *file = (struct file *)opaque;
  pthread_mutex_lock(&lock);
  int code = SQLITE_IOERR_WRITE;
  if (!is_dead(file)) {
    bool failing = fails(file);
    int written = !failing ? length : kind == faulty_disk_short || kind == faulty_disk_off ? length / 2 : 0;
    if (written > 0) {
      note(file, bytes, written, offset);
      code = file->real->pMethods->xWrite(file->real, bytes, written, offset);
    }
    if (failing) code = kind == faulty_disk_full ? SQLITE_FULL : SQLITE_IOERR_WRITE;
  }
  pthread_mutex_unlock(&lock);
  return code;
}

static int disk_truncate(sqlite3_file *opaque, sqlite3_int64 size) {
  struct file *file = (struct file *)opaque;
  pthread_mutex_lock(&lock);
  int code = SQLITE_IOERR_TRUNCATE;
  if (!is_dead(file) && !fails(file)) {
    note(file, NULL, 0, size);
    code = file->real->pMethods->xTruncate(file->real, size);
  }
  pthread_mutex_unlock(&lock);
  return code;
}

static int disk_sync(sqlite3_file *opaque, int flags) {
  struct file *file = (struct file *)opaque;
  pthread_mutex_lock(&lock);
  int code = SQLITE_IOERR_FSYNC;
  if (!is_dead(file) && !fails(file)) {
    // The real files are in memory, so a sync is only recorded here.
    (void)flags;
    if (file->known) forget_changes(file->known);
    code = SQLITE_OK;
  }
  pthread_mutex_unlock(&lock);
  return code;
}

static int disk_size(sqlite3_file *opaque, sqlite3_int64 *size) {
  struct file *file = (struct file *)opaque;
  return is_dead(file) ? SQLITE_IOERR_FSTAT : file->real->pMethods->xFileSize(file->real, size);
}

// A dead process gets no lock, so that SQLite's cleanup of it checkpoints nothing.
static int disk_lock(sqlite3_file *opaque, int how) {
  struct file *file = (struct file *)opaque;
  return is_dead(file) ? SQLITE_IOERR_LOCK : file->real->pMethods->xLock(file->real, how);
}

static int disk_unlock(sqlite3_file *opaque, int how) {
  struct file *file = (struct file *)opaque;
  return file->real->pMethods->xUnlock(file->real, how);
}

static int disk_is_reserved(sqlite3_file *opaque, int *is) {
  struct file *file = (struct file *)opaque;
  return file->real->pMethods->xCheckReservedLock(file->real, is);
}

static int disk_control(sqlite3_file *opaque, int operation, void *argument) {
  struct file *file = (struct file *)opaque;
  return file->real->pMethods->xFileControl(file->real, operation, argument);
}

static int disk_sector(sqlite3_file *opaque) {
  struct file *file = (struct file *)opaque;
  return file->real->pMethods->xSectorSize(file->real);
}

static int disk_traits(sqlite3_file *opaque) {
  struct file *file = (struct file *)opaque;
  // SQLite may rely only on writes not damaging adjacent bytes.
  return file->real->pMethods->xDeviceCharacteristics(file->real) & SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

static int disk_share(sqlite3_file *opaque, int page, int size, int extend, void volatile **memory) {
  struct file *file = (struct file *)opaque;
  if (is_dead(file)) return SQLITE_IOERR_SHMMAP;
  return file->real->pMethods->xShmMap(file->real, page, size, extend, memory);
}

static int disk_share_lock(sqlite3_file *opaque, int offset, int count, int flags) {
  struct file *file = (struct file *)opaque;
  if (is_dead(file) && flags & SQLITE_SHM_LOCK) return SQLITE_IOERR_SHMLOCK;
  return file->real->pMethods->xShmLock(file->real, offset, count, flags);
}

static void disk_share_barrier(sqlite3_file *opaque) {
  struct file *file = (struct file *)opaque;
  file->real->pMethods->xShmBarrier(file->real);
}

static int disk_share_end(sqlite3_file *opaque, int removes) {
  struct file *file = (struct file *)opaque;
  return file->real->pMethods->xShmUnmap(file->real, removes && !is_dead(file));
}

static const sqlite3_io_methods methods = {
    2,           disk_close,  disk_read,       disk_write,     disk_truncate,      disk_sync,      disk_size,
    disk_lock,   disk_unlock, disk_is_reserved, disk_control,  disk_sector,        disk_traits,    disk_share,
    disk_share_lock, disk_share_barrier, disk_share_end, NULL, NULL};

static int disk_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *opaque, int flags, int *flags_out) {
  (void)vfs;
  struct file *file = (struct file *)opaque;
  memset(file, 0, sizeof *file);
  pthread_mutex_lock(&lock);
  bool off = is_off;
  file->life = life;
  if (name && !(flags & SQLITE_OPEN_DELETEONCLOSE)) file->known = known_file(name);
  pthread_mutex_unlock(&lock);
  if (off) return SQLITE_CANTOPEN;
  file->writes = file->known && !(flags & SQLITE_OPEN_READONLY);
  file->real = taken(calloc(1, below->szOsFile));
  int code = below->xOpen(below, name, file->real, flags, flags_out);
  if (code != SQLITE_OK) {
    free(file->real);
    return code;
  }
  pthread_mutex_lock(&lock);
  if (file->known) file->known->users++;
  pthread_mutex_unlock(&lock);
  file->base.pMethods = &methods;
  return SQLITE_OK;
}

static int disk_delete(sqlite3_vfs *vfs, const char *name, int sync) {
  (void)vfs;
  pthread_mutex_lock(&lock);
  bool off = is_off;
  if (!off) forget_changes(known_file(name));
  pthread_mutex_unlock(&lock);
  return off ? SQLITE_IOERR_DELETE : below->xDelete(below, name, sync);
}

bool faulty_disk_register(void) {
  static sqlite3_vfs disk;
  if (below) return true;
  below = sqlite3_vfs_find(NULL);
  if (!below) return false;
  disk = *below;
  disk.zName = "faulty-disk";
  disk.szOsFile = sizeof(struct file);
  disk.pNext = NULL;
  disk.xOpen = disk_open;
  disk.xDelete = disk_delete;
  return sqlite3_vfs_register(&disk, 1) == SQLITE_OK;
}

// MARK: What a test says

void faulty_disk_fail(int calls, int times, enum faulty_disk_kind how) {
  pthread_mutex_lock(&lock);
  calls_left = calls;
  times_left = times;
  kind = how;
  pthread_mutex_unlock(&lock);
}

void faulty_disk_mend(void) {
  pthread_mutex_lock(&lock);
  calls_left = -1;
  pthread_mutex_unlock(&lock);
}

bool faulty_disk_is_off(void) {
  pthread_mutex_lock(&lock);
  bool off = is_off;
  pthread_mutex_unlock(&lock);
  return off;
}

int64_t faulty_disk_failures(void) {
  pthread_mutex_lock(&lock);
  int64_t count = failures;
  pthread_mutex_unlock(&lock);
  return count;
}

/// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014).
static uint64_t next_number(uint64_t *state) {
  uint64_t mixed = *state += 0x9E3779B97F4A7C15u;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
  return mixed ^ (mixed >> 31);
}

struct image {
  unsigned char *bytes;
  int64_t size, room;
};

/// As in a file system, a gap between the old end and a later write reads as zeros.
static void resize(struct image *image, int64_t size) {
  if (size > image->room) {
    image->room = size * 2;
    image->bytes = taken(realloc(image->bytes, image->room));
  }
  if (size > image->size) memset(image->bytes + image->size, 0, size - image->size);
  image->size = size;
}

static void put(struct image *image, int64_t offset, const unsigned char *bytes, int64_t length) {
  if (length == 0) return;
  if (offset + length > image->size) resize(image, offset + length);
  memcpy(image->bytes + offset, bytes, length);
}

static bool load(struct image *image, const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0) return false;
  bool whole = fstat(file, &status) == 0;
  if (whole) {
    resize(image, status.st_size);
    whole = pread(file, image->bytes, image->size, 0) == image->size;
  }
  close(file);
  return whole;
}

/// Writes a new file and renames it: open handles keep the old file, like those of a process that ended.
static bool store(const struct image *image, const char *path) {
  char other[4096];
  if (snprintf(other, sizeof other, "%s.after", path) >= (int)sizeof other) return false;
  int file = open(other, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return false;
  bool whole = pwrite(file, image->bytes, image->size, 0) == image->size;
  close(file);
  return whole && rename(other, path) == 0;
}

/// Reverts the unsynced changes and applies a random part of them again.
/// Returns the number of lost changes, or -1 on an error.
static int lose(struct known *known, uint64_t *state) {
  int count = 0, lost = 0;
  for (struct change *change = known->newest; change; change = change->next) count++;
  struct image image = {0};
  if (!load(&image, known->path)) {
    forget_changes(known);
    return 0; // The file does not exist, so nothing can be lost.
  }
  struct change **oldest_first = taken(calloc(count + 1, sizeof *oldest_first));
  int place = count;
  for (struct change *change = known->newest; change; change = change->next) {
    oldest_first[--place] = change;
    put(&image, change->offset, change->before, change->length_before);
    resize(&image, change->size_before);
  }
  // The share of sectors that had reached the disk, from none to all.
  uint64_t kept_of_eight = next_number(state) % 9;
  for (place = 0; place < count; place++) {
    struct change *change = oldest_first[place];
    bool whole = true;
    if (!change->bytes) {
      whole = next_number(state) % 8 < kept_of_eight;
      if (whole) resize(&image, change->offset);
    }
    for (int64_t from = 0; from < change->length;) {
      int64_t end = (change->offset + from) / sector * sector + sector - change->offset;
      if (end > change->length) end = change->length;
      if (next_number(state) % 8 < kept_of_eight)
        put(&image, change->offset + from, change->bytes + from, end - from);
      else
        whole = false;
      from = end;
    }
    lost += !whole;
  }
  bool stored = store(&image, known->path);
  free(oldest_first);
  free(image.bytes);
  forget_changes(known);
  return stored ? lost : -1;
}

int faulty_disk_lose_power(const char *prefix, uint64_t seed) {
  pthread_mutex_lock(&lock);
  int lost = 0;
  for (struct known *known = all; known && lost >= 0; known = known->next) {
    if (known->is_forgotten || strncmp(known->path, prefix, strlen(prefix)) != 0) continue;
    // The result must not depend on the order of the files, so derive the seed from the path.
    uint64_t state = seed;
    for (const char *letter = known->path + strlen(prefix); *letter; letter++) state = state * 31 + *letter;
    int more = lose(known, &state);
    lost = more < 0 ? -1 : lost + more;
    // SQLite's shared-memory file does not survive a power failure.
    char shared[4096];
    if (snprintf(shared, sizeof shared, "%s-shm", known->path) < (int)sizeof shared) unlink(shared);
  }
  life++;
  is_off = false;
  calls_left = -1;
  pthread_mutex_unlock(&lock);
  return lost;
}

void faulty_disk_forget(const char *prefix) {
  pthread_mutex_lock(&lock);
  for (struct known *known = all; known; known = known->next)
    if (strncmp(known->path, prefix, strlen(prefix)) == 0) known->is_forgotten = true;
  sweep();
  pthread_mutex_unlock(&lock);
}
