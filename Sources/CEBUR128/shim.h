#ifndef RUSHES_CEBUR128_SHIM_H
#define RUSHES_CEBUR128_SHIM_H

#include <ebur128.h>

#endif
