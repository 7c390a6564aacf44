import Composition
import FileSystem
import Foundation
import GStreamer
import MediaTypes
import SystemPackage
import Threads

extension ImageGenerator {
    /// Writes a frame as a small JPEG for those who watch the work: of about a third of the movie, as many begin black.
    ///
    /// - Returns: whether it is there; a frame that cannot be read in time is no reason to say anything.
    static func writeThumbnail(
        of movie: FilePath, to path: FilePath, within limit: Duration = .seconds(5)
    ) async -> Bool {
        let bytes = await withTimeout(limit) {
            try? await FrameThumbnail.jpeg(of: ImageGenerator(of: movie).representativeFrame(), .upright).withBytes {
                Data($0)
            }
        }
        guard let bytes, let bytes else { return false }
        return (try? AtomicFile.replace(path, with: bytes)) != nil
    }

    /// What is shown at a third of it, or as near to that as two seconds of frames behind a key frame lead.
    private func representativeFrame() async throws -> Sample {
        let source = try source(RetryReasons())
        return try await source.reading(status) { _ in
            let track = try await openVideo(of: source)
            let third = MediaTime(nanoseconds: (duration ?? .zero).nanoseconds / 3)
            var sample = track.first
            if source.isIndexed, third > 2 * .second, await source.seek(to: third, .keyFrameBefore) {
                sample = try await source.firstSample(of: track.track) ?? sample
            }
            let end = min(third, (sample.movieTime ?? .zero) + 2 * .second)
            while let next = try await source.firstSample(of: track.track), next.movieTime ?? .max <= end {
                sample = next
            }
            return sample
        }
    }
}
