// What Glibc's Swift module lacks: timerfd, eventfd, peer credentials, renameat2, memfd, pidfd. Every function returns what the call
// returns, -1 with errno set on failure; none of them has logic of its own. At the end stand the
// processor's instructions that Swift has no word for.
#ifndef POOLFLOW_CLINUX_H
#define POOLFLOW_CLINUX_H

#include <stdint.h>
#include <sys/types.h>

// A timer on CLOCK_REALTIME, closed on exec; a read waits for the next expiration.
int poolflow_timerfd_create(void);
// Arms it for an absolute instant; a stepped clock makes the next read fail with ECANCELED.
int poolflow_timerfd_arm(int fd, int64_t seconds, int64_t nanoseconds);

int poolflow_peer_credentials(int fd, uint32_t *uid, uint32_t *gid, int32_t *pid);
// Up to `capacity` supplementary groups of the peer at connect time; returns how many there are.
int poolflow_peer_groups(int fd, uint32_t *groups, int capacity);

int poolflow_rename_no_replace(int from_dir, const char *from, int to_dir, const char *to);
int poolflow_memfd_create(const char *name);
// A poll finds it readable once the process has ended; closed on exec.
int poolflow_pidfd_open(int32_t pid);
// Opens below a directory, never through a symbolic link in the last part.
int poolflow_openat(int dir, const char *path, int flags, unsigned mode);
int poolflow_accept(int fd);
// A counter of eight bytes that a poll can wait for, closed on exec; neither reading nor adding waits.
int poolflow_eventfd(void);
int poolflow_flock_exclusive(int fd);
// All of the file system on which `fd` is, names and bytes. ENOSYS where syncfs(2) keeps less than fsync(2) does, or is not
// known to: through FUSE and over a network it asks nobody behind it, and an overlay does not tell what failed below.
int poolflow_sync_file_system(int fd);
int poolflow_unlinkat(int dir, const char *path);
// Receives bytes and closes at once every descriptor that came with them.
ssize_t poolflow_receive_without_descriptors(int fd, void *buffer, size_t count);
ssize_t poolflow_send_no_signal(int fd, const void *buffer, size_t count);

// Begins to write these bytes of a file to disk, and waits until they are written; no flush, only less for it to do.
int poolflow_begin_write_back(int fd, int64_t offset, int64_t count);
int poolflow_await_write_back(int fd, int64_t offset, int64_t count);

// Has the allocator give every free page of every arena back to the system. Returns 1 where any was.
int poolflow_give_memory_back(void);

// Has all threads share so many of the allocator's arenas, and larger pieces than `largest` taken from the system each by
// itself, and given back as soon as they are free. Before any thread begins.
int poolflow_bound_allocator(int arenas, int largest);

// From now on a fatal signal of the process's own making (an illegal instruction, a trap, a bad address, an abort) writes
// one byte to `fd` before it takes its course. A kill from outside writes nothing.
int poolflow_mark_crashes(int fd);

// From now on signal `number` writes its number, one byte, to `fd` and does nothing else; one `fd` for all of them.
int poolflow_forward_signal(int number, int fd);

// The arguments that the program was started with, the program's name included; they need no /proc.
int poolflow_argument_count(void);
const char *poolflow_argument(int index);
// The path that was given to execve(2); NULL where the kernel does not tell.
const char *poolflow_started_as(void);

// The processor's own SHA-256 rounds, for which Swift has no word: takes `blocks` of 64 bytes into the eight words of
// `state`, with the standard's 64 constants. Returns 0, having done nothing, where the processor has no such instructions.
int poolflow_sha256_instructions(uint32_t *state, const uint32_t *constants, const uint8_t *data, size_t blocks);
// The same for ZIP's CRC-32: takes as many of the bytes into `crc` as fit its blocks, and returns how many; 0 for few.
size_t poolflow_crc32_instructions(uint32_t *crc, const uint8_t *data, size_t count);

#endif
