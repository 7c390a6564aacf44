#ifndef RUSHES_CPULSE_SHIM_H
#define RUSHES_CPULSE_SHIM_H

/* Types only: the library is loaded at run time, by what records a sound server's microphones. */
#include <pulse/pulseaudio.h>

/* The functions' types as the headers have them, for what is looked up by name. */
#define RUSHES_FUNCTION(name) typedef __typeof__(&pa_##name) rushes_pa_##name
RUSHES_FUNCTION(threaded_mainloop_new);
RUSHES_FUNCTION(threaded_mainloop_free);
RUSHES_FUNCTION(threaded_mainloop_start);
RUSHES_FUNCTION(threaded_mainloop_stop);
RUSHES_FUNCTION(threaded_mainloop_lock);
RUSHES_FUNCTION(threaded_mainloop_unlock);
RUSHES_FUNCTION(threaded_mainloop_in_thread);
RUSHES_FUNCTION(threaded_mainloop_get_api);
RUSHES_FUNCTION(threaded_mainloop_set_name);
RUSHES_FUNCTION(context_new);
RUSHES_FUNCTION(context_unref);
RUSHES_FUNCTION(context_connect);
RUSHES_FUNCTION(context_disconnect);
RUSHES_FUNCTION(context_get_state);
RUSHES_FUNCTION(context_set_state_callback);
RUSHES_FUNCTION(context_errno);
RUSHES_FUNCTION(context_subscribe);
RUSHES_FUNCTION(context_set_subscribe_callback);
RUSHES_FUNCTION(context_get_server_info);
RUSHES_FUNCTION(context_get_source_info_list);
RUSHES_FUNCTION(context_get_source_output_info_list);
RUSHES_FUNCTION(context_rttime_new);
RUSHES_FUNCTION(context_rttime_restart);
RUSHES_FUNCTION(operation_unref);
RUSHES_FUNCTION(stream_new);
RUSHES_FUNCTION(stream_unref);
RUSHES_FUNCTION(stream_connect_record);
RUSHES_FUNCTION(stream_disconnect);
RUSHES_FUNCTION(stream_get_state);
RUSHES_FUNCTION(stream_get_index);
RUSHES_FUNCTION(stream_is_suspended);
RUSHES_FUNCTION(stream_readable_size);
RUSHES_FUNCTION(stream_peek);
RUSHES_FUNCTION(stream_drop);
RUSHES_FUNCTION(stream_set_state_callback);
RUSHES_FUNCTION(stream_set_read_callback);
RUSHES_FUNCTION(stream_set_suspended_callback);
RUSHES_FUNCTION(channel_map_init_mono);
RUSHES_FUNCTION(channel_map_init_stereo);
RUSHES_FUNCTION(usec_to_bytes);
RUSHES_FUNCTION(rtclock_now);
RUSHES_FUNCTION(proplist_gets);
RUSHES_FUNCTION(cvolume_max);
RUSHES_FUNCTION(cvolume_avg);
RUSHES_FUNCTION(sw_volume_to_dB);
RUSHES_FUNCTION(strerror);
#undef RUSHES_FUNCTION

#endif
