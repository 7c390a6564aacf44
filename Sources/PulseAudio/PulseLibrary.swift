import CPulse
import SharedLibraries

/// libpulse's functions, where it is installed.
///
/// Linked, it and two dozen libraries of its own would come into every process, of which few record a sound server's microphone: a fifth
/// of the command's start, and 2 MB of memory.
///
/// A class, as Swift 6.3 crashes where another module lays out a structure of functions whose headers it does not import. Functions
/// of C are none that the compiler takes for sendable.
final class PulseLibrary: @unchecked Sendable {
    /// `nil` where it is not installed.
    static let shared = try? PulseLibrary()

    let makeLoop: rushes_pa_threaded_mainloop_new
    let freeLoop: rushes_pa_threaded_mainloop_free
    let startLoop: rushes_pa_threaded_mainloop_start
    let stopLoop: rushes_pa_threaded_mainloop_stop
    let lock: rushes_pa_threaded_mainloop_lock
    let unlock: rushes_pa_threaded_mainloop_unlock
    let isOnLoop: rushes_pa_threaded_mainloop_in_thread
    let loopFunctions: rushes_pa_threaded_mainloop_get_api
    let setLoopName: rushes_pa_threaded_mainloop_set_name
    let makeContext: rushes_pa_context_new
    let releaseContext: rushes_pa_context_unref
    let connect: rushes_pa_context_connect
    let disconnect: rushes_pa_context_disconnect
    let contextState: rushes_pa_context_get_state
    let setContextStateCallback: rushes_pa_context_set_state_callback
    let errorCode: rushes_pa_context_errno
    let subscribe: rushes_pa_context_subscribe
    let setSubscriptionCallback: rushes_pa_context_set_subscribe_callback
    let askForServer: rushes_pa_context_get_server_info
    let askForSources: rushes_pa_context_get_source_info_list
    let askForSourceOutputs: rushes_pa_context_get_source_output_info_list
    let makeTimer: rushes_pa_context_rttime_new
    let restartTimer: rushes_pa_context_rttime_restart
    let releaseOperation: rushes_pa_operation_unref
    let makeStream: rushes_pa_stream_new
    let releaseStream: rushes_pa_stream_unref
    let connectForRecording: rushes_pa_stream_connect_record
    let disconnectStream: rushes_pa_stream_disconnect
    let streamState: rushes_pa_stream_get_state
    let streamIndex: rushes_pa_stream_get_index
    let isSuspended: rushes_pa_stream_is_suspended
    let readableSize: rushes_pa_stream_readable_size
    let peek: rushes_pa_stream_peek
    let drop: rushes_pa_stream_drop
    let setStreamStateCallback: rushes_pa_stream_set_state_callback
    let setReadCallback: rushes_pa_stream_set_read_callback
    let setSuspensionCallback: rushes_pa_stream_set_suspended_callback
    let makeMono: rushes_pa_channel_map_init_mono
    let makeStereo: rushes_pa_channel_map_init_stereo
    let byteCount: rushes_pa_usec_to_bytes
    let now: rushes_pa_rtclock_now
    let property: rushes_pa_proplist_gets
    let maximum: rushes_pa_cvolume_max
    let average: rushes_pa_cvolume_avg
    let decibels: rushes_pa_sw_volume_to_dB
    let words: rushes_pa_strerror

    private init() throws(SharedLibrary.Missing) {
        let library = try SharedLibrary("libpulse.so.0")
        makeLoop = try library.function("pa_threaded_mainloop_new")
        freeLoop = try library.function("pa_threaded_mainloop_free")
        startLoop = try library.function("pa_threaded_mainloop_start")
        stopLoop = try library.function("pa_threaded_mainloop_stop")
        lock = try library.function("pa_threaded_mainloop_lock")
        unlock = try library.function("pa_threaded_mainloop_unlock")
        isOnLoop = try library.function("pa_threaded_mainloop_in_thread")
        loopFunctions = try library.function("pa_threaded_mainloop_get_api")
        setLoopName = try library.function("pa_threaded_mainloop_set_name")
        makeContext = try library.function("pa_context_new")
        releaseContext = try library.function("pa_context_unref")
        connect = try library.function("pa_context_connect")
        disconnect = try library.function("pa_context_disconnect")
        contextState = try library.function("pa_context_get_state")
        setContextStateCallback = try library.function("pa_context_set_state_callback")
        errorCode = try library.function("pa_context_errno")
        subscribe = try library.function("pa_context_subscribe")
        setSubscriptionCallback = try library.function("pa_context_set_subscribe_callback")
        askForServer = try library.function("pa_context_get_server_info")
        askForSources = try library.function("pa_context_get_source_info_list")
        askForSourceOutputs = try library.function("pa_context_get_source_output_info_list")
        makeTimer = try library.function("pa_context_rttime_new")
        restartTimer = try library.function("pa_context_rttime_restart")
        releaseOperation = try library.function("pa_operation_unref")
        makeStream = try library.function("pa_stream_new")
        releaseStream = try library.function("pa_stream_unref")
        connectForRecording = try library.function("pa_stream_connect_record")
        disconnectStream = try library.function("pa_stream_disconnect")
        streamState = try library.function("pa_stream_get_state")
        streamIndex = try library.function("pa_stream_get_index")
        isSuspended = try library.function("pa_stream_is_suspended")
        readableSize = try library.function("pa_stream_readable_size")
        peek = try library.function("pa_stream_peek")
        drop = try library.function("pa_stream_drop")
        setStreamStateCallback = try library.function("pa_stream_set_state_callback")
        setReadCallback = try library.function("pa_stream_set_read_callback")
        setSuspensionCallback = try library.function("pa_stream_set_suspended_callback")
        makeMono = try library.function("pa_channel_map_init_mono")
        makeStereo = try library.function("pa_channel_map_init_stereo")
        byteCount = try library.function("pa_usec_to_bytes")
        now = try library.function("pa_rtclock_now")
        property = try library.function("pa_proplist_gets")
        maximum = try library.function("pa_cvolume_max")
        average = try library.function("pa_cvolume_avg")
        decibels = try library.function("pa_sw_volume_to_dB")
        words = try library.function("pa_strerror")
    }
}
