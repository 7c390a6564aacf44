import Composition
import Encoding
import Errors
import Foundation
import GStreamer
import Imaging
import LiveActivity
import MediaDecoding
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

/// A video, for a timelapse.
struct TimelapseOrigin: ExportOrigin {
    let timelapse: Timelapse

    var path: FilePath { timelapse.input }
    var kind: ActivityKind { .timelapse }
    var images: [MovieDestination] { timelapse.look.images }

    func open() throws -> @Sendable () throws -> any ExportInput {
        let file = try InputFile(path)
        return { [timelapse] in try TimelapseInput(file, timelapse) }
    }
}

/// A video as what a timelapse is made of: a few of its frames, and its audio where that is wanted.
struct TimelapseInput: ExportInput {
    private let opened: InputFile
    private let grid: TimelapseGrid
    /// What is known of the input, of which ``properties`` tell what the timelapse has.
    private var original: InputProperties
    /// Where the file has an index that tells what can be decoded by itself.
    private let index: VideoIndex?
    private let selection: FrameSelection?
    /// How many times as fast audio is; nil without.
    private let tempo: Double?
    private let look: TimelapseLook
    private let wish: TimelapseLight
    /// What becomes of each frame's light, once that is known.
    private var light = LightPlan()
    private let images: TimelapseImages
    /// How many frames the timelapse has, if all can be decoded.
    private let frameCount: Int
    /// When the first frame is shown in the video's own time, from which its audio, its chapters and its date count; zero where no index
    /// tells it, and it is known with the first frame.
    private let beginning: MediaTime
    private(set) var properties: InputProperties

    var notes: [String] { original.bytes.appended.map { [$0.note] } ?? [] }

    /// Reads what the file tells about itself, and chooses frames. Blocks.
    ///
    /// - Throws: ``RushesError`` if it is no video, or at this speed leaves less than two frames.
    init(_ file: InputFile, _ timelapse: Timelapse) throws(RushesError) {
        var properties = try InputProperties(file)
        opened = file
        original = properties
        // What cannot be read in parts is decoded as a whole.
        index = try? VideoIndex(FilePath(file.location))
        beginning = (try? index?.beginning()) ?? .zero
        guard let duration = index?.duration ?? properties.duration, duration > .zero else {
            throw RushesError(
                .badInput, "\(file.path.displayName) does not say how long it lasts; export it to a movie first.")
        }
        grid = try timelapse.grid(of: duration)
        tempo = try timelapse.tempo(of: duration)
        (look, images, wish) = (timelapse.look, TimelapseImages(timelapse.look), timelapse.light)
        // A shutter that is open needs all frames.
        selection =
            look.blend != nil
            ? nil
            : index.map { [grid] in
                FrameSelection($0.frames, duration: duration, grid: grid, isExact: timelapse.isExact)
            }
        frameCount = grid.count(in: duration)
        if timelapse.look.stamp != nil, properties.metadata.isTimelapse {
            throw RushesError(
                .invalidSettings, on: file.path.string,
                "\(file.path.displayName) is a timelapse, which does not say when each of its frames was taken, so no time can be "
                    + "drawn into them; leave the \(Term.stamp) out.")
        }
        if let stamp = timelapse.look.stamp, let date = properties.metadata.creationDate {
            try StampPainter.check(stamp, StampMoment(date))
        } else if timelapse.look.stamp != nil {
            throw RushesError(
                .invalidSettings, on: file.path.string,
                "\(file.path.displayName) does not say when it was recorded, so no time can be drawn into its frames; "
                    + "give it a date, or leave the \(Term.stamp) out.")
        }
        properties.duration = MediaTime(samples: frameCount, of: grid.rate)
        properties.chapters = properties.chapters.map { [grid, beginning] in
            MovieInfo.Chapter(start: grid.shown(at: max(.zero, $0.start - beginning)), title: $0.title)
        }
        // What is drawn lies as people see the frames, so it is drawn into them upright.
        if look.isPlaced { properties.orientation = .upright }
        properties.keepsFrames = timelapse.look.pan == nil
        if timelapse.pace != .speed(1) { properties.metadata.markTimelapse() }
        // It counts frames of the source.
        (properties.timeCode, properties.declared) = (nil, [])
        self.properties = properties
    }

    /// None of its bytes are copied.
    var file: InputFile? { nil }
    var readFiles: [InputFile] { [opened] }
    var displayName: String { opened.path.displayName }

    /// Whether frames go through ``TimelapseFilters``.
    private func isLooked(_ table: LookupTable?) -> Bool { !look.isPlain || table != nil || light != LightPlan() }

    /// Looks at the light of the frames that will be shown, where that is to be changed.
    func prepared(_ status: ExportStatus) async throws -> any ExportInput {
        guard wish.isMeasured else { return self }
        // What some hardware refuses would end it here, and is tried again only later.
        var decoding = MediaReader.Decoding(original)
        decoding.avoidsHardware = true
        var input = self
        let (measured, media) = try await measured(decoding, status)
        if let media { input.original.take(media) }
        input.light = LightPlan(measured, wish)
        if tempo != nil, let first = measured.first { input.light.keepBeginning(from: first.number) }
        if tempo == nil { input.moveChapters() }
        return input
    }

    /// The light of the frames that GStreamer decodes, or where it gives none, libavcodec, and then what that reads.
    private func measured(
        _ decoding: MediaReader.Decoding, _ status: ExportStatus
    ) async throws -> (lights: [(number: Int, light: Double?)], media: DecodedMedia?) {
        var filters = MediaReader.Filters(format: try TimelapseFilters.caps)
        let orientation = original.orientation
        let lights = VideoLights(
            reader: try reader(&filters, decoding), properties: properties, rate: grid.rate,
            region: wish.region?.stored(orientation.rotation, isMirrored: orientation.isMirrored),
            count: selection?.chosen.count ?? frameCount, status: status)
        var failure: (any Error)?
        do {
            let measured = try await lights.measure()
            if !measured.isEmpty { return (measured, nil) }
        } catch {
            failure = InputFailure.explain(error, lights.reader, opened)
        }
        if decoding.decoded == nil, !(failure is CancellationError) {
            var other = decoding
            other.decoded = await onOwnThread("rushes-decoder", orAfter: .seconds(20), otherwise: nil) {
                [opened, original] in DecodedMedia(opened, original)
            }
            if let media = other.decoded { return (try await measured(other, status).lights, media) }
        }
        if let failure { throw failure }
        return ([], nil)
    }

    /// Those behind frames that are left out move up as they do.
    private mutating func moveChapters() {
        properties.chapters = properties.chapters.map { chapter in
            let number = grid.rate.slot(of: chapter.start)
            let dropped = MediaTime(samples: light.flashes.count { $0 < number }, of: grid.rate)
            return MovieInfo.Chapter(start: max(.zero, chapter.start - dropped), title: chapter.title)
        }
    }

    /// Reads the frames that are shown, at their new times.
    private func reader(
        _ filters: inout MediaReader.Filters, _ decoding: MediaReader.Decoding
    ) throws -> MediaReader {
        let choose: @Sendable (SourceStream) -> SourceStream.StreamDisposition = {
            $0.kind == .video && $0.index == 0 ? .decode : .leaveOut
        }
        guard let index, let selection, decoding.decoded == nil else {
            filters.retiming = .sampling(grid, shutter: look.shutter)
            return try MediaReader(opened, filters: filters, decoding: decoding, disposition: choose)
        }
        let sparse = try selection.movie(of: index, beginning: beginning, rate: grid.rate)
        filters.retiming = sparse.retiming
        return try MediaReader(sparse.movie, filters: filters, decoding: decoding, disposition: choose)
    }

    func source(for target: ExportTarget, without reasons: RetryReasons) throws -> any FrameSource {
        var filters = StreamChoice(target: target, properties: properties).filters
        var original = original
        let media = reasons.decoded(of: opened) ?? original.decoded
        var known = properties
        if let media {
            original.take(media)
            known.decoded = media
        }
        let decoding = MediaReader.Decoding(original, without: reasons)
        // It comes behind what makes one frame of many.
        (filters.lookupTable, filters.format) = (nil, nil)
        if isLooked(target.lookupTable) {
            filters.format = try TimelapseFilters.caps
        }
        if look.isPlaced { filters.uprights = original.orientation }
        filters.tempo = tempo
        // The frames' reader may have nothing but frames, and each track is read as fast as it is encoded.
        let audio = try tempo.map { _ in
            try MediaReader(opened, filters: filters, decoding: decoding) {
                $0.kind == .audio && $0.index == 0 ? .decode : .leaveOut
            }
        }
        let reader = try reader(&filters, decoding)
        let (date, begin, grid) = (properties.metadata.creationDate, beginning.seconds, grid)
        return try TimelapseSource(
            file: opened, properties: known, filters: filters, reader: reader, audio: audio,
            summary: media == nil ? summary : nil, expectedFrames: media == nil ? selection?.chosen.count : nil,
            look: look, light: light,
            lookupTable: target.lookupTable, isLooked: isLooked(target.lookupTable),
            images: images, frameCount: frameCount,
            clock: { time in
                date.map { StampMoment($0, after: begin + grid.curve.source(at: time.seconds)) }
            })
    }

    func writeImages() -> [String] { images.write() }

    /// What is decoded, in a sentence.
    private var summary: String? {
        guard let index, let selection, selection.decodedCount < index.frames.count else { return nil }
        let areKeys = selection.decodedCount == selection.chosen.count
        return
            "\(selection.decodedCount) of \(index.frames.count) frames were decoded\(areKeys ? ", key frames alone" : "")."
    }
}
