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
    }

    private var meter: ExportMeter { job.meter }
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
            if let setback = setback(error, reader) { throw setback }
            throw InputFailure.explain(error, reader, file)
        }
    }

    func makeReader(without setbacks: Setbacks) throws -> MediaReader {
        let choice = StreamChoice(target: planner.target, orientation: planner.facts.orientation)
        let decoding = MediaReader.Decoding(
            avoidsHardware: setbacks.contains(.hardwareDecoder), countsPictures: planner.facts.container == .avi)
        return try MediaReader(file, filters: choice.filters, decoding: decoding) { choice.treatment($0) }
    }

    /// Whatever goes wrong in reading may go well from the file's beginning, and without the hardware that decodes.
    private func setback(_ error: any Error, _ reader: MediaReader) -> Setback? {
        if reader.isSought, !meter.isStopped, let failure = reader.failure, error as? GStreamerError == failure {
            return Setback(part: .seeking)
        }
        let elements = reader.hardwareDecoders
        guard !elements.isEmpty, !meter.isStopped else { return nil }
        let reason: String
        switch error {
        case let failure as GStreamerError where failure == reader.failure && !failure.isDiskFull:
            reason = failure.message
        case let failure as ExportError where failure.code == .stalled && meter.snapshot.writing.isEmpty:
            reason = "nothing came out of it"
        default: return nil
        }
        return Setback(
            part: .hardwareDecoder,
            note: "\(elements.joined(separator: ", ")) failed (\(reason)); the processor decoded instead.")
    }

    /// The input's tracks, and what is to become of them.
    struct Opened: Sendable {
        var plan: ExportPlan
        var tracks: [OpenedTrack]
        var texts: [MediaReader.Track]
    }

    func plan(_ reader: MediaReader, software: Bool) async throws -> Opened {
        try await reader.open()
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
        var span = MovieSpan(settings.range, tracks: opened.tracks, duration: planner.facts.duration)
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
        let writer = try MovieWriter(
            plan.movie, destination: MovieDestination(output.path), options: plan.options)
        let pumps = pumps(plan, span, video: video, sound: sound, texts: texts, writer: writer)
        meter.change { state in
            state.phase = .exporting
            state.progress = ExportProgress()
            state.progress.phase = .encoding
            state.progress.mediaDuration = span.length
            (state.inEncoder, state.handedPictures, state.handedTime) = ([], nil, 0)
            state.isAborted = false
        }
        writer.onEncodedPicture { [meter] in meter.left() }
        try await writer.start()
        let watch = ExportWatch(meter: meter, reader: reader, writer: writer)
        do {
            try await watch.run(pumps)
            meter.change { $0.progress.phase = .finishing }
            let finished = try await writer.finish(within: ExportWatch.patience)
            if let problem = finished.problem { throw ExportError(.encoderFailed, "Writing failed: \(problem)") }
            return written(plan, finished, video: video, sound: sound.count)
        } catch {
            await writer.cancel()
            if plan.usesHardware, !meter.isStopped, let failure = writer.failure as? GStreamerError,
                failure.element.contains("video-encoder")
            {
                throw Setback(
                    part: .hardwareEncoder,
                    note: "\(failure.element) failed (\(failure.message)); the processor encoded instead.")
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
        if let rate = video?.caps.first?["framerate"]?.fractionValue, rate.numerator > 0 {
            expected.grain = Nanoseconds(seconds: 1 / (settings.rate ?? rate).doubleValue)
        }
        return Written(
            expected: expected, size: finished.size, notes: [plan.summary + "."] + plan.notes,
            copiesPictures: video?.track.isCopied == true)
    }

    /// Fetches the first sample of each track: only that says what a decoder really gives.
    private func openTracks(_ reader: MediaReader) async throws -> [OpenedTrack] {
        var opened: [OpenedTrack] = []
        for track in reader.tracks where track.stream.kind != .text {
            let first = try await onOwnThread("rushes-first") { try firstSample(track, reader) }
            if let first { opened.append(OpenedTrack(track: track, first: first)) }
        }
        return opened
    }

    /// Blocks. `nil` for a track without any sample.
    func firstSample(_ track: MediaReader.Track, _ reader: MediaReader) throws -> Sample? {
        let deadline = ContinuousClock.now + .seconds(ExportWatch.patience)
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
        if !planner.target.container.isMovieFile, !planner.facts.chapters.isEmpty {
            notes.append("The chapters were left out: \(container) gets none here.")
        }
        return notes.uniqued
    }
}

extension [OpenedTrack] {
    var picture: OpenedTrack? { first { $0.track.stream.kind == .video } }
    var sound: [OpenedTrack] { filter { $0.track.stream.kind == .audio } }
}
