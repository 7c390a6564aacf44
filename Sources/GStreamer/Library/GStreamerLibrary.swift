import CGStreamer
import Foundation

/// The GStreamer library of this process.
public enum GStreamerLibrary {
    /// Starts GStreamer once; later calls cost nothing. Every entry point of this target that needs it calls it.
    ///
    /// GLib's own warnings are silenced unless `G_MESSAGES_DEBUG` or `GST_DEBUG` is set: what a person has to know
    /// is thrown as an error, and the rest would stand in the middle of a progress line.
    public static func start() { _ = started }

    /// The version found at run time, such as "1.22.0".
    public static var version: String {
        var (major, minor, micro, nano): (guint, guint, guint, guint) = (0, 0, 0, 0)
        gst_version(&major, &minor, &micro, &nano)
        return "\(major).\(minor).\(micro)"
    }

    private static let started: Void = {
        let environment = ProcessInfo.processInfo.environment
        if environment["G_MESSAGES_DEBUG"] == nil, environment["GST_DEBUG"] == nil { rushes_silence_glib() }
        gst_init(nil, nil)
    }()
}
