// System calls that the Glibc module for Swift lacks: timerfd, eventfd, peer credentials, renameat2, memfd, pidfd and
// others. Unless noted otherwise, each function only makes its system call and returns the result, or -1 with errno
// set. The last functions use processor instructions that Swift cannot express.
#ifndef POOLFLOW_CLINUX_H
#define POOLFLOW_CLINUX_H

#include <stdint.h>
#include <sys/types.h>

// Creates a timer on CLOCK_REALTIME, closed on exec; a read waits for its next expiration.
int poolflow_timerfd_create(void);
// Arms the timer for an absolute instant. If the clock is stepped, the next read fails with ECANCELED.
int poolflow_timerfd_arm(int fd, int64_t seconds, int64_t nanoseconds);

int poolflow_peer_credentials(int fd, uint32_t *uid, uint32_t *gid, int32_t *pid);
// Writes up to `capacity` supplementary groups that the peer had when it connected; returns their number.
int poolflow_peer_groups(int fd, uint32_t *groups, int capacity);

int poolflow_rename_no_replace(int from_dir, const char *from, int to_dir, const char *to);
int poolflow_memfd_create(const char *name);
// Returns a descriptor that poll reports as readable after the process has ended; closed on exec.
int poolflow_pidfd_open(int32_t pid);
// Opens a path relative to `dir`; fails if the last component is a symbolic link. Closed on exec.
int poolflow_openat(int dir, const char *path, int flags, unsigned mode);
int poolflow_accept(int fd);
// Creates a 64-bit counter that poll can wait for, non-blocking and closed on exec.
int poolflow_eventfd(void);
int poolflow_flock_exclusive(int fd);
// Flushes the whole file system of `fd`, data and metadata. Fails with ENOSYS on file systems where syncfs(2) is weaker
// than fsync(2) or not known to be equal: FUSE and network file systems do not flush the storage behind them, and an
// overlay does not report errors of the file system below.
int poolflow_sync_file_system(int fd);
int poolflow_unlinkat(int dir, const char *path);
// Receives bytes and closes all descriptors that came with them.
ssize_t poolflow_receive_without_descriptors(int fd, void *buffer, size_t count);
ssize_t poolflow_send_no_signal(int fd, const void *buffer, size_t count);

// Starts writing these bytes of a file to disk, and waits until they are written. This does not replace fsync, it only
// leaves less work for it.
int poolflow_begin_write_back(int fd, int64_t offset, int64_t count);
int poolflow_await_write_back(int fd, int64_t offset, int64_t count);

// Makes the allocator return free pages of all arenas to the kernel. Returns 1 if there were any.
int poolflow_give_memory_back(void);

// Limits the allocator to `arenas` arenas shared by all threads, and makes it map each block of more than `largest`
// bytes separately, so that it is returned to the kernel when freed. Call it before any thread starts.
int poolflow_bound_allocator(int arenas, int largest);

// From this call on, a fatal signal caused by the process itself (illegal instruction, trap, bad address, abort) writes
// one byte to `fd` before its previous action. A kill from another process writes nothing.
int poolflow_mark_crashes(int fd);

// From this call on, signal `number` writes its number as one byte to `fd` and does nothing else. All signals share one
// `fd`.
int poolflow_forward_signal(int number, int fd);

// The arguments of main, including the program's name; available without /proc.
int poolflow_argument_count(void);
const char *poolflow_argument(int index);
// The path passed to execve(2); NULL if the kernel does not report it.
const char *poolflow_started_as(void);

// SHA-256 with the processor's SHA instructions: adds `blocks` blocks of 64 bytes to the eight words of `state`;
// `constants` are the 64 round constants of the standard. Returns 0, without any change, if the processor lacks the
// instructions.
int poolflow_sha256_instructions(uint32_t *state, const uint32_t *constants, const uint8_t *data, size_t blocks);
// CRC-32 (ZIP) with the processor's instructions: adds the bytes that fill whole blocks to `crc`, and returns their
// number; 0 for short data, or if the processor lacks the instructions.
size_t poolflow_crc32_instructions(uint32_t *crc, const uint8_t *data, size_t count);

#endif
