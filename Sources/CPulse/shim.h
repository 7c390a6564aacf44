#ifndef RUSHES_CPULSE_SHIM_H
#define RUSHES_CPULSE_SHIM_H

#include <pulse/pulseaudio.h>

#endif
