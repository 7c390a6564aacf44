// Fills a disk as another program does, at the moment in which a program gives back a part of a file on it (a hole): nothing is left of what
// it gave back. For tests of what becomes of a file that is moved piece by piece.
//
//   cc -shared -fPIC -o fill-at-hole.so fill-at-hole.c -ldl
//   FILL_AT_HOLE=2 FILL_FILE=/disk/all LD_PRELOAD=./fill-at-hole.so rushes record …
//
// FILL_AT_HOLE counts the holes, from 1; from that one on each is filled.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static int holes;

static void fill(void) {
    static const char zeros[1 << 16];
    int file = open(getenv("FILL_FILE"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file < 0) return;
    for (size_t size = sizeof zeros; size > 0; size /= 2)
        while (write(file, zeros, size) > 0) continue;
    close(file);
}

static int after_hole(int mode, int result) {
    if (result == 0 && (mode & FALLOC_FL_PUNCH_HOLE) && ++holes >= atoi(getenv("FILL_AT_HOLE"))) fill();
    return result;
}

// The call itself: what would have been called without this file.
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int fallocate(int file, int mode, off_t start, off_t size) {
    return after_hole(mode, REAL(fallocate)(file, mode, start, size));
}
int fallocate64(int file, int mode, off64_t start, off64_t size) {
    return after_hole(mode, REAL(fallocate64)(file, mode, start, size));
}
