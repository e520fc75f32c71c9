// What the thread sanitizer cannot see of the standard library's lock, told to it.
//
// A program compiled for the sanitizer sees a `Mutex` taken and given back when nobody waits: that part is compiled into
// the program. Where somebody waits, the lock changes hands within libswiftSynchronization and the kernel, neither of
// which is compiled for it, and everything the lock guards looks like a race. Loaded before that library
// (config/sanitize.sh), these three stand before the library's own, call them, and say what they mean.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

// Of the sanitizer's own interface (sanitizer/tsan_interface.h); absent in a process that is not compiled for it.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *lock

// _MutexHandle._lockSlow(UInt32), _tryLockSlow() -> Bool, _unlockSlow()
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock_slow(uint32_t owner, SELF) __asm__(LOCK);
SWIFT bool try_lock_slow(SELF) __asm__(TRY);
SWIFT void unlock_slow(SELF) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t owner, SELF) {
  SWIFT void (*next)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK);
  next(owner, lock);
  if (__tsan_acquire) __tsan_acquire(lock);
}

SWIFT bool try_lock_slow(SELF) {
  SWIFT bool (*next)(SELF) = dlsym(RTLD_NEXT, TRY);
  bool taken = next(lock);
  if (taken && __tsan_acquire) __tsan_acquire(lock);
  return taken;
}

SWIFT void unlock_slow(SELF) {
  SWIFT void (*next)(SELF) = dlsym(RTLD_NEXT, UNLOCK);
  if (__tsan_release) __tsan_release(lock);
  next(lock);
}
