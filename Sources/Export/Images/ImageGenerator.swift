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
    let input: MovieInput
    let status = ExportStatus()

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
    ///   - limits: how large they are; nil: as the movie's frames.
    ///   - progress: called with the part of the way to the last one that has been read, from 0 to 1.
    ///   - tell: called for each that has its name.
    /// - Throws: ``RushesError``; those that were told of are there.
    package func write(
        _ images: [(time: MediaTime, destination: MovieDestination)], within limits: ImageLimits? = nil,
        progress: @escaping (Double) -> Void = { _ in }, tell: (Image) -> Void
    ) async throws {
        var left = images[...]
        try await frames(at: images.map(\.time), progress) { sample, time in
            guard let (_, destination) = left.popFirst() else { return }
            let image = try await onOwnThread("rushes-image") {
                let image = try FrameImage(sample, light, marks(at: time), within: limits)
                try write(image, to: destination)
                return Image(path: destination.path, size: image.size, notes: image.notes)
            }
            tell(image)
        }
    }

    /// Hands over the frames that are shown at some times.
    ///
    /// - Parameters:
    ///   - times: in their order.
    ///   - take: called for each, with its time.
    /// - Throws: ``RushesError``; what `take` throws.
    func frames(
        at times: [MediaTime], _ progress: @escaping (Double) -> Void,
        _ take: (Sample, MediaTime) async throws -> Void
    ) async throws {
        var (reasons, left) = (RetryReasons(), times[...])
        status.report(.opened)
        while true {
            do {
                return try await read(&left, reasons, progress, take)
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

    var noFrames: RushesError {
        RushesError(.badInput, on: input.displayName, "No frames come out of the video of \(input.displayName) here.")
    }

    private func read(
        _ left: inout ArraySlice<MediaTime>, _ reasons: RetryReasons, _ progress: @escaping (Double) -> Void,
        _ take: (Sample, MediaTime) async throws -> Void
    ) async throws {
        let source = try source(reasons)
        try await source.reading(status) { _ in
            let track = try await openVideo(of: source)
            let last = left.last?.seconds ?? 0
            var walk = FrameWalk(source, track, seeks: source.isIndexed && !reasons.contains(.seeking)) {
                progress(last > 0 ? min(1, $0.seconds / last) : 1)
            }
            while let next = left.first {
                let span = ExportTimeRange(
                    TimeRange(start: next), tracks: [track], firstPacket: source.timeOrigin, duration: duration)
                let sample = try await walk.frame(at: span.origin)
                if !input.properties.isIndexed, let end = walk.end, end <= span.origin {
                    throw ends(at: end - (span.origin - next))
                }
                try await take(sample, next)
                left.removeFirst()
            }
        }
    }

    /// - Throws: ``RushesError`` without video; ``GStreamerError``.
    func source(_ reasons: RetryReasons) throws -> MovieSource {
        guard let file = input.file else { throw noFrames }
        var filters = MediaReader.Filters(deinterlacing: .auto)
        filters.format = try Caps("video/x-raw,pixel-aspect-ratio=1/1")
        filters.uprights = input.properties.orientation
        return try MovieSource(video: file, input.properties, filters, without: reasons)
    }

    /// - Throws: ``RetryReason`` where another try can do without what failed; ``RushesError`` without video; ``GStreamerError``.
    func openVideo(of source: MovieSource) async throws -> OpenedTrack {
        try await source.open()
        let opened = try await EncodingRun.openTracks(source)
        if let reason = await source.completion(opened, status) { throw reason }
        if let track = opened.video { return track }
        try source.check(opened)
        throw RushesError(
            .badInput, on: input.displayName,
            "There is no video in \(input.displayName) that an image could be taken of.")
    }

    /// What the file tells of HDR, where its frames do not.
    var light: LightMetadata {
        let told = input.properties.movie?.video.first
        return LightMetadata(display: told?.masteringDisplay, content: told?.contentLight)
    }

    /// Blocks.
    func write(_ image: FrameImage, to destination: MovieDestination) throws {
        let bytes = try image.bytes(as: FrameImage.Format(destination.path))
        let output = TemporaryOutput(for: destination)
        do {
            _ = try output.file().withDescriptor { try $0.writeAll(bytes) }
            try output.commit()
        } catch let error as Errno {
            output.remove()
            // In the words of movies, with their cure.
            throw RushesError(MovieFileError(error, operation: "writing the image"), on: destination.path)
        } catch {
            output.remove()
            throw error
        }
    }

    /// What is told beside the pixels; nil where the movie does not say when it was made.
    func marks(at time: MediaTime) -> PhotoMarks? {
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
