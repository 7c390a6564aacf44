import Encoding
import GStreamer
import MovieFiles
import SystemPackage
import Threads

/// Finds out what the input really holds, and plans what becomes of it.
extension EncodingRun {
    func makeReader(without reasons: RetryReasons) throws -> MediaReader {
        let choice = StreamChoice(target: planner.target, properties: planner.properties)
        let decoding = MediaReader.Decoding(
            avoidsHardware: reasons.contains(.hardwareDecoder), countsFrames: planner.properties.container == .avi,
            isFullRange: planner.properties.isFullRange,
            timeout: reasons.contains(.usualTimeout) ? .long : .usual, caps: planner.properties.container.caps)
        return try MediaReader(context.file, filters: choice.filters, decoding: decoding) { choice.treatment($0) }
    }

    /// The input's tracks, and what is to become of them.
    struct Opened: Sendable {
        var plan: ExportPlan
        var tracks: [OpenedTrack]
        /// Streams of which not one sample came.
        var empty: [SourceStream]
    }

    func plan(_ reader: MediaReader, software: Bool) async throws -> Opened {
        try await reader.open(within: planner.properties.timeout)
        let tracks = try await openTracks(reader)
        try checkVideo(reader, tracks)
        if tracks.isEmpty, let stream = reader.undecodable.first {
            throw ExportError(.badInput, MissingDecoder.refusal(stream, of: context.file.path.displayName))
        }
        var plan = try await planner.plan(
            video: tracks.frame, audio: tracks.audio, software: software)
        plan.notes += leftOut(reader)
        let empty = reader.tracks.filter { track in
            track.stream.kind != .text
                && !tracks.contains {
                    ($0.track.stream.kind, $0.track.stream.index) == (track.stream.kind, track.stream.index)
                }
        }
        return Opened(plan: plan, tracks: tracks, empty: empty.map(\.stream))
    }

    /// - Throws: ``ExportError`` where the input has frames and nothing comes of them: a movie's audio alone is not what was
    ///   asked for. ``RetryReason`` where they may only begin late.
    private func checkVideo(_ reader: MediaReader, _ tracks: [OpenedTrack]) throws {
        guard tracks.frame == nil else { return }
        let name = context.file.path.displayName
        func refusal(_ codec: String) -> ExportError {
            ExportError(.badInput, "\(name) cannot be exported: nothing comes of its frames (\(codec)) here.")
        }
        if let track = reader.tracks.first(where: { $0.stream.kind == .video }) {
            throw refusal(track.stream.caps.codecName)
        }
        if let caps = reader.silent.first(where: { SourceStream.kind(of: $0) == .video }) {
            throw reader.isPatient ? refusal(caps.codecName) : RetryReason(part: .usualTimeout)
        }
        if let stream = StreamLosses.unread(reader, planner.properties.declared).first(where: { $0.kind == .video }) {
            throw refusal(stream.codec)
        }
    }

    /// Fetches the first sample of each track: only that says what a decoder really gives.
    private func openTracks(_ reader: MediaReader) async throws -> [OpenedTrack] {
        var opened: [OpenedTrack] = []
        for track in reader.tracks {
            if let first = try await Self.firstSample(track, reader, status) {
                opened.append(OpenedTrack(track: track, first: first))
            }
        }
        return opened
    }

    /// `nil` for a track without any sample.
    static func firstSample(
        _ track: MediaReader.Track, _ reader: MediaReader, _ status: ExportStatus
    ) async throws -> Sample? {
        try await onOwnThread("rushes-first") { try waitForFirst(track, reader, status) }
    }

    private static func waitForFirst(
        _ track: MediaReader.Track, _ reader: MediaReader, _ status: ExportStatus
    ) throws -> Sample? {
        let timeout = reader.hasVideo ? StallMonitor.timeout : StallMonitor.audioTimeout
        let deadline = ContinuousClock.now + .seconds(timeout)
        while ContinuousClock.now < deadline {
            if status.isStopped { throw CancellationError() }
            if let failure = reader.failure { throw failure }
            switch track.sink.pull(within: 0.1) {
            case .sample(let sample): return sample
            case .end: return nil
            case .nothing: continue
            }
        }
        throw ExportError(
            .stalled, "No \(track.stream.kind == .video ? "video" : "audio") came out of the decoder in time.")
    }

    private func leftOut(_ reader: MediaReader) -> [String] {
        var notes = reader.undecodable.map { MissingDecoder.note($0) }
        let container = planner.target.container.displayName
        for stream in reader.leftOut {
            switch stream.kind {
            case .video: notes.append("A further video track was left out.")
            case .audio: break
            // Read from the index, and spoken of there.
            case .text where planner.properties.hasOwnSubtitles: break
            case .text:
                notes.append(
                    "Subtitles (\(stream.caps.first?.name ?? "text")) were left out: \(container) cannot hold them here."
                )
            }
        }
        if !planner.target.container.isMovieFile {
            let lost = planner.properties.metadata.unknownToMatroska
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
