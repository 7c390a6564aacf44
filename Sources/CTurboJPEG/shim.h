#ifndef RUSHES_CTURBOJPEG_SHIM_H
#define RUSHES_CTURBOJPEG_SHIM_H

#include <turbojpeg.h>

#endif
