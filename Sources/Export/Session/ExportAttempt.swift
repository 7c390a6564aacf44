import Encoding
import GStreamer
import MovieFiles
import SystemPackage
import Threads

/// Reads, encodes and writes the file once, with one choice of encoders.
struct ExportAttempt: Sendable {
    let job: ExportJob
    let file: InputFile
    let planner: ExportPlanner
    let output: TemporaryOutput

    /// What became of it.
    struct Written: Sendable {
        var expected: OutputCheck.Expected
        var size: Int64
        var notes: [String]
        var copiesPictures = false
        /// Of ``size``, what the encoder made of the pictures, in bytes.
        var pictureBytes: Int64 = 0
        /// There is no file; the encoder has learned what its second pass needs.
        var isFirstPass = false
    }

    var meter: ExportMeter { job.meter }
    var settings: ExportSettings { job.settings }

    /// - Throws: ``Setback`` where another attempt can do without what failed.
    func run(without setbacks: Setbacks) async throws -> Written {
        let reader = try makeReader(without: setbacks)
        do {
            let written = try await write(reader, without: setbacks)
            await reader.stop()
            return written
        } catch {
            await reader.stop()
            if let setback = Setback(readingFailed: error, reader, meter) { throw setback }
            throw InputFailure.explain(error, reader, file)
        }
    }

    func makeReader(without setbacks: Setbacks) throws -> MediaReader {
        let choice = StreamChoice(target: planner.target, orientation: planner.facts.orientation)
        let decoding = MediaReader.Decoding(
            avoidsHardware: setbacks.contains(.hardwareDecoder), countsPictures: planner.facts.container == .avi)
        return try MediaReader(file, filters: choice.filters, decoding: decoding) { choice.treatment($0) }
    }

    /// The input's tracks, and what is to become of them.
    struct Opened: Sendable {
        var plan: ExportPlan
        var tracks: [OpenedTrack]
        var texts: [MediaReader.Track]
    }

    func plan(_ reader: MediaReader, software: Bool) async throws -> Opened {
        try await reader.open(within: planner.facts.patience)
        guard !planner.facts.hidesPictures(reader) else {
            throw ExportError(
                .badInput,
                "\(file.path.displayName) has pictures in less than a fifth of its time, which GStreamer takes for a preview; "
                    + "cut out the part that has some first, with --preset copy --end.")
        }
        let tracks = try await openTracks(reader)
        if tracks.isEmpty, let stream = reader.undecodable.first {
            throw ExportError(.badInput, MissingDecoder.refusal(stream, of: file.path.displayName))
        }
        let texts = reader.tracks.filter { $0.stream.kind == .text }
        var plan = try await planner.plan(
            video: tracks.picture, sound: tracks.sound, text: texts.map(\.stream), software: software)
        plan.notes += leftOut(reader)
        return Opened(plan: plan, tracks: tracks, texts: texts)
    }

    private func write(_ reader: MediaReader, without setbacks: Setbacks) async throws -> Written {
        var opened = try await plan(reader, software: setbacks.contains(.hardwareEncoder))
        var plan = opened.plan
        if let edge = planner.target.edge {
            let first = opened.tracks.picture?.first.movieTime ?? .max
            guard abs(first.subtractingReportingOverflow(edge.firstPicture).partialValue) < .millisecond else {
                throw ExportError(.unsuitable, "The demuxer counts times otherwise than the index.")
            }
        }
        var span = MovieSpan(
            settings.range, tracks: planner.target.edge != nil ? [] : opened.tracks, duration: planner.facts.duration)
        if let picture = opened.tracks.picture?.track, picture.isCopied, !picture.stream.isIntraOnly, span.isTrimmed {
            try await begin(&span, at: reader, &opened, &plan)
        } else if !setbacks.contains(.seeking) {
            try await skip(to: span.origin, reader, &opened)
        }
        for index in opened.tracks.indices { opened.tracks[index].late = reader.delay(of: opened.tracks[index].track) }
        let (video, sound, texts) = (opened.tracks.picture, opened.tracks.sound, opened.texts)
        for (index, track) in ([video].compactMap(\.self) + sound).enumerated() where track.track.isCopied || index == 0
        {
            let late = (track.first.movieTime ?? 0) - span.origin
            if !span.isTrimmed, late > 0, track.track.isCopied || video != nil {
                plan.options.startTimes[index] = late.seconds
            }
        }
        let writer =
            plan.isFirstPass
            ? try MovieWriter(discarding: plan.movie)
            : try MovieWriter(plan.movie, destination: MovieDestination(output.path), options: plan.options)
        let pumps =
            plan.isFirstPass
            ? try firstPassPump(plan, span, video: video, reader, writer)
            : pumps(plan, span, video: video, sound: sound, texts: texts, writer: writer)
        let (share, step) = (plan.share, plan.step)
        meter.change { state in
            state.phase = .exporting
            let fraction = share.lowerBound > 0 ? min(0.999, share.lowerBound) : nil
            state.progress = ExportProgress()
            (state.progress.fraction, state.progress.step, state.share) = (fraction, step, share)
            state.progress.phase = .encoding
            state.progress.mediaDuration = span.length
            (state.inEncoder, state.handedPictures, state.handedTime) = ([], nil, 0)
            (state.encodedBytes, state.isAborted) = (0, false)
        }
        writer.onEncodedPicture { [meter] in meter.left(bytes: $0) }
        try await writer.start()
        let watch = ExportWatch(meter: meter, reader: reader, writer: writer)
        do {
            try await watch.run(pumps)
            if !plan.isFirstPass { meter.change { $0.progress.phase = .finishing } }
            // An encoder may look minutes ahead, and hold pictures that take it as long.
            let finished = try await writer.finish(within: ExportWatch.patience) { [meter] in
                meter.isStopped ? nil : meter.snapshot.movement
            }
            // What breaks after the last sample was handed in leaves a file too, but not all of it.
            if let failure = writer.failure { throw failure }
            if let problem = finished.problem { throw ExportError(.encoderFailed, "Writing failed: \(problem)") }
            return written(plan, finished, video: video, sound: sound.count)
        } catch {
            await writer.cancel()
            if plan.usesHardware, !meter.isStopped, let failure = writer.failure as? GStreamerError,
                failure.element.contains("video-encoder")
            {
                throw Setback(encoderFailed: failure)
            }
            throw error
        }
    }

    private func written(
        _ plan: ExportPlan, _ finished: FinishedFile, video: OpenedTrack?, sound: Int
    ) -> Written {
        let state = meter.snapshot
        var expected = OutputCheck.Expected(soundTracks: sound)
        if video != nil { expected.pictures = state.handedPictures ?? 0 }
        expected.duration = state.handedTime + plan.delay
        expected.lastPicture = state.lastPicture
        if let rate = video?.caps.first?["framerate"]?.fractionValue, rate.numerator > 0 {
            expected.grain = Nanoseconds(seconds: 1 / (settings.rate ?? rate).doubleValue)
        }
        // Muxers tell how long a picture is decoded, which for the one that is shown last can be a gap before it.
        expected.grain = max(expected.grain, state.longestPicture)
        var notes = [plan.summary + "."] + plan.notes
        if let video, !video.track.isCopied, settings.range == nil, settings.rate == nil,
            let lost = LostPictures.note(
                planner.facts.movie, video.track.stream.caps, written: expected.pictures ?? 0)
        {
            notes.append(lost)
        }
        return Written(
            expected: expected, size: finished.size, notes: notes,
            copiesPictures: video?.track.isCopied == true, pictureBytes: state.encodedBytes,
            isFirstPass: plan.isFirstPass)
    }

    /// Fetches the first sample of each track: only that says what a decoder really gives.
    private func openTracks(_ reader: MediaReader) async throws -> [OpenedTrack] {
        var opened: [OpenedTrack] = []
        for track in reader.tracks where track.stream.kind != .text {
            if let first = try await Self.firstSample(track, reader, meter) {
                opened.append(OpenedTrack(track: track, first: first))
            }
        }
        return opened
    }

    /// `nil` for a track without any sample.
    static func firstSample(
        _ track: MediaReader.Track, _ reader: MediaReader, _ meter: ExportMeter
    ) async throws -> Sample? {
        try await onOwnThread("rushes-first") { try waitForFirst(track, reader, meter) }
    }

    private static func waitForFirst(
        _ track: MediaReader.Track, _ reader: MediaReader, _ meter: ExportMeter
    ) throws -> Sample? {
        let patience = reader.hasPictures ? ExportWatch.patience : ExportWatch.soundPatience
        let deadline = ContinuousClock.now + .seconds(patience)
        while ContinuousClock.now < deadline {
            if meter.isStopped { throw CancellationError() }
            if let failure = reader.failure { throw failure }
            switch track.sink.pull(within: 0.1) {
            case .sample(let sample): return sample
            case .end: return nil
            case .nothing: continue
            }
        }
        throw ExportError(
            .stalled, "No \(track.stream.kind == .video ? "picture" : "sound") came out of the decoder in time.")
    }

    private func leftOut(_ reader: MediaReader) -> [String] {
        var notes = reader.undecodable.map { MissingDecoder.note($0) }
        let container = planner.target.container.displayName
        for stream in reader.leftOut {
            switch stream.kind {
            case .video: notes.append("A further picture track was left out.")
            case .audio: break
            case .text:
                notes.append(
                    "Subtitles (\(stream.caps.first?.name ?? "text")) were left out: \(container) cannot hold them here."
                )
            }
        }
        if !planner.target.container.isMovieFile {
            let lost = planner.facts.metadata.unknownToMatroska
            if !lost.isEmpty {
                notes.append("Left out: \(lost.joined(separator: ", ")); \(container) has no place for it here.")
            }
        }
        return notes.uniqued
    }
}

extension MovieMetadata {
    /// In words, what ``MovieWriter`` writes to QuickTime and MP4 only.
    fileprivate var unknownToMatroska: [String] {
        [
            keywords.isEmpty ? nil : "keywords", make == nil && model == nil ? nil : "camera",
            location == nil ? nil : "place",
        ].compactMap(\.self)
    }
}

extension [OpenedTrack] {
    var picture: OpenedTrack? { first { $0.track.stream.kind == .video } }
    var sound: [OpenedTrack] { filter { $0.track.stream.kind == .audio } }
}
