package import Encoding
package import Errors
import FileSystem
import Foundation
import GStreamer
package import MediaTypes
import MovieFiles
import Photos
package import SystemPackage
import Threads

/// Writes single frames of a movie as images, as AVFoundation's `AVAssetImageGenerator` makes them: upright, in the proportions in which they are
/// shown.
package struct ImageGenerator: Sendable {
    private let input: MovieInput
    private let status = ExportStatus()

    /// An image that was written.
    package struct Image: Sendable {
        package let path: FilePath
        package let size: VideoSize
        /// Sentences for people.
        package let notes: [String]
    }

    /// Reads what the movie tells about itself. Blocks.
    ///
    /// - Throws: ``RushesError`` if it is no movie.
    package init(of movie: FilePath) throws(RushesError) { input = try MovieInput(try InputFile(movie)) }

    /// `nil` where only reading it tells.
    package var duration: MediaTime? { input.properties.duration }

    /// Looks at all that can be known before: that each time lies in the movie, and each name can be written. Blocks.
    ///
    /// - Throws: ``RushesError`` in one sentence with the cure.
    package func check(_ images: [(time: MediaTime, destination: MovieDestination)]) throws(RushesError) {
        for (time, destination) in images {
            let name = destination.path.displayName
            _ = try FrameImage.Format(destination.path)
            guard !input.path.isSameFile(as: destination.path) else {
                throw RushesError(
                    .invalidSettings, on: name, "\(name) is the input itself; name another file.")
            }
            // What others say of their length is a guess.
            if input.properties.isIndexed, let duration, duration > .zero, time >= duration { throw ends(at: duration) }
            try destination.check()
        }
    }

    /// Writes the frames that are shown at some times.
    ///
    /// - Parameters:
    ///   - images: in the order of their times.
    ///   - progress: called with the part of the way to the last one that has been read, from 0 to 1.
    ///   - tell: called for each that has its name.
    /// - Throws: ``RushesError``; those that were told of are there.
    package func write(
        _ images: [(time: MediaTime, destination: MovieDestination)],
        progress: @escaping (Double) -> Void = { _ in }, tell: (Image) -> Void
    ) async throws {
        var (reasons, left) = (RetryReasons(), images[...])
        status.report(.opened)
        while true {
            do {
                return try await write(&left, reasons, progress, tell)
            } catch let reason as RetryReason {
                guard reasons.insert(reason) else { throw noFrames }
            }
        }
    }

    private func ends(at time: MediaTime) -> RushesError {
        RushesError(
            .invalidSettings, on: input.displayName,
            "\(input.displayName) lasts \(time.secondsToHundredths) s; choose an earlier \(Term.imageTime).")
    }

    private var noFrames: RushesError {
        RushesError(.badInput, on: input.displayName, "No frames come out of the video of \(input.displayName) here.")
    }

    private func write(
        _ left: inout ArraySlice<(time: MediaTime, destination: MovieDestination)>, _ reasons: RetryReasons,
        _ progress: @escaping (Double) -> Void, _ tell: (Image) -> Void
    ) async throws {
        guard let file = input.file else { throw noFrames }
        var filters = MediaReader.Filters(deinterlacing: .auto)
        filters.format = try Caps("video/x-raw,pixel-aspect-ratio=1/1")
        filters.uprights = input.properties.orientation
        let source = try MovieSource(video: file, input.properties, filters, without: reasons)
        try await source.reading(status) { _ in
            try await source.open()
            let opened = try await EncodingRun.openTracks(source)
            if let reason = await source.completion(opened, status) { throw reason }
            guard let track = opened.video else {
                try source.check(opened)
                throw RushesError(
                    .badInput, on: input.displayName,
                    "There is no video in \(input.displayName) that an image could be taken of.")
            }
            let last = left.last?.time.seconds ?? 0
            var walk = FrameWalk(source, track, seeks: source.isIndexed && !reasons.contains(.seeking)) {
                progress(last > 0 ? min(1, $0.seconds / last) : 1)
            }
            while let next = left.first {
                let span = ExportTimeRange(
                    TimeRange(start: next.time), tracks: [track], firstPacket: source.timeOrigin, duration: duration)
                let sample = try await walk.frame(at: span.origin)
                if !input.properties.isIndexed, let end = walk.end, end <= span.origin {
                    throw ends(at: end - (span.origin - next.time))
                }
                tell(try await onOwnThread("rushes-image") { try write(sample, next.time, to: next.destination) })
                left.removeFirst()
            }
        }
    }

    /// Blocks.
    private func write(_ sample: Sample, _ time: MediaTime, to destination: MovieDestination) throws -> Image {
        let told = input.properties.movie?.video.first
        let image = try FrameImage(
            sample, LightMetadata(display: told?.masteringDisplay, content: told?.contentLight), marks(at: time))
        let bytes = try image.bytes(as: FrameImage.Format(destination.path))
        let output = TemporaryOutput(for: destination)
        do {
            _ = try output.file().withDescriptor { try $0.writeAll(bytes) }
            try output.commit()
        } catch {
            output.remove()
            throw error
        }
        return Image(path: destination.path, size: image.size, notes: image.notes)
    }

    /// What is told beside the pixels; nil where the movie does not say when it was made.
    private func marks(at time: MediaTime) -> PhotoMarks? {
        let metadata = input.properties.metadata
        guard let made = metadata.creationDate else { return nil }
        var marks = PhotoMarks(
            date: made.date.addingTimeInterval(time.seconds), secondsFromGMT: made.secondsFromGMT)
        (marks.make, marks.model, marks.software) = (metadata.make, metadata.model, metadata.software)
        if let place = metadata.location.flatMap({ Coordinate(iso6709: $0) }) {
            marks.place = (place.latitude, place.longitude)
        }
        return marks
    }
}
