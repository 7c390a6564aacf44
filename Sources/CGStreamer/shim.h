#ifndef RUSHES_CGSTREAMER_SHIM_H
#define RUSHES_CGSTREAMER_SHIM_H

#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/audio/audio.h>
#include <gst/fft/gstfft.h>
#include <gst/fft/gstfftf32.h>
#include <gst/gst.h>
#include <gst/pbutils/pbutils.h>
#include <gst/video/gstvideoencoder.h>
#include <gst/video/video.h>

// Only what Swift cannot import: macros and variadic functions, each with the reason.

// G_TYPE_... and G_VALUE_HOLDS are macros: one answer for all of them.
typedef enum {
    RUSHES_KIND_OTHER,
    RUSHES_KIND_BOOL,
    RUSHES_KIND_INT,
    RUSHES_KIND_UINT,
    RUSHES_KIND_INT64,
    RUSHES_KIND_UINT64,
    RUSHES_KIND_FLOAT,
    RUSHES_KIND_DOUBLE,
    RUSHES_KIND_STRING,
    RUSHES_KIND_FRACTION,
    RUSHES_KIND_INT_RANGE,
    RUSHES_KIND_FRACTION_RANGE,
    RUSHES_KIND_LIST,
    RUSHES_KIND_ARRAY,
    RUSHES_KIND_VALUE_ARRAY,
    RUSHES_KIND_BITMASK,
    RUSHES_KIND_ENUM,
    RUSHES_KIND_FLAGS,
    RUSHES_KIND_CAPS,
    RUSHES_KIND_STRUCTURE,
    RUSHES_KIND_OBJECT,
} RushesKind;

static inline RushesKind rushes_type_kind(GType type) {
    if (type == G_TYPE_BOOLEAN) return RUSHES_KIND_BOOL;
    if (type == G_TYPE_INT) return RUSHES_KIND_INT;
    if (type == G_TYPE_UINT) return RUSHES_KIND_UINT;
    if (type == G_TYPE_INT64) return RUSHES_KIND_INT64;
    if (type == G_TYPE_UINT64) return RUSHES_KIND_UINT64;
    if (type == G_TYPE_FLOAT) return RUSHES_KIND_FLOAT;
    if (type == G_TYPE_DOUBLE) return RUSHES_KIND_DOUBLE;
    if (type == G_TYPE_STRING) return RUSHES_KIND_STRING;
    if (type == GST_TYPE_FRACTION) return RUSHES_KIND_FRACTION;
    if (type == GST_TYPE_INT_RANGE) return RUSHES_KIND_INT_RANGE;
    if (type == GST_TYPE_FRACTION_RANGE) return RUSHES_KIND_FRACTION_RANGE;
    if (type == GST_TYPE_LIST) return RUSHES_KIND_LIST;
    if (type == GST_TYPE_ARRAY) return RUSHES_KIND_ARRAY;
    if (type == g_value_array_get_type()) return RUSHES_KIND_VALUE_ARRAY;
    if (type == GST_TYPE_BITMASK) return RUSHES_KIND_BITMASK;
    if (type == GST_TYPE_CAPS) return RUSHES_KIND_CAPS;
    if (type == GST_TYPE_STRUCTURE) return RUSHES_KIND_STRUCTURE;
    if (G_TYPE_IS_ENUM(type)) return RUSHES_KIND_ENUM;
    if (G_TYPE_IS_FLAGS(type)) return RUSHES_KIND_FLAGS;
    if (G_TYPE_IS_OBJECT(type)) return RUSHES_KIND_OBJECT;
    return RUSHES_KIND_OTHER;
}

// The way back, for the kinds that Swift makes values of.
static inline GType rushes_kind_type(RushesKind kind) {
    switch (kind) {
    case RUSHES_KIND_BOOL: return G_TYPE_BOOLEAN;
    case RUSHES_KIND_INT: return G_TYPE_INT;
    case RUSHES_KIND_INT64: return G_TYPE_INT64;
    case RUSHES_KIND_DOUBLE: return G_TYPE_DOUBLE;
    case RUSHES_KIND_STRING: return G_TYPE_STRING;
    case RUSHES_KIND_FRACTION: return GST_TYPE_FRACTION;
    case RUSHES_KIND_INT_RANGE: return GST_TYPE_INT_RANGE;
    case RUSHES_KIND_FRACTION_RANGE: return GST_TYPE_FRACTION_RANGE;
    case RUSHES_KIND_LIST: return GST_TYPE_LIST;
    case RUSHES_KIND_ARRAY: return GST_TYPE_ARRAY;
    case RUSHES_KIND_BITMASK: return GST_TYPE_BITMASK;
    case RUSHES_KIND_STRUCTURE: return GST_TYPE_STRUCTURE;
    case RUSHES_KIND_CAPS: return GST_TYPE_CAPS;
    default: return G_TYPE_INVALID;
    }
}

// G_VALUE_TYPE, G_PARAM_SPEC_VALUE_TYPE and the class cast are macros.
static inline GType rushes_value_type(const GValue *value) { return G_VALUE_TYPE(value); }
static inline GType rushes_spec_type(const GParamSpec *spec) { return G_PARAM_SPEC_VALUE_TYPE(spec); }
static inline GParamSpec *rushes_find_property(gpointer object, const char *name) {
    return g_object_class_find_property(G_OBJECT_GET_CLASS(object), name);
}

// Type checks are macros.
static inline gboolean rushes_is_tag_setter(gpointer object) { return GST_IS_TAG_SETTER(object); }
static inline gboolean rushes_is_toc_setter(gpointer object) { return GST_IS_TOC_SETTER(object); }

// The object lock is a macro, and a bin's children may only be read under it.
static inline gboolean rushes_bin_has_child(GstBin *bin, const char *name) {
    GST_OBJECT_LOCK(bin);
    gboolean taken = !gst_object_check_uniqueness(bin->children, name);
    GST_OBJECT_UNLOCK(bin);
    return taken;
}

// g_param_value_validate says whether it had to change the value; the question here is the opposite.
static inline gboolean rushes_value_valid(GParamSpec *spec, GValue *value) {
    return !g_param_value_validate(spec, value);
}

// GST_MESSAGE_TYPE is a macro.
static inline const char *rushes_message_name(GstMessage *message) {
    return gst_message_type_get_name(GST_MESSAGE_TYPE(message));
}

// Quarks are plain numbers in Swift; an error's domain is read by its name.
static inline const char *rushes_error_domain(const GError *error) { return g_quark_to_string(error->domain); }

// The writer's signature has a structured-log array that Swift need not see.
static inline GLogWriterOutput rushes_quiet_writer(GLogLevelFlags level, const GLogField *fields, gsize count,
                                                   gpointer data) {
    return G_LOG_WRITER_HANDLED;
}
static inline void rushes_silence_glib(void) { g_log_set_writer_func(rushes_quiet_writer, NULL, NULL); }

// Buffer flags are tested by macros.
static inline gboolean rushes_buffer_has_flag(GstBuffer *buffer, guint flag) {
    return GST_BUFFER_FLAG_IS_SET(buffer, flag);
}

// Metadata is found by a macro.
static inline gboolean rushes_take_time_code(GstBuffer **buffer, GstVideoTimeCode *code) {
    GstVideoTimeCodeMeta *meta = gst_buffer_get_video_time_code_meta(*buffer);
    if (meta == NULL) return FALSE;
    *code = meta->tc;
    // Whose strings and dates stay the buffer's.
    code->config.latest_daily_jam = NULL;
    *buffer = gst_buffer_make_writable(*buffer);
    while ((meta = gst_buffer_get_video_time_code_meta(*buffer)) != NULL)
        if (!gst_buffer_remove_meta(*buffer, (GstMeta *)meta)) break;
    return TRUE;
}

// GST_QUERY_TYPE and GST_EVENT_TYPE are macros.
static inline GstQueryType rushes_query_type(GstQuery *query) { return GST_QUERY_TYPE(query); }
static inline GstEventType rushes_event_type(GstEvent *event) { return GST_EVENT_TYPE(event); }

// The class and the lock of a video encoder are reached by macros.
static inline void rushes_video_encoder_finish(gpointer element) {
    GstVideoEncoder *encoder = GST_VIDEO_ENCODER(element);
    GST_VIDEO_ENCODER_STREAM_LOCK(encoder);
    if (GST_VIDEO_ENCODER_GET_CLASS(encoder)->finish) GST_VIDEO_ENCODER_GET_CLASS(encoder)->finish(encoder);
    GST_VIDEO_ENCODER_STREAM_UNLOCK(encoder);
}

// What a mapped frame's planes are is told by macros.
static inline gint rushes_frame_planes(const GstVideoFrame *frame) { return GST_VIDEO_FRAME_N_PLANES(frame); }
static inline gpointer rushes_frame_plane(const GstVideoFrame *frame, gint plane) {
    return GST_VIDEO_FRAME_PLANE_DATA(frame, plane);
}
static inline gint rushes_frame_stride(const GstVideoFrame *frame, gint plane) {
    return GST_VIDEO_FRAME_PLANE_STRIDE(frame, plane);
}
static inline gint rushes_frame_width(const GstVideoFrame *frame, gint plane) {
    return GST_VIDEO_FRAME_COMP_WIDTH(frame, plane);
}
static inline gint rushes_frame_height(const GstVideoFrame *frame, gint plane) {
    return GST_VIDEO_FRAME_COMP_HEIGHT(frame, plane);
}

// The type of an instance, the key frame flag and the element's error are macros.
static inline GType rushes_instance_type(gpointer instance) { return G_TYPE_FROM_INSTANCE(instance); }
static inline GType rushes_class_type(gpointer type_class) { return G_TYPE_FROM_CLASS(type_class); }
static inline void rushes_frame_set_key(GstVideoCodecFrame *frame) { GST_VIDEO_CODEC_FRAME_SET_SYNC_POINT(frame); }
static inline void rushes_encoder_failed(GstVideoEncoder *encoder, const char *message) {
    GST_ELEMENT_ERROR(encoder, STREAM, ENCODE, ("%s", message), (NULL));
}

// The types of factories are macros.
static inline GList *rushes_decoder_factories(void) {
    return gst_element_factory_list_get_elements(GST_ELEMENT_FACTORY_TYPE_DECODER, GST_RANK_MARGINAL);
}

// The resampler's options are set by a variadic function.
static inline GstAudioResampler *rushes_resampler_new(gint channels, gint in_rate, gint out_rate) {
    GstStructure *options = gst_structure_new_empty("resampler-options");
    // The ratio changes all the time, so the filter's phases are interpolated, not tabulated for one ratio.
    gst_structure_set(options, GST_AUDIO_RESAMPLER_OPT_FILTER_MODE, GST_TYPE_AUDIO_RESAMPLER_FILTER_MODE,
                      GST_AUDIO_RESAMPLER_FILTER_MODE_INTERPOLATED, NULL);
    gst_audio_resampler_options_set_quality(GST_AUDIO_RESAMPLER_METHOD_KAISER, 4, in_rate, out_rate, options);
    GstAudioResampler *resampler = gst_audio_resampler_new(GST_AUDIO_RESAMPLER_METHOD_KAISER,
        GST_AUDIO_RESAMPLER_FLAG_VARIABLE_RATE, GST_AUDIO_FORMAT_F32, channels, in_rate, out_rate, options);
    gst_structure_free(options);
    return resampler;
}

#endif
