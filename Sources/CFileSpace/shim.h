#ifndef RUSHES_CFILESPACE_SHIM_H
#define RUSHES_CFILESPACE_SHIM_H

/* What glibc declares for GNU programs only, and Swift's Glibc module leaves out. */
#include <linux/falloc.h>
#include <linux/magic.h>
#include <sys/statfs.h>
#include <sys/types.h>

int fallocate(int descriptor, int mode, off_t offset, off_t length);

/* Whether overwriting a byte of a file needs a new block, as nothing is written over where it lies. */
static inline int rushes_overwriting_needs_room(int descriptor) {
    struct statfs status;
    return fstatfs(descriptor, &status) == 0 && status.f_type == BTRFS_SUPER_MAGIC;
}

/* The same of all file systems that never write over what is there: of ZFS and bcachefs too, which linux/magic.h does not name. */
static inline int rushes_copies_on_write(int descriptor) {
    struct statfs status;
    if (fstatfs(descriptor, &status) != 0) return 0;
    return rushes_overwriting_needs_room(descriptor) || status.f_type == 0x2fc12fc1
        || (unsigned)status.f_type == 0xca451a4eU;
}

/* Whether a folder lies on FAT, which keeps a file's size in 32 bits. */
static inline int rushes_is_on_fat(const char *path) {
    struct statfs status;
    return statfs(path, &status) == 0 && status.f_type == MSDOS_SUPER_MAGIC;
}

#endif
