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
        try await makeReader(without: reasons).reading(context.file, status) {
            try await write($0, without: reasons)
        }
    }

    /// The same, once more for each thing that turns out to be better left alone.
    func runRetrying() async throws -> WrittenMovie {
        try await context.retrying { try await run(without: $0) }
    }

    private func write(_ reader: MediaReader, without reasons: RetryReasons) async throws -> WrittenMovie {
        var opened = try await plan(reader, software: reasons.contains(.hardwareEncoder))
        var plan = opened.plan
        if let edge = planner.target.edge {
            let first = opened.tracks.frame?.first.movieTime ?? .max
            guard abs(first.subtractingReportingOverflow(edge.firstFrame).partialValue) < .millisecond else {
                throw ExportError(.unsuitable, "The demuxer counts times otherwise than the index.")
            }
        }
        let countsPackets = settings.range != nil && planner.properties.container.countsFromFirstPacket
        var span = ExportTimeRange(
            settings.range, tracks: planner.target.edge != nil ? [] : opened.tracks,
            firstPacket: countsPackets ? reader.firstPacket : nil, duration: planner.properties.duration)
        if let frame = opened.tracks.frame?.track, frame.isCopied, !frame.stream.isIntraOnly, span.isTrimmed {
            try await begin(&span, at: reader, &opened, &plan)
        } else if !reasons.contains(.seeking) {
            try await skip(to: span.origin, reader, &opened)
        }
        for index in opened.tracks.indices { opened.tracks[index].late = reader.delay(of: opened.tracks[index].track) }
        let (video, audio) = (opened.tracks.frame, opened.tracks.audio)
        for (index, track) in ([video].compactMap(\.self) + audio).enumerated() where track.track.isCopied || index == 0
        {
            let late = (track.first.movieTime ?? 0) - span.origin
            if !span.isTrimmed, late > 0, track.track.isCopied || video != nil {
                plan.options.startTimes[index] = late.seconds
            }
        }
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
            ? try firstPassPump(plan, span, video: video, reader, writer)
            : pumps(plan, span, video: video, audio: audio, writer: writer)
        status.report(.began(.init(phase: .encoding, step: plan.step, share: plan.share, duration: span.length)))
        writer.onEncodedFrame { [status] in status.report(.frameEncoded(bytes: $0)) }
        try await writer.start()
        let watch = StallMonitor(status: status, reader: reader, writer: writer)
        do {
            try await watch.run(pumps)
            if video != nil, span.isTrimmed, (status.snapshot.run.frames ?? 0) == 0 {
                throw MovieEncodingError(.nothingRecorded, "No frame begins in the part")
            }
            if !plan.isFirstPass { status.report(.finishing) }
            // An encoder may look minutes ahead, and hold frames that take it as long.
            let finished = try await writer.finish(within: StallMonitor.timeout) { [status] in
                status.isStopped ? nil : status.snapshot.progressCounter
            }
            // What breaks after the last sample was handed in leaves a file too, but not all of it.
            if let failure = writer.failure { throw failure }
            if case .writing(let words) = finished.fault {
                throw ExportError(.encoderFailed, "Writing failed: \(words)")
            }
            if let problem = finished.problem { throw ExportError(.encoderFailed, "Writing failed: \(problem)") }
            var written = written(plan, finished, video: video, audio: audio.count)
            if planner.target.edge == nil, !plan.isFirstPass {
                written.latestBeginning = opened.tracks.map { ($0.begin.movieTime ?? 0) - span.origin }.max() ?? 0
                written.subtitles = .init(origin: span.origin, end: span.end, delay: plan.delay)
            }
            // Only now it is known what has come.
            written.notes += StreamLosses.notes(
                reader, planner.properties.declared,
                hasTimeCode: planner.properties.timeCode != nil, hasOwnSubtitles: planner.properties.hasOwnSubtitles,
                empty: opened.empty)
            let lost = lostAudio(reader, audio, span)
            written.notes += lost
            if lost.isEmpty, !span.isTrimmed, planner.target.edge == nil {
                let hasText = (reader.tracks.map(\.stream) + reader.leftOut + reader.late).contains { $0.kind == .text }
                let end = status.snapshot.run.end + span.origin
                let grain = written.expected.grain
                written.notes +=
                    LostEnd.note(planner.properties, hasText: hasText, written: end, grain: grain).map { [$0] } ?? []
            }
            if planner.target.container != .mov, let code = planner.properties.timeCode ?? writer.timeCode {
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

    /// What is said of audio that the input has and that no decoder gave.
    private func lostAudio(_ reader: MediaReader, _ audio: [OpenedTrack], _ span: ExportTimeRange) -> [String] {
        // A decoder's and an encoder's delay, and packets that a stream begins or ends in the middle of.
        let tolerance: Nanoseconds = 100 * .millisecond
        guard !span.isTrimmed, !reader.isSought, !planner.properties.container.countsAudio else { return [] }
        let ends = status.snapshot.run.audioEnds
        return audio.enumerated().compactMap { index, track in
            guard let end = ends[index], let encoded = reader.encodedEnd(of: track.track.stream),
                encoded - span.origin - end > tolerance
            else { return nil }
            let lost = String(format: "%.2f", (encoded - span.origin - end).seconds)
            return "Audio track \(index + 1) ends \(lost) s before the input's: its decoder gave nothing for the rest."
        }
    }

    private func written(
        _ plan: ExportPlan, _ finished: FinishedFile, video: OpenedTrack?, audio: Int
    ) -> WrittenMovie {
        let done = status.snapshot.run
        var expected = OutputCheck.Expected(audioTracks: audio, audioRates: plan.audioRates)
        if video != nil { expected.frames = done.frames ?? 0 }
        expected.duration = done.end + plan.delay
        expected.lastFrame = done.lastFrame
        if let rate = video?.caps.first?["framerate"]?.fractionValue, rate.numerator > 0 {
            expected.grain = Nanoseconds(seconds: 1 / (settings.rate ?? rate).doubleValue)
        }
        // Muxers tell how long a frame is decoded, which for the one that is shown last can be a gap before it.
        expected.grain = max(expected.grain, done.longestFrame)
        var notes = [plan.summary + "."] + plan.notes
        if let video, !video.track.isCopied, settings.range == nil, settings.rate == nil,
            let lost = MissingFrameCheck.note(
                planner.properties.movie, video.track.stream.caps, written: expected.frames ?? 0)
        {
            notes.append(lost)
        }
        return WrittenMovie(
            expected: expected, size: finished.size, notes: notes,
            copiesFrames: video?.track.isCopied == true, frameBytes: done.encodedBytes,
            isFirstPass: plan.isFirstPass)
    }
}
