#ifndef RUSHES_CASS_SHIM_H
#define RUSHES_CASS_SHIM_H

/* Types only: the library is loaded at run time, where it is installed. */
#include <ass/ass.h>

/* The functions' types as the headers have them, for what is looked up by name. */
#define RUSHES_FUNCTION(name) typedef __typeof__(&ass_##name) rushes_ass_##name
RUSHES_FUNCTION(library_init);
RUSHES_FUNCTION(library_done);
RUSHES_FUNCTION(set_message_cb);
RUSHES_FUNCTION(set_extract_fonts);
RUSHES_FUNCTION(add_font);
RUSHES_FUNCTION(renderer_init);
RUSHES_FUNCTION(renderer_done);
RUSHES_FUNCTION(set_frame_size);
RUSHES_FUNCTION(set_storage_size);
RUSHES_FUNCTION(set_pixel_aspect);
RUSHES_FUNCTION(set_fonts);
RUSHES_FUNCTION(render_frame);
RUSHES_FUNCTION(new_track);
RUSHES_FUNCTION(free_track);
RUSHES_FUNCTION(read_memory);
RUSHES_FUNCTION(set_check_readorder);
RUSHES_FUNCTION(process_codec_private);
RUSHES_FUNCTION(process_chunk);
#undef RUSHES_FUNCTION

#endif
