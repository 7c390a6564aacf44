import GStreamer
import MediaTypes
import Threads

/// The readers of movies that are joined: each is opened when the first track comes to it.
final class JoinReaders: Sendable {
    private struct State {
        var openings: [Int: PartOpening<PartsSource>] = [:]
        var ignored: Set<SourceStream.Kind> = []
        var isStopped = false
    }

    private let make: @Sendable (Int) throws -> PartsSource
    private let state = Locked(State())

    init(_ make: @escaping @Sendable (Int) throws -> PartsSource) { self.make = make }

    /// The reader of a movie, opened. Blocks, a minute at most.
    ///
    /// - Throws: what went wrong with that.
    func source(_ index: Int) throws -> PartsSource {
        let (opening, isNew) = try state.withLock { state in
            if state.isStopped { throw CancellationError() }
            if let opening = state.openings[index] { return (opening, false) }
            let opening = PartOpening<PartsSource>()
            state.openings[index] = opening
            return (opening, true)
        }
        if isNew { Task { await open(index, opening) } }
        return try opening.wait()
    }

    private func open(_ index: Int, _ opening: PartOpening<PartsSource>) async {
        do {
            let source = try make(index)
            do {
                try await source.open()
                let ignored = state.withLock { $0.ignored }
                for track in source.tracks where ignored.contains(track.stream.kind) { try track.sink.discardSamples() }
            } catch {
                await source.stop()
                throw error
            }
            guard opening.finish(.success(source)) else { return await source.stop() }
        } catch {
            opening.finish(.failure(error))
        }
    }

    /// Lets all that comes of a kind of track go to waste, in movies to come too.
    func discardSamples(_ kind: SourceStream.Kind) throws(GStreamerError) {
        state.withLock { _ = $0.ignored.insert(kind) }
        for source in sources {
            for track in source.tracks where track.stream.kind == kind { try track.sink.discardSamples() }
        }
    }

    /// Those that are open, in the movies' order.
    var sources: [PartsSource] {
        state.withLock { state in
            state.openings.sorted { $0.key < $1.key }.compactMap(\.value.source)
        }
    }

    /// Wakes who waits for a reader, and stops all.
    func stop() async {
        let openings = state.withLock { state in
            state.isStopped = true
            return state.openings.values.map(\.self)
        }
        await withTaskGroup(of: Void.self) { group in
            for opening in openings {
                opening.finish(.failure(CancellationError()))
                if let source = opening.source { group.addTask { await source.stop() } }
            }
        }
    }
}
