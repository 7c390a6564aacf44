import Composition
import Encoding
import Errors
import FileSystem
import Foundation
import GStreamer
import Imaging
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

/// What is done to the shots of a timelapse as their encoder gets them, and what images grow of them.
struct ShotLook: Sendable {
    /// That the colors are looked up in.
    private let table: LookupTable?
    private let stamp: (format: String, renderer: TextRenderer)?
    private let images: [FrameImages.Kind: MovieDestination]

    /// - Throws: ``RushesError`` for a look-up table that cannot be read, and a stamp that draws nothing, or that cannot be drawn here.
    init(_ settings: TimelapseSettings, at wall: MediaTime) async throws {
        table = try await settings.movie.readLookupTable(isCopied: false)
        images = [.keogram: settings.keogram, .trails: settings.trails].compactMapValues(\.self)
        guard let format = settings.stamp else {
            stamp = nil
            return
        }
        try StampPainter.check(format, StampMoment(wall: wall))
        let renderer = try TextRenderer()
        await renderer.open()
        stamp = (format, renderer)
    }

    /// Without anything.
    init() { (table, stamp, images) = (nil, nil, [:]) }

    func close() async { await stamp?.renderer.stop() }

    /// - Parameter caps: of the shots.
    /// - Throws: ``RushesError`` for a stamp that is wider than the frames. Blocks while it is drawn.
    func check(_ caps: Caps, at wall: MediaTime) throws(RushesError) {
        guard let stamp, let size = VideoFrameLayout(caps)?.size else { return }
        var painter = StampPainter(stamp.format, stamp.renderer)
        _ = painter.stamp(StampMoment(wall: wall), in: size)
        if painter.isCut { throw StampPainter.cut }
    }

    /// The images of a movie; `nil` where there are none to be.
    ///
    /// - Parameter day: of a movie a day, as in its name.
    /// - Throws: ``RushesError`` where they cannot be had.
    func images(of day: String?) throws(RushesError) -> ShotImages? {
        guard !images.isEmpty else { return nil }
        let places = images.mapValues { place in day.map { place.dated($0) } ?? place }
        for place in places.values { try place.check(needing: 0) }
        return ShotImages(places)
    }

    /// Lets a movie's shots have it.
    ///
    /// - Returns: what is to be told when each shot was due; `nil` where nobody needs to know.
    func apply(to writer: MovieWriter, rate: Fraction, _ images: ShotImages?) -> ShotTimes? {
        let times = stamp.map { _ in ShotTimes(rate: rate) }
        guard table != nil || times != nil || images != nil else { return nil }
        // Only the encoder's thread asks.
        let tools = Locked(
            Tools(
                grader: table.map { FrameGrader($0) },
                painter: stamp.map { StampPainter($0.format, $0.renderer) }))
        writer.editFrames { [isDrawn = times != nil || images != nil] buffer, caps in
            try tools.withLock { tools in
                var buffer = try tools.grader?.apply(to: buffer, caps).buffer ?? buffer
                guard isDrawn else { return buffer }
                let format = try tools.format(caps)
                images?.add(buffer, format)
                if let moment = times?.takeMoment(at: buffer.presentationTime) {
                    try tools.painter?.draw(moment, into: &buffer, format)
                }
                return buffer
            }
        }
        return times
    }

    private struct Tools {
        var grader: FrameGrader?
        var painter: StampPainter?
        private var format: ComposedFormat?

        init(grader: FrameGrader?, painter: StampPainter?) { (self.grader, self.painter) = (grader, painter) }

        mutating func format(_ caps: Caps) throws(GStreamerError) -> ComposedFormat {
            if let format, format.caps == caps { return format }
            format = ComposedFormat(caps)
            guard let format, format.image.pixelFormat.isWritable else {
                throw GStreamerError(element: "look", message: "frames of this kind cannot be drawn into: \(caps)")
            }
            return format
        }
    }
}

/// When the shots were due that are on their way to an encoder, by their times in the movie.
final class ShotTimes: Sendable {
    private let rate: Fraction
    private let walls = Locked<[Int: MediaTime]>([:])

    init(rate: Fraction) { self.rate = rate }

    /// - Parameter wall: `nil` for a shot that the movie does not get after all.
    func note(_ wall: MediaTime?, of shot: Int) { walls.withLock { $0[shot] = wall } }

    /// When a shot was due, asked once.
    func takeMoment(at time: MediaTime?) -> StampMoment? {
        guard let time else { return nil }
        let shot = Int((time.seconds * rate.doubleValue).rounded())
        return walls.withLock { $0.removeValue(forKey: shot) }.map { StampMoment(wall: $0) }
    }
}

/// The images that grow beside a movie, and are written once that is complete.
final class ShotImages: Sendable {
    private let places: [FrameImages.Kind: MovieDestination]
    private let images: FrameImages

    init(_ places: [FrameImages.Kind: MovieDestination]) {
        self.places = places
        images = FrameImages(places.mapValues { "\($0.path)" })
    }

    func add(_ buffer: Buffer, _ format: ComposedFormat) { images.add(buffer, format) }

    /// Writes them. Blocks.
    ///
    /// - Returns: sentences about what was made of how many frames, and what could not be.
    func write() -> [String] {
        images.write { kind, bytes in
            guard let place = places[kind] else { return }
            let file = try UnfinishedFile(in: place.folder)
            try file.withDescriptor { descriptor in
                try descriptor.writeAll(bytes)
                try descriptor.synchronize()
            }
            try file.commit(to: place.path, replacing: place.replacesExisting)
        }
    }
}

extension StampMoment {
    /// By this machine's clock and zone.
    fileprivate init(wall: MediaTime) {
        let offset = TimeZone.current.secondsFromGMT(for: Date(wall: wall))
        self.init(local: wall.seconds + Double(offset), secondsFromGMT: offset)
    }
}
