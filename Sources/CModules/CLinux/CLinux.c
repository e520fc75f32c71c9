#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/eventfd.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/vfs.h>
#include <unistd.h>

int poolflow_timerfd_create(void) { return timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC); }

int poolflow_timerfd_arm(int fd, int64_t seconds, int64_t nanoseconds) {
  struct itimerspec when = {{0, 0}, {seconds, nanoseconds}};
  return timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &when, NULL);
}

int poolflow_peer_credentials(int fd, uint32_t *uid, uint32_t *gid, int32_t *pid) {
  struct ucred credentials;
  socklen_t size = sizeof credentials;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return -1;
  *uid = credentials.uid;
  *gid = credentials.gid;
  *pid = credentials.pid;
  return 0;
}

#ifndef SO_PEERGROUPS
#define SO_PEERGROUPS 59
#endif

int poolflow_peer_groups(int fd, uint32_t *groups, int capacity) {
  socklen_t size = (socklen_t)capacity * sizeof(uint32_t);
  if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &size) != 0) return -1;
  return (int)(size / sizeof(uint32_t));
}

int poolflow_rename_no_replace(int from_dir, const char *from, int to_dir, const char *to) {
  return renameat2(from_dir, from, to_dir, to, RENAME_NOREPLACE);
}

int poolflow_memfd_create(const char *name) { return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING); }

int poolflow_pidfd_open(int32_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int poolflow_openat(int dir, const char *path, int flags, unsigned mode) {
  return openat(dir, path, flags | O_CLOEXEC | O_NOFOLLOW, (mode_t)mode);
}

int poolflow_accept(int fd) { return accept4(fd, NULL, NULL, SOCK_CLOEXEC); }

int poolflow_flock_exclusive(int fd) { return flock(fd, LOCK_EX | LOCK_NB); }

int poolflow_begin_write_back(int fd, int64_t offset, int64_t count) {
  return sync_file_range(fd, offset, count, SYNC_FILE_RANGE_WRITE);
}

int poolflow_await_write_back(int fd, int64_t offset, int64_t count) {
  return sync_file_range(
      fd, offset, count, SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
}

int poolflow_sync_file_system(int fd) {
  struct statfs facts;
  if (fstatfs(fd, &facts) != 0) return -1;
  switch (facts.f_type) {
    case EXT4_SUPER_MAGIC:
    case XFS_SUPER_MAGIC:
    case BTRFS_SUPER_MAGIC:
    case F2FS_SUPER_MAGIC:
    case TMPFS_MAGIC: return syncfs(fd);
    default: errno = ENOSYS; return -1;
  }
}

int poolflow_unlinkat(int dir, const char *path) { return unlinkat(dir, path, 0); }

ssize_t poolflow_receive_without_descriptors(int fd, void *buffer, size_t count) {
  // Space for the maximum number of descriptors in one message, so that none is lost without being closed.
  union {
    char bytes[CMSG_SPACE(253 * sizeof(int))];
    struct cmsghdr align;
  } control;
  struct iovec part = {buffer, count};
  struct msghdr message = {0};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes;
  message.msg_controllen = sizeof control.bytes;
  ssize_t received = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
  if (received < 0) return received;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    int count_passed = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    for (int i = 0; i < count_passed; i++) {
      int passed;
      memcpy(&passed, CMSG_DATA(header) + (size_t)i * sizeof(int), sizeof passed);
      close(passed);
    }
  }
  return received;
}

int poolflow_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

ssize_t poolflow_send_no_signal(int fd, const void *buffer, size_t count) {
  return send(fd, buffer, count, MSG_NOSIGNAL);
}

static int crash_mark = -1;
static struct sigaction before_crash_mark[NSIG];

static void mark_crash(int number) {
  // Only calls that signal-safety(7) allows: one write, then the signal is raised again for its previous action.
  ssize_t written = write(crash_mark, "x", 1);
  (void)written;
  sigaction(number, &before_crash_mark[number], NULL);
  sigset_t same;
  sigemptyset(&same);
  sigaddset(&same, number);
  sigprocmask(SIG_UNBLOCK, &same, NULL);
  raise(number);
}

int poolflow_mark_crashes(int fd) {
  static const int fatal[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGSYS};
  crash_mark = fd;
  for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++) {
    struct sigaction action = {0};
    action.sa_handler = mark_crash;
    sigemptyset(&action.sa_mask);
    if (sigaction(fatal[i], &action, &before_crash_mark[fatal[i]]) != 0) return -1;
  }
  return 0;
}

static int argument_count;
static char **arguments;

// glibc passes the arguments of main to constructors as well.
__attribute__((constructor)) static void keep_arguments(int count, char **values) {
  argument_count = count;
  arguments = values;
}

int poolflow_argument_count(void) { return arguments ? argument_count : 0; }

const char *poolflow_argument(int index) {
  return index >= 0 && index < poolflow_argument_count() ? arguments[index] : NULL;
}

const char *poolflow_started_as(void) { return (const char *)getauxval(AT_EXECFN); }

static int forwarded_to = -1;

static void forward(int number) {
  int saved = errno;
  unsigned char byte = (unsigned char)number;
  // EAGAIN: the full pipe already holds enough signals. Other errors are retried, because the sender does not repeat a
  // signal.
  for (int tries = 0; tries < 3 && write(forwarded_to, &byte, 1) != 1 && errno != EAGAIN; tries++) continue;
  errno = saved;
}

int poolflow_forward_signal(int number, int fd) {
  struct sigaction action = {0};
  forwarded_to = fd;
  action.sa_handler = forward;
  action.sa_flags = SA_RESTART;
  return sigaction(number, &action, NULL);
}

int poolflow_bound_allocator(int arenas, int largest) {
#ifdef __GLIBC__
  return mallopt(M_ARENA_MAX, arenas) && mallopt(M_MMAP_THRESHOLD, largest);
#else
  return 0;
#endif
}

int poolflow_give_memory_back(void) {
#ifdef __GLIBC__
  return malloc_trim(0);
#else
  return 0;
#endif
}
