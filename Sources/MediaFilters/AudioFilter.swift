import CLibAV

/// What interleaved audio in floating point is.
package struct AudioFilterFormat: @unchecked Sendable, Equatable {
    /// Frames a second.
    package let rate: Int
    package let channels: Int
    /// The channels' positions, a bit for each as WAVE has them; 0 where nobody knows.
    package let mask: UInt64

    package init(rate: Int, channels: Int, mask: UInt64) {
        (self.rate, self.channels, self.mask) = (rate, channels, mask)
    }

    /// What the filter that takes it in is told of it.
    var input: FilterGraph.Input {
        let places = mask == 0 ? "channels=\(channels)" : "channel_layout=0x\(String(mask, radix: 16))"
        return .init("in", filter: "abuffer", "time_base=1/\(rate):sample_rate=\(rate):sample_fmt=flt:\(places)")
    }

    // A structure of numbers.
    var layout: AVChannelLayout {
        var layout = AVChannelLayout()
        layout.order = mask == 0 ? AV_CHANNEL_ORDER_UNSPEC : AV_CHANNEL_ORDER_NATIVE
        (layout.nb_channels, layout.u.mask) = (Int32(channels), mask)
        return layout
    }
}

/// Filters of audio, as ffmpeg's `-af` writes them: interleaved samples in floating point come in and out. One thread at a time may use it.
package final class AudioFilter {
    /// What comes out.
    package let format: AudioFilterFormat
    private let input: AudioFilterFormat
    private let graph: FilterGraph
    private let given: FilterFrame
    private let taken: FilterFrame
    private let timeBase: AVRational

    /// - Throws: ``FilterFailure`` with what libavfilter says of the text.
    package init(_ library: FilterLibrary, _ text: String, _ format: AudioFilterFormat) throws(FilterFailure) {
        input = format
        graph = try Self.graph(library, text, format)
        (given, taken) = (try FilterFrame(library), try FilterFrame(library))
        var layout = AVChannelLayout()
        let output = graph.output
        try library.check(library.layout(output, &layout), "the graph")
        self.format = AudioFilterFormat(
            rate: Int(library.sampleRate(output)), channels: Int(library.channels(output)),
            mask: layout.order == AV_CHANNEL_ORDER_NATIVE ? layout.u.mask : 0)
        timeBase = library.timeBase(output)
    }

    private static func graph(
        _ library: FilterLibrary, _ text: String, _ format: AudioFilterFormat
    ) throws(FilterFailure) -> FilterGraph {
        func made(_ formats: String) throws(FilterFailure) -> FilterGraph {
            try FilterGraph(library, text, inputs: [format.input], sink: "abuffersink", formats: ("aformat", formats))
        }
        do {
            return try made("sample_fmts=flt")
        } catch {
            // Filters that take any number of channels, such as aresample, want one to be named.
            let layout = ":channel_layouts=0x\(String(format.mask, radix: 16))"
            guard format.mask != 0, let graph = try? made("sample_fmts=flt" + layout) else { throw error }
            return graph
        }
    }

    /// Says what is wrong with a text, as far as that is known of all audio.
    ///
    /// - Throws: ``FilterFailure``.
    package static func check(_ text: String, _ library: FilterLibrary) throws(FilterFailure) {
        let format = AudioFilterFormat(rate: 48000, channels: 2, mask: 3)
        _ = try FilterGraph(library, text, inputs: [format.input], sink: "abuffersink", isOnlyRead: true)
    }

    /// - Parameter time: in frames.
    package func add(_ bytes: UnsafeRawBufferPointer, at time: Int) throws(FilterFailure) {
        try given.fill(bytes, input, at: Int64(time))
        try graph.add(given.pointer)
    }

    /// No more comes.
    package func end() throws(FilterFailure) { try graph.add(nil) }

    /// Lends what came out, and its presentation timestamp, in frames of the output; nil where nothing has.
    package func take<Result>(_ body: (UnsafeRawBufferPointer, Int?) throws -> Result) throws -> Result? {
        guard try graph.take(taken.pointer) else { return nil }
        defer { taken.empty() }
        let frame = taken.pointer.pointee
        let count = Int(frame.nb_samples) * format.channels * 4
        let time =
            frame.pts == rushes_av_no_time
            ? nil : Int((Double(timeBase.nanoseconds(frame.pts)) * Double(format.rate) / 1e9).rounded())
        return try body(UnsafeRawBufferPointer(start: taken.planes[0].base, count: count), time)
    }
}
