// Lets no file of a batch's work folder become larger than 60 kB, as a quota of its owner does: statvfs still shows all of the disk.
//
//   cc -shared -fPIC -o quota.so quota.c -ldl
//   LD_PRELOAD=./quota.so rushes transcode in --output-directory out
//   QUOTA_OF=/take.mkv QUOTA_BYTES=1000000 LD_PRELOAD=./quota.so rushes record … take.mkv
//
// With QUOTA_OF it is those files whose paths hold that, and from the first write that does not fit on they take nothing at all, not even
// over what is there, as where another program of the owner takes each byte that is given back.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static const off_t most = 60000;
static volatile int is_used_up;

static int is_over(int file, size_t count, off_t place) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    const char *of = getenv("QUOTA_OF"), *bytes = getenv("QUOTA_BYTES");
    if (!strstr(path, of ? of : "/.rushes-batch/work/")) return 0;
    int is_over = place + (off_t)count > (bytes ? atoll(bytes) : most);
    if (of && is_over) is_used_up = 1;
    return is_over || is_used_up;
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off_t place) {
    static ssize_t (*real)(int, const void *, size_t, off_t);
    if (!real) real = dlsym(RTLD_NEXT, "pwrite64");
    if (is_over(file, count, place)) {
        errno = EDQUOT;
        return -1;
    }
    return real(file, bytes, count, place);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t place) { return pwrite64(file, bytes, count, place); }

ssize_t write(int file, const void *bytes, size_t count) {
    static ssize_t (*real)(int, const void *, size_t);
    if (!real) real = dlsym(RTLD_NEXT, "write");
    if (is_over(file, count, lseek(file, 0, SEEK_CUR))) {
        errno = EDQUOT;
        return -1;
    }
    return real(file, bytes, count);
}
