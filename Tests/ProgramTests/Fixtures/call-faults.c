// Lets one system call of a program fail once, as a library for LD_PRELOAD.
//
// POOLFLOW_ONCE=CALL:N:HOW lets the Nth CALL of the program fail: HOW is an errno, or `short`, with which a read, a write or a
// message carries one byte. POOLFLOW_COUNTS names a file of a number of eight bytes for each of the calls below, in their
// order, then one that says whether the fault came. Calls are counted over all threads, those of libsqlite3 and of Swift's own
// libraries included; what the C library calls inside itself is not seen. Memory is no call of the system, and Swift's runtime
// ends the program without it: it is what the C libraries that poolflow names ask for.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { OPEN, READ, WRITE, SYNC, RENAME, UNLINK, TRUNCATE, MMAP, ACCEPT, TIMER, SEND, RECEIVE, WAIT, STAT, MEMORY, ZLIB, KINDS };
static const char *const names[KINDS] = {"open", "read", "write", "fsync", "rename", "unlink", "ftruncate",
                                         "mmap", "accept", "timerfd", "send", "recv", "epoll", "stat", "memory", "zlib"};

static _Atomic int64_t own[KINDS + 1];
static _Atomic int64_t *counts = own;
static int once_kind = -1, once_errno, is_short;
static int64_t once_number;

// The libraries whose memory may fail, and where their code lies.
static struct {
  const char *name;
  int kind;
  uintptr_t from, to;
} libraries[] = {{"/libsqlite3.so", MEMORY}, {"/libsystemd.so", MEMORY}, {"/libz.so", ZLIB}};
enum { LIBRARIES = sizeof libraries / sizeof *libraries };

static int look_at(struct dl_phdr_info *library, size_t size, void *unused) {
  for (int n = 0; n < LIBRARIES; n++) {
    if (!strstr(library->dlpi_name, libraries[n].name)) continue;
    for (int part = 0; part < library->dlpi_phnum; part++) {
      const ElfW(Phdr) *header = &library->dlpi_phdr[part];
      if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
      libraries[n].from = library->dlpi_addr + header->p_vaddr;
      libraries[n].to = libraries[n].from + header->p_memsz;
    }
  }
  return 0;
}

// A library behind this one may stand for the machine's clock: its timers are asked for there.
static int (*next_timer)(int, int);
static ssize_t (*next_read)(int, void *, size_t);

__attribute__((constructor)) static void begin(void) {
  next_timer = (int (*)(int, int))dlsym(RTLD_NEXT, "timerfd_create");
  next_read = (ssize_t(*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
  dl_iterate_phdr(look_at, NULL);
  const char *path = getenv("POOLFLOW_COUNTS");
  int fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0) : -1;
  if (fd >= 0) {
    void *memory = (void *)syscall(SYS_mmap, NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    syscall(SYS_close, fd);
    if (memory != MAP_FAILED) counts = memory;
  }
  char call[32], how[16];
  long long number;
  const char *once = getenv("POOLFLOW_ONCE");
  if (!once || sscanf(once, "%31[^:]:%lld:%15s", call, &number, how) != 3) return;
  for (int kind = 0; kind < KINDS; kind++)
    if (strcmp(call, names[kind]) == 0) once_kind = kind;
  once_number = number;
  is_short = strcmp(how, "short") == 0;
  once_errno = atoi(how);
}

// Whether this call is the one.
static int is_it(int kind) {
  if (atomic_fetch_add(&counts[kind], 1) + 1 != once_number || kind != once_kind) return 0;
  atomic_store(&counts[KINDS], 1);
  return 1;
}

#define FAILS(kind) \
  if (is_it(kind)) return errno = once_errno, -1

static size_t carried(int kind, size_t count, int *fails) {
  *fails = 0;
  if (!is_it(kind)) return count;
  if (is_short) return count > 1 ? 1 : count;
  *fails = 1;
  errno = once_errno;
  return 0;
}

#define CARRIES(kind) \
  int fails; \
  count = carried(kind, count, &fails); \
  if (fails) return -1

static mode_t mode_of(int flags, va_list rest) {
  return flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY)) ? va_arg(rest, mode_t) : 0;
}

#define MODE \
  va_list rest; \
  va_start(rest, flags); \
  mode_t mode = mode_of(flags, rest); \
  va_end(rest)

int open(const char *path, int flags, ...) {
  MODE;
  FAILS(OPEN);
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  MODE;
  FAILS(OPEN);
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_LARGEFILE, mode);
}
int openat(int folder, const char *path, int flags, ...) {
  MODE;
  FAILS(OPEN);
  return (int)syscall(SYS_openat, folder, path, flags, mode);
}
int openat64(int folder, const char *path, int flags, ...) {
  MODE;
  FAILS(OPEN);
  return (int)syscall(SYS_openat, folder, path, flags | O_LARGEFILE, mode);
}
ssize_t read(int fd, void *bytes, size_t count) {
  CARRIES(READ);
  return next_read ? next_read(fd, bytes, count) : syscall(SYS_read, fd, bytes, count);
}
ssize_t pread(int fd, void *bytes, size_t count, off_t at) {
  CARRIES(READ);
  return syscall(SYS_pread64, fd, bytes, count, at);
}
ssize_t pread64(int fd, void *bytes, size_t count, off64_t at) { return pread(fd, bytes, count, at); }
ssize_t write(int fd, const void *bytes, size_t count) {
  CARRIES(WRITE);
  return syscall(SYS_write, fd, bytes, count);
}
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
  CARRIES(WRITE);
  return syscall(SYS_pwrite64, fd, bytes, count, at);
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) { return pwrite(fd, bytes, count, at); }
int fsync(int fd) {
  FAILS(SYNC);
  return (int)syscall(SYS_fsync, fd);
}
int fdatasync(int fd) {
  FAILS(SYNC);
  return (int)syscall(SYS_fdatasync, fd);
}
int syncfs(int fd) {
  FAILS(SYNC);
  return (int)syscall(SYS_syncfs, fd);
}
int rename(const char *from, const char *to) {
  FAILS(RENAME);
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int renameat(int from_dir, const char *from, int to_dir, const char *to) {
  FAILS(RENAME);
  return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, 0);
}
int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags) {
  FAILS(RENAME);
  return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
}
int unlink(const char *path) {
  FAILS(UNLINK);
  return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}
int unlinkat(int dir, const char *path, int flags) {
  FAILS(UNLINK);
  return (int)syscall(SYS_unlinkat, dir, path, flags);
}
int ftruncate(int fd, off_t length) {
  FAILS(TRUNCATE);
  return (int)syscall(SYS_ftruncate, fd, length);
}
int ftruncate64(int fd, off64_t length) { return ftruncate(fd, length); }
void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
  // Memory alone is the allocator's and the runtime's, who end the program without it.
  if (fd >= 0 && is_it(MMAP)) return errno = once_errno, MAP_FAILED;
  return (void *)syscall(SYS_mmap, at, length, protection, flags, fd, offset);
}
void *mmap64(void *at, size_t length, int protection, int flags, int fd, off64_t offset) {
  return mmap(at, length, protection, flags, fd, offset);
}
int accept(int fd, struct sockaddr *address, socklen_t *length) {
  FAILS(ACCEPT);
  return (int)syscall(SYS_accept4, fd, address, length, 0);
}
int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags) {
  FAILS(ACCEPT);
  return (int)syscall(SYS_accept4, fd, address, length, flags);
}
int timerfd_create(int clock, int flags) {
  FAILS(TIMER);
  return next_timer ? next_timer(clock, flags) : (int)syscall(SYS_timerfd_create, clock, flags);
}
ssize_t send(int fd, const void *bytes, size_t count, int flags) {
  CARRIES(SEND);
  return syscall(SYS_sendto, fd, bytes, count, flags, NULL, 0);
}
ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
  FAILS(SEND);
  return syscall(SYS_sendmsg, fd, message, flags);
}
ssize_t recv(int fd, void *bytes, size_t count, int flags) {
  CARRIES(RECEIVE);
  return syscall(SYS_recvfrom, fd, bytes, count, flags, NULL, NULL);
}
ssize_t recvmsg(int fd, struct msghdr *message, int flags) {
  FAILS(RECEIVE);
  return syscall(SYS_recvmsg, fd, message, flags);
}
int epoll_wait(int fd, struct epoll_event *events, int count, int timeout) {
  FAILS(WAIT);
  return (int)syscall(SYS_epoll_pwait, fd, events, count, timeout, NULL, 8);
}
int fstat(int fd, struct stat *status) {
  FAILS(STAT);
  return (int)syscall(SYS_fstat, fd, status);
}

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

static int has_no_memory(const void *caller) {
  uintptr_t place = (uintptr_t)caller;
  for (int n = 0; n < LIBRARIES; n++)
    if (place >= libraries[n].from && place < libraries[n].to && is_it(libraries[n].kind)) return errno = once_errno, 1;
  return 0;
}

void *malloc(size_t size) { return has_no_memory(__builtin_return_address(0)) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) {
  return has_no_memory(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}
void *realloc(void *memory, size_t size) {
  return has_no_memory(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}
