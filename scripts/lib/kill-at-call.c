// Kills a recorder at one call of the finish of its movie, or lets that call hang as a disk does that answers no more: for
// tests of what it leaves then, and of who waits for it.
//
//   cc -shared -fPIC -o kill-at-call.so kill-at-call.c -ldl
//   KILL_CALL=3 LD_PRELOAD=./kill-at-call.so rushes record …
//   HANG_CALL=1 LD_PRELOAD=./kill-at-call.so rushes record …
//
// The finish begins where the second 'moov' is written. From there on the calls by which that thread changes files are
// counted, and before the stated one the process dies, or the thread sleeps. strace counts the calls of each thread from its
// beginning, so that it would hit the thread that records.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_int indexes;
static _Thread_local bool finishes;
static _Thread_local int calls;

static bool is_call(const char *variable) {
    const char *number = getenv(variable);
    return number && calls == atoi(number);
}

static void count(void) {
    if (!finishes)
        return;
    calls += 1;
    if (is_call("KILL_CALL"))
        kill(getpid(), SIGKILL);
    // Signals that are handled end a pause, so it is taken again.
    while (is_call("HANG_CALL"))
        pause();
}

// The call itself: what would have been called without this file.
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t pwrite(int file, const void *bytes, size_t size, off_t place) {
    if (size > 8 && memcmp((const char *)bytes + 4, "moov", 4) == 0 && atomic_fetch_add(&indexes, 1) == 1)
        finishes = true;
    count();
    return REAL(pwrite)(file, bytes, size, place);
}
int fdatasync(int file) {
    count();
    return REAL(fdatasync)(file);
}
int ftruncate(int file, off_t size) {
    count();
    return REAL(ftruncate)(file, size);
}
int rename(const char *from, const char *to) {
    count();
    return REAL(rename)(from, to);
}
int close(int file) {
    count();
    return REAL(close)(file);
}
