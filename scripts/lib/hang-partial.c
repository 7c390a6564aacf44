// Answers a program as a file system does that knows no unnamed files (O_TMPFILE), and then no more: what is written to the
// hidden file that takes their place hangs, as on a disk that does not respond, which a line says. For tests of what is left of such a file.
//
//   cc -shared -fPIC -o hang-partial.so hang-partial.c -ldl
//   LD_PRELOAD=./hang-partial.so rushes join a.mov b.mov --output c.mov
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

// The call itself: what would have been called without this file.
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void hang(int file) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path);
    if (length <= 8 || memcmp(path + length - 8, ".partial", 8) != 0) return;
    REAL(write)(STDOUT_FILENO, "hangs\n", 6);
    // Signals that are handled end a pause, so it is taken again.
    for (;;) pause();
}

#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...) {                                                                       \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode_t mode = va_arg(rest, mode_t);                                                                            \
        va_end(rest);                                                                                                  \
        if ((flags & O_TMPFILE) == O_TMPFILE) {                                                                        \
            errno = EOPNOTSUPP;                                                                                        \
            return -1;                                                                                                 \
        }                                                                                                              \
        return REAL(name)(path, flags, mode);                                                                          \
    }
OPEN(open)
OPEN(open64)

ssize_t write(int file, const void *bytes, size_t size) {
    hang(file);
    return REAL(write)(file, bytes, size);
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t place) {
    hang(file);
    return REAL(pwrite)(file, bytes, size, place);
}
ssize_t copy_file_range(int from, off64_t *start, int to, off64_t *place, size_t size, unsigned flags) {
    hang(to);
    return REAL(copy_file_range)(from, start, to, place, size, flags);
}
