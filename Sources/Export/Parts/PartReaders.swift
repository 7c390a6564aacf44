import Foundation
import GStreamer
import MediaTypes
import Threads

/// The readers of a movie's parts: each part has one of its own, which is opened when the first track comes to it.
final class PartReaders: Sendable {
    /// Which track of a reader is meant.
    struct Key: Sendable, Hashable {
        var kind: SourceStream.Kind
        var index: Int
    }

    private struct State {
        /// Tracks of which nothing is fetched.
        var ignored: Set<Key> = []
        /// Those that each part's reader has been left by.
        var left: [Int: Set<Key>] = [:]
        /// How far into each part the tracks came that ended before it did.
        var ends: [Int: [Key: MediaTime]] = [:]
        var places: [MediaTime?] = []
    }

    private let readers: SuccessiveReaders<MovieSource>
    private let state = Locked(State())

    /// - Parameters:
    ///   - first: the first part's reader, which whoever has it opens.
    ///   - make: makes those of the others.
    init(_ first: MovieSource, _ make: @escaping @Sendable () throws -> MovieSource) {
        readers = SuccessiveReaders(first: first) { _ in try make() }
    }

    /// Says where each part's reader is sent to, in the file's own time; nil: it reads from the beginning on.
    func setPlaces(_ places: [MediaTime?]) { state.withLock { $0.places = places } }

    /// The reader of a part, opened and sent to its beginning. Blocks, a minute at most.
    ///
    /// - Throws: what went wrong with that.
    func source(_ part: Int) throws -> MovieSource {
        try readers.source(part) { [self] source in
            if let place = state.withLock({ $0.places[part] }), await !source.seek(to: place, .keyFrameBefore) {
                throw Self.isLost
            }
            let ignored = state.withLock { $0.ignored }
            for track in source.tracks where ignored.contains(Key(track)) { try track.sink.discardSamples() }
        }
    }

    /// What is thrown where a part is not found in the file.
    static let isLost = GStreamerError(element: "parts", message: "the place was not found")

    /// Lets all that comes of a track go to waste, in parts to come too.
    func discardSamples(_ key: Key) throws(GStreamerError) {
        state.withLock { _ = $0.ignored.insert(key) }
        for source in readers.sources { try source.track(key)?.sink.discardSamples() }
    }

    /// The first part's reader, whether it is open or not.
    var first: MovieSource? { readers.opened(0) }

    /// The first thing that went wrong in any of them.
    var failure: GStreamerError? { readers.sources.lazy.compactMap(\.failure).first }

    /// The one in which that went wrong.
    func source(of error: any Error) -> MovieSource? {
        readers.sources.first { $0.failure.map { $0 == error as? GStreamerError } ?? false }
    }

    /// Notes that the movie ends in a part as far as one track goes.
    ///
    /// - Returns: how far into the part the movie goes, once all tracks have ended there; nil before, and where one continues.
    func end(_ part: Int, _ key: Key, at time: MediaTime) -> MediaTime? {
        let source = readers.opened(part)
        return state.withLock { state in
            state.ends[part, default: [:]][key] = time
            guard let source, let ends = state.ends[part],
                source.tracks.allSatisfy({ ends[Key($0)] != nil || state.ignored.contains(Key($0)) })
            else { return nil }
            return ends.values.max()
        }
    }

    /// Where a movie that does not tell its length ends, before a part does that another one follows.
    struct EndsEarly: Sendable {
        /// From 0.
        var part: Int
        /// From the movie's beginning.
        var time: MediaTime
    }

    /// Wakes who waits for a reader, and stops all.
    func stop() async { await readers.stop() }

    /// Lets the rest of a track go to waste in a part that it has ended in; the reader that all tracks have left stops.
    func leave(_ part: Int, _ key: Key) {
        guard let source = readers.opened(part) else { return }
        try? source.track(key)?.sink.discardSamples()
        let isLast = state.withLock { state in
            state.left[part, default: []].insert(key)
            let gone = state.left[part, default: []].union(state.ignored)
            return source.tracks.allSatisfy { gone.contains(Key($0)) }
        }
        guard isLast else { return }
        readers.remove(part)
        Task { await source.stop() }
    }
}

extension PartReaders.Key {
    init(_ track: MediaReader.Track) { self.init(kind: track.stream.kind, index: track.stream.index) }
}

extension MovieSource {
    func track(_ key: PartReaders.Key) -> MediaReader.Track? { tracks.first { PartReaders.Key($0) == key } }
}
