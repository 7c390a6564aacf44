// Lets the disk take SLOW_DISK milliseconds for each sync: for tests of what a recorder tells of a disk that does not keep up.
//
//   cc -shared -fPIC -o slow-disk.so slow-disk.c -ldl
//   SLOW_DISK=1500 LD_PRELOAD=./slow-disk.so rushes record …
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

int fdatasync(int file) {
    const char *delay = getenv("SLOW_DISK");
    if (delay)
        usleep(1000 * atoi(delay));
    return ((__typeof__(&fdatasync))dlsym(RTLD_NEXT, "fdatasync"))(file);
}
