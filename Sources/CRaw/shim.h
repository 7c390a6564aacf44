#ifndef RUSHES_CRAW_SHIM_H
#define RUSHES_CRAW_SHIM_H

/* Types only: the library is loaded at run time, where it is installed. Its structures differ between versions, so it has to be the
   one of these headers. */
#include <libraw/libraw.h>

#define RUSHES_RAW_VERSION LIBRAW_SHLIB_CURRENT

/* Structures with tables of 65,536 elements are none that Swift reads. */

/* Half the size, as the camera balanced its colors, in sRGB and 8 bits, not turned, and as light as it was shot. */
static inline void rushes_raw_prepare(libraw_data_t *raw) {
    raw->params.half_size = 1;
    raw->params.use_camera_wb = 1;
    raw->params.output_color = 1;
    raw->params.output_bps = 8;
    raw->params.user_flip = 0;
    raw->params.no_auto_bright = 1;
}

static inline int rushes_raw_width(const libraw_data_t *raw) { return raw->sizes.iwidth; }
static inline int rushes_raw_height(const libraw_data_t *raw) { return raw->sizes.iheight; }
/* As dcraw counts: 1 mirrors, 2 turns upside down, 4 exchanges rows and columns. */
static inline int rushes_raw_flip(const libraw_data_t *raw) { return raw->sizes.flip; }
static inline int rushes_raw_preview_width(const libraw_data_t *raw) { return raw->thumbnail.twidth; }
static inline int rushes_raw_preview_height(const libraw_data_t *raw) { return raw->thumbnail.theight; }
static inline unsigned rushes_raw_preview_size(const libraw_data_t *raw) { return raw->thumbnail.tlength; }
/* Before it is unpacked its format is not told as a rule; what is shorter than its pixels is compressed. */
static inline int rushes_raw_preview_is_jpeg(const libraw_data_t *raw) {
    return raw->thumbnail.tformat == LIBRAW_THUMBNAIL_JPEG
        || (raw->thumbnail.tformat == LIBRAW_THUMBNAIL_UNKNOWN
            && raw->thumbnail.tlength < (unsigned)raw->thumbnail.twidth * raw->thumbnail.theight);
}
/* Local time; 0 where it is not known. */
static inline time_t rushes_raw_time(const libraw_data_t *raw) { return raw->other.timestamp; }
static inline const void *rushes_raw_bytes(const libraw_processed_image_t *image) { return image->data; }

#endif
