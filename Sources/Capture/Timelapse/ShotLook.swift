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
    /// Whether a stamp was wider than its frame, and whether that is told.
    private let cut = Locked((isThere: false, isTold: false))

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

    /// What is said where a stamp was wider than its frame, as one of a later time can be; once.
    func takeCutNote() -> String? {
        cut.withLock { cut in
            guard cut.isThere, !cut.isTold else { return nil }
            cut.isTold = true
            return StampPainter.cutNote
        }
    }

    /// The images of a movie; `nil` where there are none to be.
    ///
    /// - Parameter day: of a movie a day, as in its name.
    /// - Returns: those that can be had, and why others cannot.
    func images(of day: String?) -> (images: ShotImages?, refusals: [RushesError]) {
        var (places, refusals): ([FrameImages.Kind: MovieDestination], [RushesError]) = ([:], [])
        for (kind, whole) in images {
            let place = day.map { whole.dated($0) } ?? whole
            do throws(RushesError) {
                try place.check(needing: 0)
                places[kind] = place
            } catch { refusals.append(error) }
        }
        return (places.isEmpty ? nil : ShotImages(places), refusals)
    }

    /// Lets a movie's shots have it.
    ///
    /// - Returns: what is to be told of each shot; `nil` where nobody needs to know.
    func apply(to writer: MovieWriter, rate: Fraction, _ images: ShotImages?) -> PendingShots? {
        let pending = stamp != nil || images != nil ? PendingShots(rate: rate) : nil
        guard table != nil || pending != nil else { return nil }
        // Only the encoder's thread asks.
        let tools = Locked(
            Tools(
                grader: table.map { FrameGrader($0) },
                painter: stamp.map { StampPainter($0.format, $0.renderer) }))
        writer.editFrames { [cut] buffer, caps in
            try tools.withLock { tools in
                var buffer = try tools.grader?.apply(to: buffer, caps).buffer ?? buffer
                guard let pending else { return buffer }
                let format = try tools.format(caps)
                guard let shot = pending.take(at: buffer.presentationTime) else { return buffer }
                images?.add(buffer, format, shot: shot.number)
                try tools.painter?.draw(StampMoment(wall: shot.wall), into: &buffer, format)
                if tools.painter?.isCut == true { cut.withLock { $0.isThere = true } }
                return buffer
            }
        }
        return pending
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

/// The shots that are on their way to an encoder, by their times in the movie.
final class PendingShots: Sendable {
    struct Shot: Sendable {
        /// Among all shots of the timelapse.
        let number: Int
        /// When it was due.
        let wall: MediaTime
    }

    private let rate: Fraction
    private let shots = Locked<[Int: Shot]>([:])

    init(rate: Fraction) { self.rate = rate }

    /// - Parameters:
    ///   - shot: `nil` for one that the movie does not get after all.
    ///   - place: in the movie, 0 for the first that was handed over.
    func note(_ shot: Shot?, at place: Int) { shots.withLock { $0[place] = shot } }

    /// The shot of a time in the movie, asked once.
    func take(at time: MediaTime?) -> Shot? {
        guard let time else { return nil }
        let place = Int((time.seconds * rate.doubleValue).rounded())
        return shots.withLock { $0.removeValue(forKey: place) }
    }
}

/// The images that grow beside a movie, and are written once that is complete.
final class ShotImages: Sendable {
    private let places: [FrameImages.Kind: MovieDestination]
    private let images: FrameImages
    /// The shots that are in them. One that is handed to the next file as well, as the one before broke off, counts once.
    private let shots = Locked(IndexSet())

    init(_ places: [FrameImages.Kind: MovieDestination]) {
        self.places = places
        images = FrameImages(places.mapValues { "\($0.path)" })
    }

    func add(_ buffer: Buffer, _ format: ComposedFormat, shot: Int) {
        let isNew = shots.withLock { shots in
            // Foundation's insertion says of each that it is new.
            defer { shots.insert(shot) }
            return !shots.contains(shot)
        }
        if isNew { images.add(buffer, format) }
    }

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
