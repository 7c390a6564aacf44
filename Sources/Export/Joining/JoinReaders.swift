import GStreamer
import MediaTypes
import Threads

/// The readers of movies that are joined.
final class JoinReaders: Sendable {
    private let readers: SuccessiveReaders<PartsSource>
    /// Kinds of tracks of which nothing is fetched.
    private let ignored = Locked<Set<SourceStream.Kind>>([])

    init(_ make: @escaping @Sendable (Int) throws -> PartsSource) { readers = SuccessiveReaders(make) }

    /// The reader of a movie, opened. Blocks, a minute at most.
    ///
    /// - Throws: what went wrong with that.
    func source(_ index: Int) throws -> PartsSource {
        try readers.source(index) { [self] source in
            let ignored = ignored.withLock { $0 }
            for track in source.tracks where ignored.contains(track.stream.kind) { try track.sink.discardSamples() }
        }
    }

    /// Lets all that comes of a kind of track go to waste, in movies to come too.
    func discardSamples(_ kind: SourceStream.Kind) throws(GStreamerError) {
        ignored.withLock { _ = $0.insert(kind) }
        for source in sources {
            for track in source.tracks where track.stream.kind == kind { try track.sink.discardSamples() }
        }
    }

    /// Those that are open, in the movies' order.
    var sources: [PartsSource] { readers.sources }

    /// Wakes who waits for a reader, and stops all.
    func stop() async { await readers.stop() }
}
