import Errors
import FileSystem
import Foundation
import Encoding
import GStreamer
import MovieFiles
import SystemPackage
import Threads

/// Reads, encodes and writes the file once, with one choice of encoders.
struct EncodingRun: Sendable {
    let context: ExportContext
    let planner: ExportPlanner

    var status: ExportStatus { context.status }
    var settings: ExportSettings { planner.target.settings }

    /// - Throws: ``RetryReason`` where another run can do without what failed.
    func run(without reasons: RetryReasons) async throws -> WrittenMovie {
        try await context.input.source(for: planner.target, without: reasons).reading(status) {
            try await write($0, without: reasons)
        }
    }

    /// Who draws the subtitles that are wanted in the frames; nil where there are none.
    private func subtitleBurner(
        for video: OpenedTrack, _ spans: [MovieSubtitles.Span], delay: MediaTime
    ) -> SubtitleBurner? {
        planner.target.burntSubtitles.map { subtitles in
            SubtitleBurner(
                subtitles.stream,
                SubtitleGeometry(
                    video.caps, crop: settings.crop, planner.properties.orientation,
                    isTurned: planner.target.turnsFrames),
                spans: spans, delay: delay, speed: planner.target.tempo)
        }
    }

    /// The same, once more for each thing that turns out to be better left alone.
    func runRetrying() async throws -> WrittenMovie {
        try await context.retrying { try await run(without: $0) }
    }

    private func write(_ source: any FrameSource, without reasons: RetryReasons) async throws -> WrittenMovie {
        var opened = try await plan(source, software: reasons.contains(.hardwareEncoder))
        if settings.range == nil { opened.tracks = try await knowingLeadingFrames(opened.tracks) }
        let placed = opened.plan.notes.take(try await place(opened.tracks, of: source, without: reasons))
        let span = placed.span
        opened.tracks = placed.tracks
        opened.plan.options.startTimes = startTimes(of: opened.tracks, span)
        let plan = opened.plan
        let writer = try await makeWriter(plan)
        let video = opened.tracks.video?.toneMapped(by: plan.toneMapper, for: writer)
        let spans = source.spans ?? [.init(origin: span.origin.nanoseconds, end: span.end?.nanoseconds)]
        let burner = video.flatMap { subtitleBurner(for: $0, spans, delay: plan.delay) }
        if let burner { writer.editFrames { try burner.draw(into: $0, $1) } }
        let pumps =
            plan.isFirstPass
            ? try firstPassPump(plan, span, video: video, source, writer)
            : try pumps(plan, span, video: video, audio: opened.tracks.audio, writer: writer)
        status.report(
            .began(
                .init(
                    phase: .encoding, step: plan.step, share: plan.share,
                    duration: span.length?.shown(atSpeed: planner.target.tempo))))
        let (read, written) = (video?.track.messages, FrameMessages())
        let animation = planner.target.animation
        if let layout = plan.animation { try animation?.begin(layout) }
        writer.onEncodedFrame { [status, weak writer] frame in
            do { try animation?.take(frame) } catch { writer?.fail(error) }
            status.report(.frameEncoded(bytes: frame.byteCount))
            if read?.kinds.isEmpty == false { written.look(at: frame) }
        }
        try await writer.start()
        do {
            try await StallMonitor(status: status, source: source, writer: writer).run(pumps)
            let file = try await finish(writer, plan, hasVideo: video != nil, isTrimmed: span.isTrimmed)
            var movie = await result(file, opened, video: video, span, source, spans)
            var lost = read?.kinds.subtracting(written.kinds) ?? []
            // What is SDR has no use for it.
            if plan.toneMapper != nil { lost.remove(.dynamicLight) }
            movie.notes += (burner?.notes ?? []) + lost.omissions
            if let read, plan.rate != nil, !span.isTrimmed, written.kinds.contains(.captions) {
                movie.notes += [read.changedCaptions(written)].compactMap(\.self)
            }
            movie.timeCode = opened.plan.options.beginning().timeCode ?? writer.timeCode
            if let note = lostTimeCode(writer) { movie.notes.append(note) }
            return movie
        } catch {
            await writer.cancel()
            throw hardwareFailure(of: writer, plan) ?? error
        }
    }

    /// The same tracks; of the frames it is known when the earliest is shown.
    private func knowingLeadingFrames(_ tracks: [OpenedTrack]) async throws -> [OpenedTrack] {
        guard tracks.contains(where: \.mayBeginWithLeadingFrames) else { return tracks }
        // Where times count from the first packet, what is shown before it has negative ones; elsewhere an edit hides that.
        let beginning: MediaTime = planner.properties.container.beginsAnywhere ? .min : .zero
        return try await onOwnThread("rushes-leading") { [status] in
            tracks.map { track in
                guard track.mayBeginWithLeadingFrames else { return track }
                return track.knowingLeadingFrames(since: beginning) { !status.isStopped }
            }
        }
    }

    /// The part of the source's time that becomes the movie, and the tracks as they begin there. The source then stands at its beginning.
    private func place(
        _ tracks: [OpenedTrack], of source: any FrameSource, without reasons: RetryReasons
    ) async throws -> Noted<Placed> {
        if let edge = planner.target.edge {
            let first = tracks.video?.first.movieTime ?? .max
            guard (first.clamped - edge.firstFrame.clamped).length < .millisecond else {
                throw RushesError(.invalidSettings, "The demuxer's times differ from those of the index.")
            }
        }
        let span = ExportTimeRange(
            settings.range, tracks: planner.target.edge != nil || !planner.target.takesVideo ? [] : tracks,
            firstPacket: settings.range != nil ? source.timeOrigin : nil, duration: planner.properties.duration,
            isContinued: settings.isContinued == true)
        var (placed, notes) = (Placed(span: span, tracks: tracks), PlanNotes())
        if let frame = tracks.video?.track, frame.isCopied, !frame.stream.isIntraOnly, span.isTrimmed {
            placed = notes.take(try await beginningWithKeyFrame(placed, of: source))
        } else if !reasons.contains(.seeking) {
            placed.tracks = try await skipping(tracks, to: span.origin, of: source)
        }
        for index in tracks.indices { placed.tracks[index].late = source.delay(of: placed.tracks[index].track) }
        return Noted(placed, notes)
    }

    /// How long after the movie's beginning its tracks begin, by their places, as far as that is known before they are written.
    private func startTimes(of tracks: [OpenedTrack], _ span: ExportTimeRange) -> @Sendable () -> [Int: MediaTime] {
        let (video, status) = (tracks.video, status)
        var times: [Int: MediaTime] = [:]
        for (index, track) in ([video].compactMap(\.self) + tracks.audio).enumerated()
        where track.track.isCopied || index == 0 {
            let late = (track.first.movieTime ?? .zero) - span.origin
            if !span.isTrimmed, late > .zero, track.track.isCopied || video != nil {
                times[index] = late.shown(atSpeed: planner.target.tempo)
            }
        }
        return { [times] in
            // Frames that come behind the first one may be shown before it, as where a broadcast begins with an open group.
            guard let late = times[0], let first = status.snapshot.run.firstFrame else { return times }
            return times.merging([0: max(.zero, min(late, first))]) { $1 }
        }
    }

    private func makeWriter(_ plan: ExportPlan) async throws -> MovieWriter {
        if plan.isFirstPass { return try MovieWriter(discarding: plan.movie) }
        let file = try await onOwnThread("rushes-output") { [context] in try context.output.file() }
        return try MovieWriter(plan.movie, destination: MovieDestination(file), options: plan.options)
    }

    /// Completes the file once the last sample was handed in.
    ///
    /// - Parameters:
    ///   - hasVideo: whether frames are to be in it.
    ///   - isTrimmed: whether it is a part, in which nothing may begin.
    /// - Throws: what keeps the file from being all of the movie.
    private func finish(
        _ writer: MovieWriter, _ plan: ExportPlan, hasVideo: Bool, isTrimmed: Bool
    ) async throws -> FinishedFile {
        let run = status.snapshot.run
        if planner.target.filters.video != nil, hasVideo, (run.frames ?? 0) == 0 {
            throw RushesError(.nothingRecorded, "No frame comes out of the \(Term.videoFilter).")
        }
        if isTrimmed, hasVideo, (run.frames ?? 0) == 0 {
            throw RushesError(.nothingRecorded, "No frame begins in the part")
        }
        // Matroska's muxer makes a file of a description alone.
        if isTrimmed, !hasVideo, run.end == .zero {
            throw RushesError(.nothingRecorded, "Nothing begins in the part")
        }
        if !plan.isFirstPass { status.report(.finishing) }
        // An encoder may look minutes ahead, and hold frames that take it as long.
        let file = try await writer.finish(within: StallMonitor.timeout) { [status] in
            status.isStopped ? nil : status.snapshot.progressCounter
        }
        // What breaks after the last sample was handed in leaves a file too, but not all of it.
        if let failure = writer.failure { throw failure }
        let code: RushesError.Code = file.isDiskFull ? .diskFull : .encoderFailed
        if case .writing(let words) = file.fault { throw RushesError(code, "Writing failed: \(words)") }
        if let problem = file.problem { throw RushesError(code, "Writing failed: \(problem)") }
        return file
    }

    /// Where it was an encoder in hardware that failed, one in software may do it.
    private func hardwareFailure(of writer: MovieWriter, _ plan: ExportPlan) -> RetryReason? {
        guard plan.usesHardware, !status.isStopped, let failure = writer.failure as? GStreamerError,
            failure.element.contains("video-encoder")
        else { return nil }
        return RetryReason(encoderFailed: failure)
    }
}
