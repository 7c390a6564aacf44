package import GStreamer

/// GStreamer 1.22, qtdemux: goes with the version that knows `mlpa`; `WorkaroundTests` “qtdemux, TrueHD”.
///
/// TrueHD of QuickTime and MP4 by the name that its decoder takes: its demuxer (1.22) has none for it.
package enum TrueHDOfMovies {
    /// - Returns: nil for any other stream.
    package static func caps(_ told: Caps) -> Caps? {
        guard told.first?.name == "audio/x-gst-fourcc-mlpa" else { return nil }
        // The description says two, whatever there is. The decoder gives no more than it is told, and all that there are of these.
        return Caps("audio/x-true-hd", ["channels": .int(8)])
    }

    /// The stream by that name.
    package static func renamed(_ pad: Pad, _ caps: Caps, in bin: Bin) throws(GStreamerError) -> Pad {
        let setter = try Element("capssetter")
        try setter.set("caps", to: .caps(caps))
        try setter.set("join", to: false)
        try setter.set("replace", to: true)
        guard let input = setter.pad("sink"), let output = setter.pad("src") else {
            throw GStreamerError(element: "capssetter", message: "it has no input or no output")
        }
        try bin.add(setter)
        try pad.link(to: input)
        setter.followParentState()
        return output
    }
}
