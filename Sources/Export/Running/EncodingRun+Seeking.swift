import Errors
import GStreamer
import Threads

extension EncodingRun {
    /// What of the source's time becomes the movie, and its tracks as they begin there.
    struct Placed: Sendable {
        var span: ExportTimeRange
        var tracks: [OpenedTrack]
    }

    /// Goes near the part's beginning, where that is far away and the container has an index of what can be decoded by itself.
    ///
    /// - Throws: ``RetryReason`` where that led to another place than it should.
    func skipping(
        _ tracks: [OpenedTrack], to origin: MediaTime, of source: any FrameSource
    ) async throws -> [OpenedTrack] {
        guard settings.range != nil, source.isIndexed,
            origin - (tracks.map { $0.first.movieTime ?? .zero }.min() ?? .zero) >= Self.worthSeeking
        else { return tracks }
        // What is presented later than in the input lies before the part there.
        let place = origin - Self.leadIn - max(.zero, settings.audioDelay ?? .zero)
        guard await source.seek(to: place, .keyFrameBefore) else { throw RetryReason(part: .seeking) }
        var begun = tracks
        for (index, track) in tracks.enumerated() {
            guard let sample = try await source.firstSample(of: track.track), let time = sample.movieTime,
                time - track.track.delay <= place + Self.leadIn / 2
            else { throw RetryReason(part: .seeking) }
            begun[index].begin = sample
        }
        return begun.map(\.placed)
    }

    /// Lets a part whose frames are copied by a pipeline begin with the key frame before it, as no edit can hide what
    /// its first frame needs there.
    ///
    /// - Throws: ``RushesError`` where that key frame cannot be found.
    func beginningWithKeyFrame(_ wanted: Placed, of source: any FrameSource) async throws -> Noted<Placed> {
        let detour = source.isIndexed ? "" : "copy all of it to Matroska and the part from there, or "
        let refusal = RushesError(
            .invalidSettings,
            "\(context.input.displayName) has no index by which a part could be copied; \(detour)leave \(Term.preset) copy out."
        )
        // A part from the first frame on begins where the reader stands.
        if let first = wanted.tracks.video?.first.movieTime, wanted.span.origin <= first { return Noted(wanted) }
        guard source.isIndexed else { throw refusal }
        var placed = wanted
        let origin = wanted.span.origin
        placed.tracks = try await begun(wanted.tracks, at: origin, of: source) ?? []
        let found = placed.tracks.video?.begin.movieTime
        if found.map({ ($0 - origin).length > .millisecond }) ?? true,
            let known = await source.keyFrame(upTo: origin - wanted.span.begin)
        {
            // Without an index of clusters matroskademux (1.22) goes to one that lies too early, or too late.
            let key = wanted.span.begin + known
            if found.map({ $0 > key + Self.rounding }) ?? true {
                placed.tracks = try await begun(wanted.tracks, at: wanted.span.begin, of: source) ?? []
            }
            placed.tracks = try await advanced(placed.tracks, to: key - Self.rounding, of: source) ?? []
        }
        guard let key = placed.tracks.video?.begin.movieTime, key <= origin + .millisecond else { throw refusal }
        let early = max(.zero, origin - key)
        placed.span.origin = min(origin, key)
        placed.span.length = wanted.span.length.map { $0 + early }
        guard early > .millisecond else { return Noted(placed) }
        let seconds = early.secondsToHundredths
        let note =
            "Copied frames begin with a key frame, \(seconds) s before the part; encode them to begin exactly there."
        return Noted(placed, PlanNotes([note]))
    }

    /// The tracks as they begin where the source goes for a time.
    ///
    /// - Returns: nil where it cannot go there, or one has nothing there.
    private func begun(
        _ tracks: [OpenedTrack], at place: MediaTime, of source: any FrameSource
    ) async throws -> [OpenedTrack]? {
        guard await source.seek(to: place, .keyFrameBefore) else { return nil }
        var begun = tracks
        for (index, track) in tracks.enumerated() {
            var sample = try await source.firstSample(of: track.track)
            // qtdemux (1.22) may begin with the last frames that are decoded before the key frame.
            while track.track.stream.kind == .video, let other = sample, other.buffer?.isKeyFrame == false {
                sample = try await source.firstSample(of: track.track)
            }
            guard let sample else { return nil }
            begun[index].begin = sample
        }
        return begun.map(\.placed)
    }

    /// The same from the first key frame on that is not shown before a time. What comes of the others meanwhile is taken, as the demuxer would wait
    /// for that.
    ///
    /// - Returns: nil where there is none.
    private func advanced(
        _ tracks: [OpenedTrack], to place: MediaTime, of source: any FrameSource
    ) async throws -> [OpenedTrack]? {
        guard let video = tracks.firstIndex(where: { $0.track.stream.kind == .video }) else { return nil }
        var tracks = tracks
        func time(_ index: Int) -> MediaTime { tracks[index].begin.movieTime ?? .zero }
        while tracks[video].begin.buffer?.isKeyFrame != true || time(video) < place {
            guard let sample = try await source.firstSample(of: tracks[video].track) else { return nil }
            tracks[video].begin = sample
            for index in tracks.indices where index != video {
                while time(index) < min(time(video), place), let sample = source.waitingSample(of: tracks[index].track)
                {
                    tracks[index].begin = sample
                }
            }
        }
        return tracks
    }

    /// More than containers round times by.
    private static let rounding: MediaTime = 2 * .millisecond
    /// Below this, reading what comes before takes no longer than a seek.
    private static let worthSeeking: MediaTime = 5 * .second
    /// Decoders of audio need some packets, and deinterlacing some frames, before they give what they would have given.
    private static let leadIn: MediaTime = .second
}

extension OpenedTrack {
    /// The same once all tracks have begun again: only then it is known when the file does.
    fileprivate var placed: OpenedTrack {
        var track = self
        track.begin = self.track.sink.placed(begin)
        return track
    }
}
