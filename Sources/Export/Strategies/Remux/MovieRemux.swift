import Encoding
import Foundation
import GStreamer
import MovieFiles
import SystemPackage
import Threads

/// QuickTime to MP4 and back, and Matroska to either, where nothing is encoded but the edge of a part: the index is written
/// anew, the samples are copied as bytes, which is exact where a demuxer and a muxer are not: edit lists, priming, all kinds of
/// tracks.
struct MovieRemux: Sendable {
    let context: ExportContext
    let target: ExportTarget
    let facts: InputProperties

    /// - Returns: `nil` where the work is more than that.
    init?(_ context: ExportContext, _ target: ExportTarget, _ facts: InputProperties) {
        guard target.container.isMovieFile, target.copiesMovie(facts) else { return nil }
        // A part of Matroska begins with a key frame, as without edits no player shows anything else.
        guard facts.movie != nil || target.settings.range == nil else { return nil }
        (self.context, self.target, self.facts) = (context, target, facts)
    }

    /// The input as it is read once, and what its copy would be.
    struct Opened: Sendable {
        var original: MovieOriginal
        var options: MovieCopy.Options
        var copy: MovieCopy
    }

    /// - Returns: nil where a pipeline has to carry the samples: of Matroska not everything lies in the file as a movie holds it.
    /// - Throws: `MovieFileError`; ``ExportError`` for a part behind the movie's end.
    func open(_ file: InputFile) async throws -> Opened? {
        let (options, path) = (try copyOptions(), FilePath(file.location))
        do {
            return try await onOwnThread("rushes-index") {
                let original = try MovieOriginal(path)
                return Opened(
                    original: original, options: options, copy: try MovieCopy(of: original, options: options))
            }
        } catch let error as MovieFileError where facts.movie == nil && error.isRefusal {
            return nil
        }
    }

    /// What is said of the frames before the first one that is copied.
    private static func edge(
        _ copy: MovieCopy, _ options: MovieCopy.Options, _ encoded: EncodedBeginning?
    ) -> [String] {
        if encoded != nil, let start = options.timeRange?.lowerBound, let end = copy.beginning?.timeRange.upperBound {
            let seconds = String(format: "%.2f", end - start)
            return ["The \(seconds) s before the first key frame of the part are encoded anew; the rest is copied."]
        }
        guard let start = options.timeRange?.lowerBound, start - copy.firstFrameTime > 0.001 else { return [] }
        let seconds = String(format: "%.2f", start - copy.firstFrameTime)
        return [
            "The \(seconds) s before the part that its first frame needs are in the file, and an edit list hides them: "
                + "nothing is encoded anew."
        ]
    }

    /// What is said of an input that was cut off.
    static func ending(_ isOriginalWhole: Bool) -> [String] {
        isOriginalWhole ? [] : ["The input ends early; what of it is whole is copied."]
    }

    /// What is copied.
    private func copyOptions() throws(ExportError) -> MovieCopy.Options {
        var options = MovieCopy.Options(
            fileType: target.container == .mov ? .mov : .mp4, putsIndexFirst: target.settings.fastStart)
        if let range = target.settings.range {
            let end = range.end?.seconds ?? facts.duration?.seconds ?? 0
            guard end > range.start.seconds else { throw facts.endsBefore(range, context.input) }
            options.timeRange = range.start.seconds..<end
        }
        return options
    }

    /// - Parameter notes: Gets the reason where the part's beginning could be encoded and no encoder is there.
    func run(
        _ opened: Opened, _ file: InputFile, to output: TemporaryOutput, _ notes: inout [String]
    ) async throws -> EncodingRun.Written {
        let meter = context.meter
        meter.change { $0.phase = .exporting }
        let edge = try await encodeEdge(opened, file, output, &notes)
        // The file that the encoded frames lie in goes with it.
        defer { withExtendedLifetime(edge) {} }
        let encoded = edge?.beginning
        let size = Double(max(1, file.size))
        let copy = try await onOwnThread("rushes-remux") {
            let copy =
                try encoded.map { try MovieCopy(of: opened.original, options: opened.options, beginningWith: $0) }
                ?? opened.copy
            try output.file().withDescriptor { target in
                try copy.write(to: target) { written in
                    meter.change { state in
                        state.progress.bytesWritten = Int64(clamping: written)
                        state.progress.fraction = min(0.999, Double(written) / size)
                    }
                    return meter.mayGoOn()
                }
            }
            return copy
        }
        let path = try output.file().path
        let info = try await onOwnThread("rushes-facts") { try MovieInfo(contentsOf: path) }
        var expected = OutputCheck.Expected(audioTracks: info.audio.count, duration: .init(seconds: copy.duration))
        expected.frames = info.video.first?.frameCount
        // Of a part, the frames that the first one needs are in the file and not shown.
        expected.areBytesCopied = true
        expected.showsAllFrames = opened.options.timeRange == nil
        notes += Self.ending(copy.isOriginalWhole)
        return EncodingRun.Written(
            expected: expected, size: Int64(clamping: copy.fileSize),
            notes: [encoded == nil ? "All tracks are copied as they are." : "All tracks are copied."]
                + Self.edge(copy, opened.options, encoded) + copy.omittedTracks.map(\.reason)
                + copy.omissions
                + copy.omittedChapters.map {
                    "The chapter “\($0.title)” is left out: it begins behind the movie's end."
                })
    }
}

extension MovieFileError {
    /// Whether it says that samples or their times cannot stay as they are in the other kind of file; nothing is written then.
    var isRefusal: Bool {
        switch self {
        case .unsupported, .invalidBox, .noSamples, .encrypted: true
        default: false
        }
    }
}
