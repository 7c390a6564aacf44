package import Threads
import CGStreamer
import Glibc

/// A running graph of elements with a bus and a clock.
///
/// When the last reference goes, the pipeline is stopped on a thread of its own, because stopping joins the streaming
/// threads. Whoever writes a file with it ends the stream first.
package final class Pipeline: Sendable {
    /// The elements.
    package let bin: Bin
    /// What they say.
    package let bus: Bus

    /// A pipeline without elements.
    package init(name: String? = nil) {
        GStreamerLibrary.start()
        // gst_pipeline_new returns null only for a type that is not registered, which gst_init has done.
        let pipeline = Element(sinking: gst_pipeline_new(name))
        bin = Bin(pipeline)
        bus = Bus(of: pipeline)
    }

    deinit {
        let bin = bin
        bus.close()
        guard bin.element.currentState != .null || !bin.lockedChildren.isEmpty else { return }
        OwnThread.run("rushes-teardown") { bin.stop() }
    }

    var pointer: UnsafeMutablePointer<GstPipeline> { bin.element.reference.cast() }

    /// Lets its threads have their turn before those of other programs, where the system allows it; before it starts.
    package func raiseThreads(to priority: ThreadPriority) { bus.raiseThreads(to: priority) }

    /// The time of the system's monotonic clock at which the pipeline's running time is zero.
    package var baseTime: MediaTime {
        MediaTime(clamping: gst_element_get_base_time(bin.element.pointer))
    }

    /// Uses the system's monotonic clock whatever the elements offer, so that times of several pipelines can be compared.
    ///
    /// - Parameter baseTime: the clock's time at which running time is zero; `nil` leaves it to the pipeline.
    package func useSystemClock(baseTime: MediaTime?) {
        let clock = gst_system_clock_obtain()
        gst_pipeline_use_clock(pointer, clock)
        gst_object_unref(clock)
        guard let baseTime else { return }
        // With a start time of "none" the pipeline leaves the base time as it is set here.
        gst_element_set_start_time(bin.element.pointer, .max)
        gst_element_set_base_time(bin.element.pointer, GstClockTime(clamping: baseTime))
    }

    /// The monotonic clock's time now, which is that of GStreamer's system clock. GStreamer, whose first start takes seconds, is not asked for it.
    package static var systemTime: MediaTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MediaTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
