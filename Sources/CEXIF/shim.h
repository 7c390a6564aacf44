#ifndef RUSHES_CEXIF_SHIM_H
#define RUSHES_CEXIF_SHIM_H

#include <libexif/exif-data.h>

#endif
