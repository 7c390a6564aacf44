#ifndef RUSHES_CLIBAV_SHIM_H
#define RUSHES_CLIBAV_SHIM_H

/* Types only: the libraries are loaded at run time, where they are installed. Their structures differ between versions, so they have
   to be those of these headers. */
#include <libavcodec/avcodec.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavfilter/version.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <stdarg.h>
#include <stdio.h>

/* The functions' types as the headers have them, for what is looked up by name. */
#define RUSHES_FUNCTION(name) typedef __typeof__(&name) rushes_##name
RUSHES_FUNCTION(av_log_set_level);
RUSHES_FUNCTION(av_malloc);
RUSHES_FUNCTION(av_mallocz);
RUSHES_FUNCTION(av_freep);
RUSHES_FUNCTION(av_dict_get);
RUSHES_FUNCTION(av_packet_alloc);
RUSHES_FUNCTION(av_packet_free);
RUSHES_FUNCTION(av_packet_unref);
RUSHES_FUNCTION(av_new_packet);
RUSHES_FUNCTION(av_frame_alloc);
RUSHES_FUNCTION(av_frame_free);
RUSHES_FUNCTION(av_match_ext);
RUSHES_FUNCTION(av_opt_set);
RUSHES_FUNCTION(av_pix_fmt_desc_get);
RUSHES_FUNCTION(av_image_get_linesize);
RUSHES_FUNCTION(av_read_image_line2);
RUSHES_FUNCTION(av_stream_get_side_data);
RUSHES_FUNCTION(av_display_rotation_get);
RUSHES_FUNCTION(av_read_frame);
RUSHES_FUNCTION(avcodec_get_name);
RUSHES_FUNCTION(avcodec_find_decoder);
RUSHES_FUNCTION(avcodec_alloc_context3);
RUSHES_FUNCTION(avcodec_free_context);
RUSHES_FUNCTION(avcodec_parameters_to_context);
RUSHES_FUNCTION(avcodec_open2);
RUSHES_FUNCTION(avcodec_send_packet);
RUSHES_FUNCTION(avcodec_receive_frame);
RUSHES_FUNCTION(avcodec_decode_subtitle2);
RUSHES_FUNCTION(avsubtitle_free);
RUSHES_FUNCTION(avformat_alloc_context);
RUSHES_FUNCTION(avformat_open_input);
RUSHES_FUNCTION(avformat_find_stream_info);
RUSHES_FUNCTION(avformat_close_input);
RUSHES_FUNCTION(av_codec_get_id);
RUSHES_FUNCTION(avformat_get_mov_video_tags);
RUSHES_FUNCTION(avformat_get_riff_video_tags);
RUSHES_FUNCTION(avio_alloc_context);
RUSHES_FUNCTION(av_frame_get_buffer);
RUSHES_FUNCTION(av_frame_unref);
RUSHES_FUNCTION(av_opt_set_int);
RUSHES_FUNCTION(avcodec_find_encoder);
RUSHES_FUNCTION(avcodec_parameters_from_context);
RUSHES_FUNCTION(avcodec_send_frame);
RUSHES_FUNCTION(avcodec_receive_packet);
RUSHES_FUNCTION(avformat_alloc_output_context2);
RUSHES_FUNCTION(avformat_free_context);
RUSHES_FUNCTION(avformat_new_stream);
RUSHES_FUNCTION(avformat_write_header);
RUSHES_FUNCTION(av_write_frame);
RUSHES_FUNCTION(av_write_trailer);
RUSHES_FUNCTION(avfilter_get_by_name);
RUSHES_FUNCTION(avfilter_graph_alloc);
RUSHES_FUNCTION(avfilter_graph_free);
RUSHES_FUNCTION(avfilter_graph_create_filter);
RUSHES_FUNCTION(avfilter_graph_config);
RUSHES_FUNCTION(avfilter_link);
RUSHES_FUNCTION(av_buffersrc_add_frame);
RUSHES_FUNCTION(av_buffersink_get_frame);
RUSHES_FUNCTION(avio_context_free);
RUSHES_FUNCTION(av_log_set_callback);
RUSHES_FUNCTION(av_strdup);
RUSHES_FUNCTION(avfilter_graph_parse_ptr);
RUSHES_FUNCTION(avfilter_inout_alloc);
RUSHES_FUNCTION(avfilter_inout_free);
RUSHES_FUNCTION(av_buffersink_get_time_base);
RUSHES_FUNCTION(av_buffersink_get_frame_rate);
RUSHES_FUNCTION(av_buffersink_get_sample_aspect_ratio);
RUSHES_FUNCTION(av_buffersink_get_w);
RUSHES_FUNCTION(av_buffersink_get_h);
RUSHES_FUNCTION(av_buffersink_get_format);
RUSHES_FUNCTION(av_buffersink_get_sample_rate);
RUSHES_FUNCTION(av_buffersink_get_channels);
RUSHES_FUNCTION(av_buffersink_get_ch_layout);
#undef RUSHES_FUNCTION

/* Macros that Swift does not see. */
static const int rushes_av_end = AVERROR_EOF;
static const int rushes_av_again = AVERROR(EAGAIN);
static const int rushes_av_failed = AVERROR(EIO);
static const int rushes_av_refused = AVERROR(EPERM);
static const int64_t rushes_av_no_time = AV_NOPTS_VALUE;

/* Swift has no functions that take a va_list: here what is said becomes a line of text. */
typedef void (*rushes_av_listener)(const char *line);
static inline rushes_av_listener *rushes_av_listening(void) {
    static rushes_av_listener listener;
    return &listener;
}
static inline void rushes_av_hear(void *context, int level, const char *format, va_list arguments) {
    char line[300];
    (void)context;
    if (level > AV_LOG_ERROR) return;
    vsnprintf(line, sizeof line, format, arguments);
    (*rushes_av_listening())(line);
}
static inline void rushes_av_listen(rushes_av_log_set_callback set, rushes_av_listener listener) {
    *rushes_av_listening() = listener;
    set(rushes_av_hear);
}

// What FFmpeg 7 has no more, and 5.1 not yet.
static inline int64_t rushes_av_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return frame->duration;
#else
    return frame->pkt_duration;
#endif
}
static inline int rushes_av_frame_interlaced(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return (frame->flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
    return frame->interlaced_frame;
#endif
}
static inline void rushes_av_frame_set_interlaced(AVFrame *frame, int interlaced, int top_first) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    frame->flags &= ~(AV_FRAME_FLAG_INTERLACED | AV_FRAME_FLAG_TOP_FIELD_FIRST);
    frame->flags |= (interlaced ? AV_FRAME_FLAG_INTERLACED : 0) | (top_first ? AV_FRAME_FLAG_TOP_FIELD_FIRST : 0);
#else
    frame->interlaced_frame = interlaced;
    frame->top_field_first = top_first;
#endif
}
static inline int rushes_av_frame_top_first(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return (frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST) != 0;
#else
    return frame->top_field_first;
#endif
}

#endif
