import Errors
import Foundation
import GStreamer
import Threads

extension EncodingRun {
    /// Goes near the part's beginning, where that is far away and the container has an index of what can be decoded by itself.
    ///
    /// - Throws: ``RetryReason`` where that led to another place than it should.
    func skip(to origin: MediaTime, _ source: any FrameSource, _ opened: inout Opened) async throws {
        guard settings.range != nil, source.isIndexed,
            origin - (opened.tracks.map { $0.first.movieTime ?? .zero }.min() ?? .zero) >= Self.worthSeeking
        else { return }
        let place = origin - Self.leadIn
        guard await source.seek(to: place, .keyFrameBefore) else { throw RetryReason(part: .seeking) }
        for index in opened.tracks.indices {
            guard let sample = try await sample(of: opened.tracks[index], source), let time = sample.movieTime,
                time <= place + Self.leadIn / 2
            else { throw RetryReason(part: .seeking) }
            opened.tracks[index].begin = sample
        }
        placeBeginnings(&opened)
    }

    /// Lets a part whose frames are copied by a pipeline begin with the key frame before it, as no edit can hide what
    /// its first frame needs there.
    ///
    /// - Throws: ``RushesError`` where that key frame cannot be found.
    func begin(
        _ span: inout ExportTimeRange, at source: any FrameSource, _ opened: inout Opened
    ) async throws {
        let refusal = RushesError(
            .invalidSettings,
            "\(context.input.displayName) has no index by which a part could be copied; leave \(Term.preset) copy out, or copy all of it."
        )
        // A part from the first frame on begins where the reader stands.
        if let first = opened.tracks.video?.first.movieTime, span.origin <= first { return }
        guard source.isIndexed, await source.seek(to: span.origin, .keyFrameBefore) else { throw refusal }
        for index in opened.tracks.indices {
            guard let sample = try await sample(of: opened.tracks[index], source) else { throw refusal }
            opened.tracks[index].begin = sample
        }
        placeBeginnings(&opened)
        guard let key = opened.tracks.video?.begin.movieTime, key <= span.origin + .millisecond else { throw refusal }
        let early = max(.zero, span.origin - key)
        span.origin = min(span.origin, key)
        span.length = span.length.map { $0 + early }
        guard early > .millisecond else { return }
        let seconds = String(format: "%.2f", early.seconds)
        opened.plan.notes.append(
            "Copied frames begin with a key frame, \(seconds) s before the part; encode them to begin exactly there.")
    }

    /// Once all tracks have begun again.
    private func placeBeginnings(_ opened: inout Opened) {
        for index in opened.tracks.indices {
            let track = opened.tracks[index]
            opened.tracks[index].begin = track.track.sink.placed(track.begin)
        }
    }

    private func sample(of opened: OpenedTrack, _ source: any FrameSource) async throws -> Sample? {
        try await source.firstSample(of: opened.track)
    }

    /// Below this, reading what comes before takes no longer than a seek.
    private static let worthSeeking: MediaTime = 5 * .second
    /// Decoders of audio need some packets, and deinterlacing some frames, before they give what they would have given.
    private static let leadIn: MediaTime = .second
}
