import GStreamer
import Threads

/// Readers of what comes one behind the other in a movie, parts of one or several movies: each is opened when the first track comes to it.
final class SuccessiveReaders<Source: FrameSource>: Sendable {
    private struct State {
        var openings: [Int: ReaderOpening<Source>] = [:]
        var isStopped = false
    }

    private let make: @Sendable (Int) throws -> Source
    private let state = Locked(State())

    /// - Parameters:
    ///   - first: the first reader, which whoever has it opens; nil: it is made as the others are.
    ///   - make: makes the reader of a place.
    init(first: Source? = nil, _ make: @escaping @Sendable (Int) throws -> Source) {
        self.make = make
        guard let first else { return }
        let opening = ReaderOpening<Source>()
        opening.finish(.success(first))
        state.withLock { $0.openings[0] = opening }
    }

    /// The reader of a place, opened and prepared. Blocks, a minute at most.
    ///
    /// - Parameter prepare: what is done to one that has just been opened.
    /// - Throws: what went wrong with that.
    func source(_ index: Int, prepare: @escaping @Sendable (Source) async throws -> Void) throws -> Source {
        let (opening, isNew) = try state.withLock { state in
            if state.isStopped { throw CancellationError() }
            if let opening = state.openings[index] { return (opening, false) }
            let opening = ReaderOpening<Source>()
            state.openings[index] = opening
            return (opening, true)
        }
        if isNew { Task { await open(index, opening, prepare) } }
        return try opening.wait()
    }

    private func open(
        _ index: Int, _ opening: ReaderOpening<Source>, _ prepare: @Sendable (Source) async throws -> Void
    ) async {
        do {
            let source = try make(index)
            do {
                try await source.open()
                try await prepare(source)
            } catch {
                await source.stop()
                throw error
            }
            guard opening.finish(.success(source)) else { return await source.stop() }
        } catch {
            opening.finish(.failure(error))
        }
    }

    /// The reader of a place, where it is open.
    func opened(_ index: Int) -> Source? { state.withLock { $0.openings[index] }?.source }

    /// Those that are open, in order.
    var sources: [Source] {
        state.withLock { state in state.openings.sorted { $0.key < $1.key }.map(\.value) }.compactMap(\.source)
    }

    /// Forgets the reader of a place: what it says as it stops is of no interest.
    func remove(_ index: Int) { state.withLock { $0.openings[index] = nil } }

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

/// A reader that is being opened.
private final class ReaderOpening<Source: Sendable>: Sendable {
    private let isOver = AsyncSignal()
    private let result = Locked<Result<Source, any Error>?>(nil)

    var source: Source? { result.withLock { $0 }.flatMap { try? $0.get() } }

    /// - Returns: false where it has ended before, in another way.
    @discardableResult func finish(_ new: Result<Source, any Error>) -> Bool {
        let isFirst = result.withLock { result in
            defer { result = result ?? new }
            return result == nil
        }
        isOver.fire()
        return isFirst
    }

    /// Blocks, a minute at most.
    func wait() throws -> Source {
        guard isOver.waitOnThread(within: .seconds(60)), let result = result.withLock({ $0 }) else {
            throw GStreamerError(element: "readers", message: "a movie or a part of it does not begin in time")
        }
        return try result.get()
    }
}
