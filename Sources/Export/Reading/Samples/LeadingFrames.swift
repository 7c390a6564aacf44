import GStreamer
import MediaTypes
import Threads

/// A track's samples behind those of them that were looked at before.
final class ReturnedSamples: SampleSource {
    private let source: any SampleSource
    private let returned: Locked<[Sample]>

    init(_ source: any SampleSource, behind returned: [Sample]) {
        (self.source, self.returned) = (source, Locked(returned))
    }

    func pull(within limit: Duration) -> AppSink.Pulled {
        let next = returned.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        return next.map { .sample($0) } ?? source.pull(within: limit)
    }

    func placed(_ sample: Sample) -> Sample { source.placed(sample) }

    func discardSamples() throws(GStreamerError) {
        returned.withLock { $0 = [] }
        try source.discardSamples()
    }
}

extension OpenedTrack {
    /// The most frames that can come before the one that is shown behind the first: sixteen, as H.264 and HEVC have it, of two fields each.
    private static let mostLeading = 32
    private static let timeout = Duration.seconds(20)

    /// Whether it is of frames that need others.
    var mayBeginWithLeadingFrames: Bool { track.stream.kind == .video && !track.stream.isIntraOnly }

    /// The same track, which knows when the earliest of its frames is shown: a key frame may be followed by ones that are shown before it,
    /// as in open groups. A decoder gives those first. Blocks.
    ///
    /// - Parameters:
    ///   - beginning: what lies before it is not shown.
    ///   - goesOn: asked several times a second.
    func knowingLeadingFrames(since beginning: MediaTime, while goesOn: () -> Bool) -> OpenedTrack {
        guard let first = first.movieTime else { return self }
        guard track.isCopied else {
            var known = self
            if first < .zero, first >= beginning { known.leading = first }
            return known
        }
        let limit = TimeLimit(Self.timeout)
        var (taken, earliest, laterCount) = ([Sample](), first, 0)
        search: while taken.count < Self.mostLeading, !limit.isOver, goesOn() {
            switch track.sink.pull(within: .milliseconds(100)) {
            case .sample(let sample):
                taken.append(sample)
                guard let time = sample.movieTime else { continue }
                if time > first { laterCount += 1 }
                // One of them may be the second field of the first frame.
                guard laterCount < 2 else { break search }
                if time >= beginning { earliest = min(earliest, time) }
            case .end: break search
            case .nothing: continue
            }
        }
        var known = self
        if earliest < first { known.leading = earliest }
        known.track.sink = ReturnedSamples(track.sink, behind: taken)
        return known
    }
}
