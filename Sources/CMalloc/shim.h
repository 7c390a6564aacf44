#ifndef RUSHES_CMALLOC_SHIM_H
#define RUSHES_CMALLOC_SHIM_H

/* glibc's settings of its allocator, which Swift's Glibc module leaves out. */
#include <malloc.h>

#endif
