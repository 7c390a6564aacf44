import Errors
import GStreamer
import MediaFilters
import MediaTypes

/// Frames of a movie on their way through libavfilter.
///
/// It holds the latest frame back, as only the next one tells how long it is shown.
// One thread at a time carries frames.
final class FrameFilter: @unchecked Sendable {
    /// A frame that came out.
    struct Timed {
        var frame: Buffer
        var time: MediaTime
        var duration: MediaTime
    }

    /// What the frames are that come out.
    let caps: Caps
    private let (input, output): (VideoFrameLayout, VideoFrameLayout)
    private let format: FrameFormat
    private let given: VideoFilter.Properties
    private let filter: VideoFilter
    private let pool: FramePool
    private var held: (frame: Buffer, time: MediaTime)?
    /// How long the frame before that was shown, and the last one that went in.
    private var gap: MediaTime?
    private var last: (time: MediaTime, duration: MediaTime) = (.zero, .zero)

    /// - Parameters:
    ///   - caps: what the frames are.
    ///   - first: what they look like, by which is found what becomes of their colors; nil: those stay.
    /// - Throws: ``RushesError`` where the filters refuse them.
    init(_ text: String, _ caps: Caps, of first: Buffer? = nil) throws(RushesError) {
        do {
            guard let layout = VideoFrameLayout(caps), let properties = VideoFilter.Properties(caps),
                let format = FrameFormat(layout.format, width: layout.size.width, height: layout.size.height)
            else { throw FilterFailure("it takes no frames of the kind \(caps)") }
            let library = try FilterChoice.library
            (input, self.format, given) = (layout, format, properties)
            filter = try VideoFilter(library, text, format, properties)
            let seen = try first.flatMap { try Self.result(library, text, layout, format, properties, $0) }
            self.caps = caps.filtered(by: filter, given: properties, seen: seen)
            guard let output = VideoFrameLayout(self.caps) else { throw FilterFailure("what comes out is not a frame") }
            self.output = output
            pool = try FramePool(self.caps, output)
        } catch {
            throw RushesError(refused: text, .videoFilter, FilterFailure(error))
        }
    }

    /// What comes of a frame by itself; nil where filters want more.
    private static func result(
        _ library: FilterLibrary, _ text: String, _ layout: VideoFrameLayout, _ format: FrameFormat,
        _ properties: VideoFilter.Properties, _ frame: Buffer
    ) throws -> VideoFilter.Properties? {
        let filter = try VideoFilter(library, text, format, properties)
        try frame.withPlanes(layout) { planes in
            try filter.add(FramePlanes(format, planes), properties, at: 0)
        }
        try filter.end()
        return try filter.take { $0.properties }
    }

    /// - Returns: what came out, in the order in which it is shown.
    func apply(to frame: Buffer, time: MediaTime, duration: MediaTime) throws(RushesError) -> [Timed] {
        try FilterFailure.explaining(.videoFilter) {
            var properties = given
            (properties.isInterlaced, properties.isTopFieldFirst) = (frame.isInterlaced, frame.isTopFieldFirst)
            last = (time, duration)
            try frame.withPlanes(input) { planes in
                try filter.add(FramePlanes(format, planes), properties, at: time.nanoseconds)
            }
            return try taken()
        }
    }

    /// What is left when no more comes.
    func end() throws(RushesError) -> [Timed] {
        try FilterFailure.explaining(.videoFilter) {
            try filter.end()
            var frames = try taken()
            if let held {
                let own = held.time == last.time ? last.duration : gap
                frames.append(Timed(frame: held.frame, time: held.time, duration: own ?? last.duration))
            }
            held = nil
            return frames
        }
    }

    private func taken() throws -> [Timed] {
        var frames: [Timed] = []
        while let (frame, time) = try filter.take({ try copy($0) }) {
            // Times that go back, or are not told, follow the frame before.
            let time = max(time ?? .zero, held.map { $0.time + .microsecond } ?? .zero)
            if let held {
                gap = time - held.time
                frames.append(Timed(frame: held.frame, time: held.time, duration: time - held.time))
            }
            held = (frame, time)
        }
        return frames
    }

    private func copy(_ filtered: VideoFilter.Filtered) throws -> (Buffer, MediaTime?) {
        guard var buffer = pool.buffer() else { throw FilterFailure("there is no memory") }
        try buffer.withMutablePlanes(output) { planes in
            filtered.planes.copy(to: planes.map { ($0.base, $0.bytesPerRow) })
        }
        if filtered.properties.isInterlaced {
            buffer = buffer.interlaced(topFieldFirst: filtered.properties.isTopFieldFirst)
        }
        return (buffer, filtered.time.map { MediaTime(nanoseconds: $0) })
    }
}

extension FramePlanes {
    fileprivate init(_ format: FrameFormat, _ planes: [FramePlane]) {
        self.init(format, planes.map { (UnsafeRawPointer($0.base), $0.bytesPerRow) })
    }
}
