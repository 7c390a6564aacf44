import Encoding
import Errors
import GStreamer
import MediaTypes
import MovieFiles
import Threads

/// Listens to the audio that an export is going to write, once before it is written.
struct LoudnessMeasurement: Sendable {
    let context: ExportContext
    let planner: ExportPlanner

    private var status: ExportStatus { context.status }

    /// Which part of the whole work it is: decoding audio alone takes little beside encoding video.
    private var share: Double { planner.target.video == .copy || !hasVideo ? 0.5 : 0.1 }
    private var hasVideo: Bool { context.properties.movie.map { !$0.video.isEmpty } ?? true }

    /// Measures all tracks, and leaves the rest of the progress to the work that follows.
    ///
    /// - Returns: by how much each track is amplified.
    /// - Throws: ``RushesError`` for a file that cannot be decoded; `CancellationError`.
    func gains() async throws -> [LoudnessGain] {
        guard let wanted = planner.target.settings.loudness else { return [] }
        let measured = try await context.retrying { reasons -> [MeasuredLoudness] in
            // What is mixed down before it is encoded is measured as it is mixed.
            let source = try context.input.audioSource(
                for: planner.target, mostChannels: planner.mostChannels, without: reasons)
            guard let source else { return [] }
            return try await source.reading(status) { try await measure($0) }
        }
        status.report(.reserved(share))
        return measured.map { LoudnessGain($0, to: wanted, isLossy: isLossy) }
    }

    private var isLossy: Bool {
        planner.target.audio != .pcm && planner.target.audio != .flac && planner.target.audio != .alac
    }

    private func measure(_ source: any FrameSource) async throws -> [MeasuredLoudness] {
        try await source.open()
        let opened = try await EncodingRun.openTracks(source)
        let wanted = try planner.target.tracks.chosen(of: opened, in: context.input.displayName)
        // A file of audio alone holds one track.
        let chosen = planner.target.container.audioFile == nil ? wanted : Array(wanted.audio.prefix(1))
        guard !chosen.isEmpty else {
            if opened.isEmpty, let reason = await source.lastResort(status) { throw reason }
            return []
        }
        for track in opened
        where !chosen.contains(where: { $0.track.stream.index == track.track.stream.index }) {
            try track.track.sink.discardSamples()
        }
        let range = planner.target.settings.range
        let span = ExportTimeRange(
            range, tracks: chosen, firstPacket: range != nil ? source.timeOrigin : nil,
            duration: context.properties.duration)
        status.report(
            .began(.init(step: "Measuring the loudness", share: 0..<share, duration: span.length)))
        return try await withThrowingTaskGroup(of: (Int, MeasuredLoudness).self) { group in
            for (index, track) in chosen.enumerated() {
                let late = source.delay(of: track.track)
                group.addTask {
                    let measured = try await onOwnThread("rushes-loudness-\(index)") {
                        let countsFrames = planner.properties.container.countsAudio(track.track.stream.caps)
                        var pump = try LoudnessPump(
                            track, index, span, late: late, countsFrames: countsFrames, status)
                        try pump.run(source)
                        return pump.result
                    }
                    return (index, measured)
                }
            }
            var measured = [MeasuredLoudness?](repeating: nil, count: chosen.count)
            do {
                for try await (index, result) in group { measured[index] = result }
                if let failure = source.failure { throw failure }
                if status.isStopped { throw CancellationError() }
            } catch {
                // Who waits for a sample is woken.
                await source.stop()
                throw error
            }
            return measured.compactMap(\.self)
        }
    }
}
