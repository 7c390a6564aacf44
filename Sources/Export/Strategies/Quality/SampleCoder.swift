import Encoding
import Errors
import FileSystem
import GStreamer
import SystemPackage

/// Takes samples of an input and encodes them, in files without a name.
///
/// - Throws, each time: ``RetryReason``; what makes an export fail.
struct SampleCoder: Sendable {
    let context: ExportContext
    let planner: ExportPlanner
    let reasons: RetryReasons

    var status: ExportStatus { context.status }

    /// Frames of the input, as the encoder would get them.
    func takeSamples() async throws -> QualitySamples {
        let choice = StreamChoice(target: planner.target, properties: planner.properties)
        return try await reading(try inputFile, choice.filters) { source, video in
            // The export that writes the movie chooses once more, and tells it.
            let frame = try await planner.chooseVideo(
                video, software: reasons.contains(.hardwareEncoder)
            ).toldLater
            let range = planner.target.settings.range
            let begin = max(.zero, video.first.movieTime ?? .zero)
            let end = [planner.properties.duration, range?.end].compactMap(\.self).min()
            let spans = SampleSpans.choose(from: begin + (range?.start ?? .zero), to: end.map { begin + $0 })
            let plan = try QualitySamples.plan(frame)
            let (file, count) = try await write(plan, source, isHardware: false) { writer in
                SamplePump(
                    spans, of: video.toneMapped(by: frame.toneMapper, for: writer), reader: source.reader,
                    writer: writer, status: status,
                    rate: planner.target.settings.rate
                )
            }
            return QualitySamples(file: file, frames: count, choice: frame)
        }
    }

    /// Encodes the samples with a quality.
    func encode(_ samples: QualitySamples, _ level: QualityLevel) async throws -> UnnamedFile {
        var request = samples.choice.request
        request.control = .quality(level.quality)
        let name = samples.choice.encoder.element
        guard let encoder = try planner.tables.videoEncoders(for: request).first(where: { $0.element == name }) else {
            throw RushesError(.encoderFailed, "\(name) is no longer there.")
        }
        let (movie, count) = try await reading(try InputFile(samples.file.path), MediaReader.Filters()) {
            source, video in
            let plan = try QualitySamples.plan(encoder, video.caps)
            return try await write(plan, source, isHardware: encoder.isHardware) { writer in
                VideoPump(
                    sink: video.track.sink, first: video.first, status: status, writer: writer, thumbnailer: nil,
                    delay: .zero,
                    timing: FrameTiming(
                        origin: .zero, end: nil, isTrimmed: false, rate: nil,
                        usualRate: video.caps.first?["framerate"]?.fractionValue),
                    sanitizer: TimestampSanitizer(begin: .zero, duration: nil))
            }
        }
        // A frame too many or too few would be compared with its neighbour.
        guard count == samples.frames else {
            throw RushesError(.encoderFailed, "\(name) made \(count) frames of \(samples.frames).")
        }
        return movie
    }

    private var inputFile: InputFile {
        get throws(RushesError) {
            if let file = context.input.file { return file }
            throw RushesError(.invalidSettings, "A target quality works only for movie files.")
        }
    }

    private func reading<Result: Sendable>(
        _ file: InputFile, _ filters: MediaReader.Filters,
        _ body: (MovieSource, OpenedTrack) async throws -> Result
    ) async throws -> Result {
        // A sample is a movie of our own, of which the input's index says nothing.
        let isInput = file.path == context.input.file?.path
        var properties = planner.properties
        if isInput, let media = reasons.decoded(of: file) { properties.take(media) }
        let decoding =
            isInput
            ? MediaReader.Decoding(properties, without: reasons)
            : MediaReader.Decoding(avoidsHardware: reasons.contains(.hardwareDecoder))
        let reader = try MediaReader(file, filters: filters, decoding: decoding) {
            $0.kind == .video && $0.index == 0 ? .decode : .leaveOut
        }
        let source = MovieSource(file: file, properties: properties, filters: filters, reader: reader)
        return try await source.reading(status) { _ in
            let video = try await openVideo(of: source, isInput: isInput)
            return try await body(source, video)
        }
    }

    private func openVideo(of source: MovieSource, isInput: Bool) async throws -> OpenedTrack {
        var failure: any Error = RushesError(
            .invalidSettings, "There is no video to compare; leave \(Term.targetQuality) out.")
        do {
            try await source.open()
            if let track = source.tracks.first, let first = try await source.firstSample(of: track) {
                let opened = OpenedTrack(track: track, first: first)
                if isInput, let reason = await source.completion([opened], status) { throw reason }
                return opened
            }
        } catch let error as GStreamerError {
            failure = error
        }
        if isInput, let reason = await source.decoding(status) { throw reason }
        throw failure
    }

    /// Writes a file without a name, and counts the encoded frames in it.
    private func write(
        _ plan: MoviePlan, _ source: MovieSource, isHardware: Bool, _ pump: (MovieWriter) -> any TrackPump
    ) async throws -> (UnnamedFile, Int) {
        let file = try UnnamedFile(forExportIn: context.destination.folder)
        let writer = try MovieWriter(plan, descriptor: file.descriptor)
        writer.onEncodedFrame { [status] in status.report(.frameEncoded(bytes: $0.byteCount)) }
        do {
            try await writer.start()
            try await StallMonitor(status: status, source: source, writer: writer).run([pump(writer)])
            let finished = try await writer.finish(within: StallMonitor.timeout)
            if let problem = finished.problem { throw RushesError(.encoderFailed, "A sample failed: \(problem)") }
        } catch {
            await writer.cancel()
            let failure = writer.failure as? GStreamerError
            if failure?.isDiskFull == true {
                throw RushesError(.diskFull, "The disk has no space for samples; free some, or choose another disk.")
            }
            if isHardware, !status.isStopped, let failure, failure.element.contains("video-encoder") {
                throw RetryReason(encoderFailed: failure)
            }
            if (error as? RushesError)?.code == .nothingRecorded {
                throw RushesError(
                    .invalidSettings,
                    "No frame came where samples were to be taken; use \(Term.quality) in place of \(Term.targetQuality)."
                )
            }
            throw error
        }
        return (file, status.progress.framesWritten)
    }
}
