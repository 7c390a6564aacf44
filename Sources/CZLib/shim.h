#ifndef RUSHES_CZLIB_SHIM_H
#define RUSHES_CZLIB_SHIM_H

#include <zlib.h>

// The macro hands the size of the structure over, which Swift does not import.
static inline int rushes_inflate_init(z_stream *stream) { return inflateInit(stream); }

#endif
