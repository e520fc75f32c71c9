// Kills a program at the entry of its n-th call that changes a file, or lets such calls fail, as a library for LD_PRELOAD.
//
// Counted over all threads, libsqlite3's calls included: write, pwrite, fsync, fdatasync, rename, renameat2, unlink,
// unlinkat, ftruncate, close. POOLFLOW_KILL_AT=N kills at the entry of call N; POOLFLOW_CALLS names a file of eight bytes
// that counts them. POOLFLOW_FAULT=CALL:ERRNO:PART lets a call fail whose file's path holds PART, while the file that
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
}

static void point(void) {
  if (atomic_fetch_add(calls, 1) + 1 == kill_at) {
    syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
    for (;;) pause();
  }
}

static int fails(const char *call, int fd, const char *name) {
  if (!fault_call[0] || strcmp(call, fault_call) != 0) return 0;
  if (fault_while && syscall(SYS_faccessat, AT_FDCWD, fault_while, F_OK) != 0) return 0;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = fd >= 0 ? readlink(link, path, sizeof path - 1 - 256) : 0;
  path[length > 0 ? length : 0] = 0;
  if (name) snprintf(path + strlen(path), 256, "/%s", name);
  if (!strstr(path, fault_part)) return 0;
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
  point();
  return is_full(fd) || fails("write", fd, NULL) ? -1 : syscall(SYS_write, fd, bytes, count);
}
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
  point();
  return is_full(fd) || fails("write", fd, NULL) ? -1 : syscall(SYS_pwrite64, fd, bytes, count, at);
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) { return pwrite(fd, bytes, count, at); }
int fsync(int fd) {
  point();
  return fails("fsync", fd, NULL) ? -1 : (int)syscall(SYS_fsync, fd);
}
int fdatasync(int fd) {
  point();
  return fails("fsync", fd, NULL) ? -1 : (int)syscall(SYS_fdatasync, fd);
}
int ftruncate(int fd, off_t length) {
  point();
  return (int)syscall(SYS_ftruncate, fd, length);
}
int ftruncate64(int fd, off64_t length) { return ftruncate(fd, length); }
int rename(const char *from, const char *to) {
  point();
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int renameat(int from_dir, const char *from, int to_dir, const char *to) {
  point();
  return fails("rename", to_dir, to) ? -1 : (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, 0);
}
int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags) {
  point();
  return fails("rename", to_dir, to) ? -1 : (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
}
int unlink(const char *path) {
  point();
  return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}
int unlinkat(int dir, const char *path, int flags) {
  point();
  return (int)syscall(SYS_unlinkat, dir, path, flags);
}
int close(int fd) {
  point();
  // The clock's library may want to know, too.
  return REAL(close)(fd);
}
