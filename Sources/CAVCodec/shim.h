#ifndef RUSHES_CAVCODEC_SHIM_H
#define RUSHES_CAVCODEC_SHIM_H

/* Types only: the library is loaded at run time, where it is installed. Its structures differ between versions, so it has to be the
   one of these headers. */
#include <libavcodec/avcodec.h>
#include <libavutil/log.h>

/* The functions' types as the headers have them, for what is looked up by name. */
#define RUSHES_FUNCTION(name) typedef __typeof__(&name) rushes_##name
RUSHES_FUNCTION(av_log_set_level);
RUSHES_FUNCTION(av_mallocz);
RUSHES_FUNCTION(av_packet_alloc);
RUSHES_FUNCTION(av_packet_free);
RUSHES_FUNCTION(av_packet_unref);
RUSHES_FUNCTION(av_new_packet);
RUSHES_FUNCTION(avcodec_find_decoder);
RUSHES_FUNCTION(avcodec_alloc_context3);
RUSHES_FUNCTION(avcodec_free_context);
RUSHES_FUNCTION(avcodec_open2);
RUSHES_FUNCTION(avcodec_decode_subtitle2);
RUSHES_FUNCTION(avsubtitle_free);
#undef RUSHES_FUNCTION

#endif
