// Kills a program at the entry of its n-th call that changes a file, or lets such calls fail, as a library for LD_PRELOAD.
//
// Counted over all threads, libsqlite3's calls included: write, pwrite, fsync, fdatasync, rename, renameat2, unlink,
// unlinkat, ftruncate, syncfs, close. POOLFLOW_KILL_AT=N kills at the entry of call N; POOLFLOW_CALLS names a file of eight
// bytes that counts them. POOLFLOW_KILL_CALL=CALL:WHEN:PART counts CALLs on files whose path holds PART alone, and kills
// at the entry of the Nth or, where WHEN is `after`, when it has been done. POOLFLOW_FAULT=CALL:ERRNO:PART lets a call fail whose file's path holds PART, while the file that
// POOLFLOW_FAULT_WHILE names is there. POOLFLOW_FULL_AT=N is a disk that is full from call N on: every write to a regular
// file fails with ENOSPC, while the same file is there.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic int64_t own;
static _Atomic int64_t *calls = &own;
static int64_t kill_at, full_at;
static char fault_call[32], fault_part[256];
static int fault_code;
static char kill_call[32], kill_when[16], kill_part[256];
// The call that this thread is in was the last.
static _Thread_local int is_last;
static const char *fault_while;

__attribute__((constructor)) static void begin(void) {
  const char *text = getenv("POOLFLOW_KILL_AT");
  if (text) kill_at = atoll(text);
  const char *full = getenv("POOLFLOW_FULL_AT");
  if (full) full_at = atoll(full);
  const char *path = getenv("POOLFLOW_CALLS");
  int fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0) : -1;
  if (fd >= 0) {
    void *memory = mmap(NULL, sizeof(int64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    syscall(SYS_close, fd);
    if (memory != MAP_FAILED) calls = memory;
  }
  const char *fault = getenv("POOLFLOW_FAULT");
  if (fault && sscanf(fault, "%31[^:]:%d:%255s", fault_call, &fault_code, fault_part) != 3) fault_call[0] = 0;
  fault_while = getenv("POOLFLOW_FAULT_WHILE");
  const char *only = getenv("POOLFLOW_KILL_CALL");
  if (only && sscanf(only, "%31[^:]:%15[^:]:%255s", kill_call, kill_when, kill_part) != 3) kill_call[0] = 0;
}

static void die(void) {
  syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
  for (;;) pause();
}

// Whether the file of a call, with its name in the folder `fd` where it has one, has `part` in its path.
static int is_of(int fd, const char *name, const char *part) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = fd >= 0 ? readlink(link, path, sizeof path - 1 - 256) : 0;
  path[length > 0 ? length : 0] = 0;
  if (name) snprintf(path + strlen(path), 256, "/%s", name);
  return strstr(path, part) != NULL;
}

static void point(const char *call, int fd, const char *name) {
  if (kill_call[0] && (strcmp(call, kill_call) != 0 || !is_of(fd, name, kill_part))) return;
  if (atomic_fetch_add(calls, 1) + 1 != kill_at) return;
  if (strcmp(kill_when, "after") != 0) die();
  is_last = 1;
}

static long done(long result) {
  if (is_last) die();
  return result;
}

static int fails(const char *call, int fd, const char *name) {
  if (!fault_call[0] || strcmp(call, fault_call) != 0) return 0;
  if (fault_while && syscall(SYS_faccessat, AT_FDCWD, fault_while, F_OK) != 0) return 0;
  if (!is_of(fd, name, fault_part)) return 0;
  errno = fault_code;
  return 1;
}

static int is_full(int fd) {
  struct stat status;
  if (!full_at || atomic_load(calls) < full_at || fd <= 2) return 0;
  if (fault_while && syscall(SYS_faccessat, AT_FDCWD, fault_while, F_OK) != 0) return 0;
  if (syscall(SYS_fstat, fd, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
  errno = ENOSPC;
  return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t count) {
  point("write", fd, NULL);
  return is_full(fd) || fails("write", fd, NULL) ? -1 : done(syscall(SYS_write, fd, bytes, count));
}
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
  point("write", fd, NULL);
  return is_full(fd) || fails("write", fd, NULL) ? -1 : done(syscall(SYS_pwrite64, fd, bytes, count, at));
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) { return pwrite(fd, bytes, count, at); }
int fsync(int fd) {
  point("fsync", fd, NULL);
  return fails("fsync", fd, NULL) ? -1 : (int)done(syscall(SYS_fsync, fd));
}
int fdatasync(int fd) {
  point("fsync", fd, NULL);
  return fails("fsync", fd, NULL) ? -1 : (int)done(syscall(SYS_fdatasync, fd));
}
int syncfs(int fd) {
  point("syncfs", fd, NULL);
  return fails("syncfs", fd, NULL) ? -1 : (int)done(syscall(SYS_syncfs, fd));
}
int ftruncate(int fd, off_t length) {
  point("ftruncate", fd, NULL);
  return (int)done(syscall(SYS_ftruncate, fd, length));
}
int ftruncate64(int fd, off64_t length) { return ftruncate(fd, length); }
int rename(const char *from, const char *to) {
  point("rename", -1, to);
  return (int)done(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}
int renameat(int from_dir, const char *from, int to_dir, const char *to) {
  point("rename", to_dir, to);
  return fails("rename", to_dir, to) ? -1 : (int)done(syscall(SYS_renameat2, from_dir, from, to_dir, to, 0));
}
int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags) {
  point("rename", to_dir, to);
  return fails("rename", to_dir, to) ? -1 : (int)done(syscall(SYS_renameat2, from_dir, from, to_dir, to, flags));
}
int unlink(const char *path) {
  point("unlink", -1, path);
  return (int)done(syscall(SYS_unlinkat, AT_FDCWD, path, 0));
}
int unlinkat(int dir, const char *path, int flags) {
  point("unlink", dir, path);
  return (int)done(syscall(SYS_unlinkat, dir, path, flags));
}
int close(int fd) {
  point("close", fd, NULL);
  // The clock's library may want to know, too.
  return (int)done(REAL(close)(fd));
}
