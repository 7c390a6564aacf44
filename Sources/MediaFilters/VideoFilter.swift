import CLibAV
package import MediaTypes

/// Filters of frames, as ffmpeg's `-vf` writes them. One thread at a time may use it.
package final class VideoFilter {
    /// What frames are, beside how they are stored; numbers of colors are those of H.273.
    package struct Properties: Sendable, Equatable {
        package var primaries, transfer, matrix: Int
        package var isFullRange: Bool
        /// The width of a pixel for its height.
        package var pixelAspect: Fraction
        /// Frames a second; nil where nobody knows.
        package var rate: Fraction?
        package var isInterlaced = false
        package var isTopFieldFirst = true

        package init(
            primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool, pixelAspect: Fraction, rate: Fraction?
        ) {
            (self.primaries, self.transfer, self.matrix) = (primaries, transfer, matrix)
            (self.isFullRange, self.pixelAspect, self.rate) = (isFullRange, pixelAspect, rate)
        }
    }

    /// A frame that came out, lent.
    package struct Filtered {
        package let planes: FramePlanes
        package let properties: Properties
        /// When it is shown, in nanoseconds; nil where the filters do not say.
        package let time: Int64?
    }

    /// What comes out: GStreamer's name of the format, and what the graph tells of the frames.
    package let format: (name: String, stored: FrameFormat)
    package let rate: Fraction?
    package let pixelAspect: Fraction

    private let library: FilterLibrary
    private let graph: FilterGraph
    private let given: FilterFrame
    private let taken: FilterFrame
    /// Of what comes out, in seconds.
    private let timeBase: AVRational

    /// - Throws: ``FilterFailure`` with what libavfilter says of the text.
    package init(_ library: FilterLibrary, _ text: String, _ format: FrameFormat, _ properties: Properties)
        throws(FilterFailure)
    {
        let aspect = properties.pixelAspect
        var source = format.source(
            timeBase: "1/1000000000", pixelAspect: "\(aspect.numerator)/\(aspect.denominator)")
        if let rate = properties.rate { source += ":frame_rate=\(rate.numerator)/\(rate.denominator)" }
        self.library = library
        graph = try FilterGraph(
            library, text, inputs: [.init("in", source)],
            formats: ("format", "pix_fmts=\(FrameFormat.libavPlanar.joined(separator: "|"))"), threads: 0)
        (given, taken) = (try FilterFrame(library), try FilterFrame(library))
        let output = graph.output
        let pixels = AVPixelFormat(library.format(output))
        guard let name = FrameFormat.name(of: pixels),
            let stored = FrameFormat(
                name, width: Int(library.width(output)), height: Int(library.height(output)))
        else { throw FilterFailure("what comes out is not a frame") }
        self.format = (name, stored)
        rate = library.frameRate(output).fraction
        pixelAspect = library.pixelAspect(output).fraction ?? Fraction(1)
        timeBase = library.timeBase(output)
    }

    /// Says what is wrong with a text, as far as that is known of all frames.
    ///
    /// - Throws: ``FilterFailure``.
    package static func check(_ text: String, _ library: FilterLibrary) throws(FilterFailure) {
        guard let format = FrameFormat("I420", width: 2, height: 2) else { return }
        let source = format.source(timeBase: "1/1", pixelAspect: "1/1")
        _ = try FilterGraph(library, text, inputs: [.init("in", source)], isOnlyRead: true)
    }

    /// - Parameter time: when it is shown, in nanoseconds.
    package func add(_ samples: FramePlanes, _ properties: Properties, at time: Int64) throws(FilterFailure) {
        try given.fill(samples, at: time)
        let frame = given.pointer
        frame.pointee.sample_aspect_ratio = AVRational(
            num: Int32(clamping: properties.pixelAspect.numerator),
            den: Int32(clamping: properties.pixelAspect.denominator))
        frame.pointee.color_primaries = AVColorPrimaries(UInt32(properties.primaries))
        frame.pointee.color_trc = AVColorTransferCharacteristic(UInt32(properties.transfer))
        frame.pointee.colorspace = AVColorSpace(UInt32(properties.matrix))
        frame.pointee.color_range = properties.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        rushes_av_frame_set_interlaced(
            frame, properties.isInterlaced ? 1 : 0, properties.isTopFieldFirst ? 1 : 0)
        try graph.add(frame)
    }

    /// No more comes.
    package func end() throws(FilterFailure) { try graph.add(nil) }

    /// Lends a frame that came out; nil where none has.
    package func take<Result>(_ body: (Filtered) throws -> Result) throws -> Result? {
        guard try graph.take(taken.pointer) else { return nil }
        defer { taken.empty() }
        let frame = taken.pointer.pointee
        guard frame.width == format.stored.width, frame.height == format.stored.height else {
            throw FilterFailure("the frames change their size on the way")
        }
        var properties = Properties(
            primaries: Int(frame.color_primaries.rawValue), transfer: Int(frame.color_trc.rawValue),
            matrix: Int(frame.colorspace.rawValue), isFullRange: frame.color_range == AVCOL_RANGE_JPEG,
            pixelAspect: pixelAspect, rate: rate)
        properties.isInterlaced = rushes_av_frame_interlaced(taken.pointer) != 0
        properties.isTopFieldFirst = rushes_av_frame_top_first(taken.pointer) != 0
        let planes = try zip(format.stored.planes, taken.planes).map { _, plane in
            (base: UnsafeRawPointer(try library.made(plane.base, "memory")), bytesPerRow: plane.bytesPerRow)
        }
        return try body(
            Filtered(
                planes: FramePlanes(format.stored, planes), properties: properties,
                time: frame.pts == rushes_av_no_time ? nil : timeBase.nanoseconds(frame.pts)))
    }
}

extension FramePlanes {
    /// Copies them to the planes of a frame of the same format.
    package func copy(to targets: [(base: UnsafeMutableRawPointer, bytesPerRow: Int)]) {
        for (plane, (source, target)) in zip(format.planes, zip(planes, targets)) {
            plane.copy(source, to: target, format)
        }
    }
}

extension AVRational {
    /// nil where it is none, or none that is known.
    fileprivate var fraction: Fraction? { num > 0 && den > 0 ? Fraction(Int(num), Int(den)) : nil }

    /// Rounded to the nearest.
    func nanoseconds(_ ticks: Int64) -> Int64 {
        let (high, low) = ticks.magnitude.multipliedFullWidth(by: UInt64(num) * 1_000_000_000)
        let divisor = UInt64(den)
        guard divisor > 0, high < divisor else { return ticks < 0 ? .min : .max }
        let (quotient, rest) = divisor.dividingFullWidth((high, low))
        let rounded = Int64(clamping: quotient + (rest >= divisor - divisor / 2 ? 1 : 0))
        return ticks < 0 ? -rounded : rounded
    }
}
