// Moves one program's CLOCK_REALTIME without touching the machine's, as a library for LD_PRELOAD. The program ends with
// the test that started it.
//
// The offset, in nanoseconds, is the first eight bytes of the file that POOLFLOW_CLOCK_OFFSET names; a test writes it
// while the program runs. If the file has 24 bytes, the next eight are a later offset, and the last eight the number of
// readings of CLOCK_REALTIME after which it becomes the offset. clock_gettime adds the offset, timerfd_settime takes it off again for absolute instants, and a change
// does to a timer what the kernel does when somebody sets the clock: an armed timer with cancel-on-set becomes readable,
// and its read fails with ECANCELED (timerfd_create(2)).
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL
#define DESCRIPTORS 4096

// The offset, the later offset, the number of readings until then; zero if there is no later offset.
static _Atomic int64_t *shared;
static int has_later_offset;

// One for each descriptor; all under the lock.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  char realtime, armed, cancels, cancelled;
  struct itimerspec wanted;
} timers[DESCRIPTORS];

static int64_t offset(void) { return shared ? atomic_load(shared) : 0; }

static struct timespec moved(struct timespec time, int64_t by) {
  int64_t sum = (int64_t)time.tv_sec * SECOND + time.tv_nsec + by;
  int64_t rest = ((sum % SECOND) + SECOND) % SECOND;
  return (struct timespec){.tv_sec = (sum - rest) / SECOND, .tv_nsec = rest};
}

int clock_gettime(clockid_t id, struct timespec *time) {
  int result = syscall(SYS_clock_gettime, id, time);
  if (result == 0 && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) {
    if (has_later_offset && atomic_load(shared + 2) > 0 && atomic_fetch_sub(shared + 2, 1) == 1)
      atomic_store(shared, atomic_load(shared + 1));
    *time = moved(*time, offset());
  }
  return result;
}

// The kernel's timer for an instant of the program's clock; at once where that has passed.
static int arm(int fd, const struct itimerspec *wanted, struct itimerspec *old) {
  struct itimerspec real = *wanted;
  real.it_value = moved(real.it_value, -offset());
  if (real.it_value.tv_sec < 0 || (real.it_value.tv_sec == 0 && real.it_value.tv_nsec == 0))
    real.it_value = (struct timespec){.tv_nsec = 1};
  return syscall(SYS_timerfd_settime, fd, TFD_TIMER_ABSTIME, &real, old);
}

int timerfd_create(int clock, int flags) {
  int fd = syscall(SYS_timerfd_create, clock, flags);
  if (fd >= 0 && fd < DESCRIPTORS) {
    pthread_mutex_lock(&lock);
    timers[fd].realtime = clock == CLOCK_REALTIME;
    timers[fd].armed = timers[fd].cancelled = 0;
    pthread_mutex_unlock(&lock);
  }
  return fd;
}

int timerfd_settime(int fd, int flags, const struct itimerspec *new, struct itimerspec *old) {
  if (fd < 0 || fd >= DESCRIPTORS || !timers[fd].realtime || !(flags & TFD_TIMER_ABSTIME))
    return syscall(SYS_timerfd_settime, fd, flags, new, old);
  pthread_mutex_lock(&lock);
  int cancelled = timers[fd].cancelled;
  timers[fd].armed = new->it_value.tv_sec != 0 || new->it_value.tv_nsec != 0;
  timers[fd].cancels = (flags & TFD_TIMER_CANCEL_ON_SET) != 0;
  timers[fd].cancelled = 0;
  timers[fd].wanted = *new;
  int result =
      timers[fd].armed ? arm(fd, new, old) : (int)syscall(SYS_timerfd_settime, fd, TFD_TIMER_ABSTIME, new, old);
  pthread_mutex_unlock(&lock);
  // A change that nobody has read yet is told of here, as the kernel does; the timer is armed all the same.
  if (result != 0 || !cancelled || !timers[fd].armed || !timers[fd].cancels) return result;
  errno = ECANCELED;
  return -1;
}

ssize_t read(int fd, void *buffer, size_t count) {
  ssize_t result = syscall(SYS_read, fd, buffer, count);
  if (result != 8 || fd < 0 || fd >= DESCRIPTORS || !timers[fd].realtime) return result;
  pthread_mutex_lock(&lock);
  int cancelled = timers[fd].cancelled;
  timers[fd].cancelled = 0;
  pthread_mutex_unlock(&lock);
  if (!cancelled) return result;
  errno = ECANCELED;
  return -1;
}

int close(int fd) {
  if (fd >= 0 && fd < DESCRIPTORS && timers[fd].realtime) {
    pthread_mutex_lock(&lock);
    timers[fd].realtime = 0;
    pthread_mutex_unlock(&lock);
  }
  return syscall(SYS_close, fd);
}

static void clock_was_set(void) {
  pthread_mutex_lock(&lock);
  for (int fd = 0; fd < DESCRIPTORS; fd++) {
    if (!timers[fd].realtime || !timers[fd].armed) continue;
    timers[fd].cancelled = timers[fd].cancels;
    struct itimerspec now = {.it_value = {.tv_nsec = 1}};
    if (timers[fd].cancels)
      syscall(SYS_timerfd_settime, fd, TFD_TIMER_ABSTIME, &now, NULL);
    else
      arm(fd, &timers[fd].wanted, NULL);
  }
  pthread_mutex_unlock(&lock);
}

static pid_t parent;

static void *watch(void *unused) {
  int64_t seen = offset();
  for (;;) {
    struct timespec pause = {.tv_nsec = 1000000};
    nanosleep(&pause, NULL);
    // Nobody would stop a program whose test was interrupted.
    if (getppid() != parent) kill(getpid(), SIGKILL);
    int64_t now = offset();
    if (now != seen) clock_was_set();
    seen = now;
  }
  return unused;
}

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("POOLFLOW_CLOCK_OFFSET");
  int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (fd < 0) return;
  has_later_offset = lseek(fd, 0, SEEK_END) == 24;
  void *memory = mmap(NULL, 24, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  syscall(SYS_close, fd);
  if (memory == MAP_FAILED) return;
  shared = memory;
  parent = getppid();
  // The program's signals are the program's.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  if (pthread_create(&thread, NULL, watch, NULL) == 0) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}
