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
                throw RushesError(.invalidSettings, "The demuxer counts times otherwise than the index.")
            }
        }
        var span = ExportTimeRange(
            settings.range, tracks: planner.target.edge != nil ? [] : opened.tracks,
            firstPacket: settings.range != nil ? source.timeOrigin : nil, duration: planner.properties.duration)
        if let frame = opened.tracks.video?.track, frame.isCopied, !frame.stream.isIntraOnly, span.isTrimmed {
            try await begin(&span, at: source, &opened, &plan)
        } else if !reasons.contains(.seeking) {
            try await skip(to: span.origin, source, &opened)
        }
        for index in opened.tracks.indices { opened.tracks[index].late = source.delay(of: opened.tracks[index].track) }
        let (video, audio) = (opened.tracks.video, opened.tracks.audio)
        var startTimes: [Int: Double] = [:]
        for (index, track) in ([video].compactMap(\.self) + audio).enumerated() where track.track.isCopied || index == 0
        {
            let late = (track.first.movieTime ?? .zero) - span.origin
            if !span.isTrimmed, late > .zero, track.track.isCopied || video != nil {
                startTimes[index] = late.seconds
            }
        }
        plan.options.startTimes = { [startTimes] in startTimes }
        let writer =
            plan.isFirstPass
            ? try MovieWriter(discarding: plan.movie)
            : try MovieWriter(
                plan.movie,
                destination: MovieDestination(
                    try await onOwnThread("rushes-output") { [context] in try context.output.file() }),
                options: plan.options)
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
                rate: settings.rate, audioRates: plan.audioRates, delay: plan.delay, isEdge: planner.target.edge != nil)
            var written = WrittenMovie(
                expected: source.expectation(delivered), size: finished.size,
                notes: [plan.summary + "."] + plan.notes + source.losses(delivered),
                copiesFrames: video?.track.isCopied == true, frameBytes: delivered.run.encodedBytes,
                isFirstPass: plan.isFirstPass)
            if planner.target.edge == nil, !plan.isFirstPass {
                written.latestBeginning =
                    opened.tracks.map { ($0.begin.movieTime ?? .zero) - span.origin }.max() ?? .zero
                let spans = source.spans ?? [.init(origin: span.origin.nanoseconds, end: span.end?.nanoseconds)]
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
