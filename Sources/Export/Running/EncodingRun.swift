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
                spans: spans, delay: delay)
        }
    }

    /// The same, once more for each thing that turns out to be better left alone.
    func runRetrying() async throws -> WrittenMovie {
        try await context.retrying { try await run(without: $0) }
    }

    private func write(_ source: any FrameSource, without reasons: RetryReasons) async throws -> WrittenMovie {
        var opened = try await plan(source, software: reasons.contains(.hardwareEncoder))
        var plan = opened.plan
        if let edge = planner.target.edge {
            let first = opened.tracks.video?.first.movieTime ?? .max
            guard (first.clamped - edge.firstFrame.clamped).length < .millisecond else {
                throw RushesError(.invalidSettings, "The demuxer's times differ from those of the index.")
            }
        }
        var span = ExportTimeRange(
            settings.range, tracks: planner.target.edge != nil || !planner.target.takesVideo ? [] : opened.tracks,
            firstPacket: settings.range != nil ? source.timeOrigin : nil, duration: planner.properties.duration)
        if let frame = opened.tracks.video?.track, frame.isCopied, !frame.stream.isIntraOnly, span.isTrimmed {
            try await begin(&span, at: source, &opened, &plan)
        } else if !reasons.contains(.seeking) {
            try await skip(to: span.origin, source, &opened)
        }
        for index in opened.tracks.indices { opened.tracks[index].late = source.delay(of: opened.tracks[index].track) }
        let audio = opened.tracks.audio
        var video = opened.tracks.video
        var startTimes: [Int: Double] = [:]
        for (index, track) in ([video].compactMap(\.self) + audio).enumerated() where track.track.isCopied || index == 0
        {
            let late = (track.first.movieTime ?? .zero) - span.origin
            if !span.isTrimmed, late > .zero, track.track.isCopied || video != nil {
                startTimes[index] = late.seconds
            }
        }
        plan.options.startTimes = { [startTimes, status] in
            // Frames that come behind the first one may be shown before it, as where a broadcast begins with an open group.
            guard let late = startTimes[0], let first = status.snapshot.run.firstFrame else { return startTimes }
            return startTimes.merging([0: max(0, min(late, first.seconds))]) { $1 }
        }
        let writer =
            plan.isFirstPass
            ? try MovieWriter(discarding: plan.movie)
            : try MovieWriter(
                plan.movie,
                destination: MovieDestination(
                    try await onOwnThread("rushes-output") { [context] in try context.output.file() }),
                options: plan.options)
        video = video?.toneMapped(by: plan.toneMapper, for: writer)
        let spans: [MovieSubtitles.Span] =
            source.spans ?? [.init(origin: span.origin.nanoseconds, end: span.end?.nanoseconds)]
        let burner = video.flatMap { subtitleBurner(for: $0, spans, delay: plan.delay) }
        if let burner { writer.editFrames { try burner.draw(into: $0, $1) } }
        let pumps =
            plan.isFirstPass
            ? try firstPassPump(plan, span, video: video, source, writer)
            : pumps(plan, span, video: video, audio: audio, writer: writer)
        status.report(.began(.init(phase: .encoding, step: plan.step, share: plan.share, duration: span.length)))
        writer.onEncodedFrame { [status] in status.report(.frameEncoded(bytes: $0)) }
        try await writer.start()
        let watch = StallMonitor(status: status, source: source, writer: writer)
        do {
            try await watch.run(pumps)
            if video != nil, span.isTrimmed, (status.snapshot.run.frames ?? 0) == 0 {
                throw RushesError(.nothingRecorded, "No frame begins in the part")
            }
            if !plan.isFirstPass { status.report(.finishing) }
            // An encoder may look minutes ahead, and hold frames that take it as long.
            let finished = try await writer.finish(within: StallMonitor.timeout) { [status] in
                status.isStopped ? nil : status.snapshot.progressCounter
            }
            // What breaks after the last sample was handed in leaves a file too, but not all of it.
            if let failure = writer.failure { throw failure }
            if case .writing(let words) = finished.fault {
                throw RushesError(.encoderFailed, "Writing failed: \(words)")
            }
            if let problem = finished.problem { throw RushesError(.encoderFailed, "Writing failed: \(problem)") }
            let delivered = Delivered(
                video: video, audio: audio, empty: opened.empty, range: span, run: status.snapshot.run,
                rate: settings.rate, audioRates: plan.audioRates, audioChannels: plan.audioChannels,
                delay: plan.delay, isEdge: planner.target.edge != nil,
                // A broadcast may begin with frames that need others, and so does its copy.
                beginsWithKeyFrame: video.map {
                    !$0.track.isCopied || planner.properties.video?.beginsWithSync == true
                } ?? false)
            let notes = [plan.summary + "."] + plan.notes + source.losses(delivered)
            var written = WrittenMovie(
                expected: source.expectation(delivered), size: finished.size, notes: notes + (burner?.notes ?? []),
                copiesFrames: video?.track.isCopied == true, frameBytes: delivered.run.encodedBytes,
                isFirstPass: plan.isFirstPass)
            if planner.target.edge == nil, !plan.isFirstPass {
                written.latestBeginning =
                    opened.tracks.map { ($0.begin.movieTime ?? .zero) - span.origin }.max() ?? .zero
                written.subtitles = .init(
                    spans, delay: plan.delay.nanoseconds, tracks: planner.target.tracks.places)
            }
            if !planner.target.container.isMovieFile, planner.target.container.holdsVideo,
                let code = planner.properties.timeCode ?? writer.timeCode
            {
                let name = planner.target.container.displayName
                written.notes.append("The time code (\(code)) was left out: \(name) has no track for it here.")
            }
            return written
        } catch {
            await writer.cancel()
            if plan.usesHardware, !status.isStopped, let failure = writer.failure as? GStreamerError,
                failure.element.contains("video-encoder")
            {
                throw RetryReason(encoderFailed: failure)
            }
            throw error
        }
    }
}
