import GStreamer
import Synchronization
import Threads

/// How many frames and pieces of audio come out of a reader's decoders.
struct DecodedCounts: Sendable {
    private(set) var frames = 0
    private(set) var audio = 0
    /// Channels of the audio tracks that something came of, by their place.
    private(set) var channels: [Int: Int] = [:]

    /// How long without anything before a decoder counts as hung.
    private static let timeout = Duration.seconds(30)

    /// Counts to the end, or until there is something of each track.
    ///
    /// - Parameters:
    ///   - most: of video so many frames at most, and then no more of any track.
    ///   - goesOn: asked several times a second.
    /// - Returns: `nil` where a decoder hangs.
    /// - Throws: ``GStreamerError`` of the reader; `CancellationError` where it does not go on.
    init?(
        of reader: MediaReader, toEnd: Bool, most: Int = .max, while goesOn: @escaping @Sendable () -> Bool
    ) async throws {
        let beginnings = Beginnings(reader.tracks.count)
        let parts = try await withThrowingTaskGroup(of: DecodedCounts?.self) { group in
            for track in reader.tracks {
                group.addTask {
                    try await onOwnThread("rushes-verify") {
                        try DecodedCounts(of: track, reader, beginnings, toEnd: toEnd, most: most, while: goesOn)
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for part in parts {
            guard let part else { return nil }
            frames += part.frames
            audio += part.audio
            channels.merge(part.channels) { first, _ in first }
        }
    }

    /// How many tracks have not begun.
    private final class Beginnings: Sendable {
        let left: Atomic<Int>
        /// Whether enough was decoded.
        let isEnough = Atomic(false)
        init(_ count: Int) { left = Atomic(count) }
    }

    /// Blocks. A track goes on until all have begun: one that is not fetched holds up the others.
    private init?(
        of track: MediaReader.Track, _ reader: MediaReader, _ beginnings: Beginnings, toEnd: Bool,
        most: Int, while goesOn: () -> Bool
    ) throws {
        var (silence, hasBegun) = (Duration.zero, false)
        while silence < Self.timeout {
            guard goesOn() else { throw CancellationError() }
            if let failure = reader.failure { throw failure }
            let wait = Duration.milliseconds(hasBegun && !toEnd ? 20 : 250)
            let pulled = track.sink.pull(within: wait)
            if case .nothing = pulled { silence += wait } else { silence = .zero }
            if silence == .zero, !hasBegun {
                beginnings.left.subtract(1, ordering: .relaxed)
                hasBegun = true
            }
            switch pulled {
            case .sample where track.stream.kind == .video: frames += 1
            case .sample(let sample):
                audio += 1
                let index = track.stream.index
                if channels[index] == nil { channels[index] = sample.caps?.first?["channels"]?.intValue }
            case .end: return
            case .nothing: break
            }
            if frames >= most { beginnings.isEnough.store(true, ordering: .relaxed) }
            let hasAll = beginnings.left.load(ordering: .relaxed) <= 0
            if hasAll, !toEnd || beginnings.isEnough.load(ordering: .relaxed) { return }
        }
        return nil
    }
}
