import CGStreamer
import Foundation

/// The GStreamer library of this process.
package enum GStreamerLibrary {
    /// Starts GStreamer once; later calls cost nothing. Every entry point of this target that needs it calls it.
    package static func start() { _ = started }

    /// Keeps GLib's own warnings off standard error, unless `G_MESSAGES_DEBUG`, `G_DEBUG` or `GST_DEBUG` is set.
    ///
    /// For a command: what a person has to know is thrown as an error, and the rest would stand in the middle of a
    /// progress line. Not done by ``start()``: a process can choose its log writer once only, so a library must not.
    package static func silenceWarnings() { _ = silenced }

    /// The version found at run time, such as "1.22.0".
    package static var version: String {
        var (major, minor, micro, nano): (guint, guint, guint, guint) = (0, 0, 0, 0)
        gst_version(&major, &minor, &micro, &nano)
        return "\(major).\(minor).\(micro)"
    }

    private static let started: Void = gst_init(nil, nil)

    private static let silenced: Void = {
        let environment = ProcessInfo.processInfo.environment
        let asked = ["G_MESSAGES_DEBUG", "G_DEBUG", "GST_DEBUG"].contains { environment[$0] != nil }
        if !asked { rushes_silence_glib() }
    }()
}
