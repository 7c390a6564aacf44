#ifndef RUSHES_CYUV_SHIM_H
#define RUSHES_CYUV_SHIM_H

/* Debian's libyuv has no pkg-config file, so the module map names the library. */
#include <libyuv.h>

#endif
