#ifndef RUSHES_CHEIF_SHIM_H
#define RUSHES_CHEIF_SHIM_H

/* Types only: the library is loaded at run time, where it is installed. */
#include <libheif/heif.h>

#endif
