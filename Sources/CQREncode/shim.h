#ifndef RUSHES_CQRENCODE_SHIM_H
#define RUSHES_CQRENCODE_SHIM_H

#include <qrencode.h>

#endif
