#ifndef RUSHES_CGIO_SHIM_H
#define RUSHES_CGIO_SHIM_H

#include <gio/gio.h>
#include <gio/gunixfdlist.h>

#endif
