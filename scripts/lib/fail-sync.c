// Lets the disk fail as it takes what was written: for tests of who believes that a movie is on it.
//
//   cc -shared -fPIC -o fail-sync.so fail-sync.c -ldl
//   FAIL_SYNC=/take.mkv LD_PRELOAD=./fail-sync.so rushes record … take.mkv
//
// Of files whose path ends in FAIL_SYNC fdatasync says EIO, as of a disk that was pulled out, or a server that went away.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int fdatasync(int file) {
    const char *ending = getenv("FAIL_SYNC");
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (ending && length >= (ssize_t)strlen(ending)) {
        path[length] = 0;
        if (strcmp(path + length - strlen(ending), ending) == 0) {
            errno = EIO;
            return -1;
        }
    }
    return ((__typeof__(&fdatasync))dlsym(RTLD_NEXT, "fdatasync"))(file);
}
