import GStreamer
import MediaTypes
import Threads

/// One track of all parts, one behind the other: a track like another, as ``ComposedFrames``.
final class PartSamples: SampleSource {
    private struct State {
        /// The part whose samples come now.
        var part: Int
        /// What was fetched before to see what the track is.
        var held: Sample?
        var cut: PartCut?
        /// Of the part's reader; nil until it is open.
        var source: MovieSource?
    }

    private let plan: PartPlan
    private let readers: PartReaders
    private let key: PartReaders.Key
    /// The file's own time of what counts as its beginning.
    private let begin: MediaTime
    private let container: InputContainer
    private let countsFrames: Bool
    private let duration: MediaTime?
    /// Held while a sample is waited for.
    private let state: Locked<State>
    /// Apart from it, as whoever looks at these must not wait.
    private let isIgnored = Locked(false)
    private let firstFailure = Locked<GStreamerError?>(nil)
    private let firstEnd = Locked<PartReaders.EndsEarly?>(nil)

    /// - Parameters:
    ///   - first: the track's first sample in the file.
    ///   - properties: the file's.
    init(
        _ plan: PartPlan, _ readers: PartReaders, _ track: MediaReader.Track, first: Sample, begin: MediaTime,
        _ properties: InputProperties, holdsFirst: Bool
    ) {
        (self.plan, self.readers, key, self.begin) = (plan, readers, PartReaders.Key(track), begin)
        (container, duration) = (properties.container, properties.duration)
        countsFrames = container.countsAudio(track.stream.caps)
        state = Locked(State(part: 0, held: holdsFirst ? first : nil))
    }

    /// Where the movie ended too early.
    var earlyEnd: PartReaders.EndsEarly? { firstEnd.withLock { $0 } }
    /// What went wrong with opening a part.
    var failure: GStreamerError? { firstFailure.withLock { $0 } }

    func discardSamples() throws(GStreamerError) {
        isIgnored.withLock { $0 = true }
        try readers.discardSamples(key)
    }

    /// Only one thread pulls.
    func pull(within limit: Duration) -> AppSink.Pulled {
        let limit = TimeLimit(limit)
        return state.withLock { state in
            while !isIgnored.withLock({ $0 }), state.part < plan.parts.count {
                if let ready = state.cut?.next() { return .sample(ready) }
                if state.cut?.isComplete == true {
                    advance(&state)
                    continue
                }
                do {
                    let left = limit.left
                    switch try pulled(within: left, &state) {
                    case .sample(let sample): try take(sample, &state)
                    case .end:
                        if let early = earlyEnd(state) {
                            firstEnd.withLock { $0 = early }
                            throw GStreamerError(element: "parts", message: "the movie ends early")
                        }
                        if state.cut == nil {
                            advance(&state)
                        } else {
                            state.cut?.end(isLast: state.part == plan.parts.count - 1)
                        }
                    case .nothing: return .nothing
                    }
                    if left == .zero, state.cut?.isReady != true { return .nothing }
                } catch {
                    let failure = error as? GStreamerError ?? GStreamerError(element: "parts", message: "\(error)")
                    firstFailure.withLock { $0 = failure }
                    return .end
                }
            }
            return .end
        }
    }

    private func pulled(within limit: Duration, _ state: inout State) throws -> AppSink.Pulled {
        if let held = state.held {
            state.held = nil
            state.source = try readers.source(state.part)
            return .sample(held)
        }
        if state.source == nil { state.source = try readers.source(state.part) }
        return state.source?.track(key)?.sink.pull(within: limit) ?? .end
    }

    /// What a part lacks at the least that is told, as tracks end at different times.
    private static let tolerance = MediaTime.second / 2

    /// Where the movie ends, if it does so before a part that another one follows, whose place in the movie is then wrong.
    private func earlyEnd(_ state: State) -> PartReaders.EndsEarly? {
        let part = plan.parts[state.part]
        guard !plan.knowsLength, state.part < plan.parts.count - 1, let end = part.end,
            let reached = readers.end(state.part, key, at: state.cut?.reached ?? .zero),
            part.start + reached + Self.tolerance < end
        else { return nil }
        return PartReaders.EndsEarly(part: state.part, time: part.start + reached)
    }

    private func take(_ sample: Sample, _ state: inout State) throws {
        guard let source = state.source else { return }
        if state.cut == nil {
            let part = plan.parts[state.part]
            // Reading from elsewhere than was said would leave out what is to be there.
            if source.reader.isSought, let time = sample.movieTime, time > begin + part.start,
                time > begin + PartsSource.leadIn
            {
                throw PartReaders.isLost
            }
            state.cut = PartCut(
                part, key.kind, sample, begin: begin, container, duration, countsFrames: countsFrames)
            if let track = source.track(key) { state.cut?.late = source.delay(of: track) }
        }
        state.cut?.take(sample)
    }

    private func advance(_ state: inout State) {
        readers.leave(state.part, key)
        state.part += 1
        (state.cut, state.source) = (nil, nil)
    }
}
