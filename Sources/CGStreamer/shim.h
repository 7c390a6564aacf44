#ifndef RUSHES_CGSTREAMER_SHIM_H
#define RUSHES_CGSTREAMER_SHIM_H

#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/audio/audio.h>
#include <gst/gst.h>
#include <gst/pbutils/pbutils.h>
#include <gst/video/video.h>

// Only what Swift cannot import: macros and variadic functions, each with the reason.

// Type checks and field getters are macros in GStreamer's headers.
static inline gboolean rushes_is_bin(gconstpointer object) { return GST_IS_BIN(object); }

#endif
