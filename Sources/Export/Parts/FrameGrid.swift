import MediaTypes
import MovieFiles
import SystemPackage

/// When the frames of an input begin, as its index tells: parts that begin and end with one follow each other evenly.
struct FrameGrid: Sendable {
    /// In order, counted from the input's first sample.
    private let times: [MediaTime]
    private let end: MediaTime
    /// Of these, those that a copy can begin with: first the ones that lack nothing of what was before them.
    private let keyFrames: [[MediaTime]]
    /// See ``FrameTiming``.
    private let rounding: MediaTime

    /// What lies farther apart does not follow a rate.
    private static let longest = 100 * MediaTime.millisecond

    init(
        _ times: [MediaTime], end: MediaTime, keyFrames: [[MediaTime]] = [], rounding: MediaTime = 20 * .microsecond
    ) {
        (self.times, self.end, self.keyFrames, self.rounding) = (times, end, keyFrames, rounding)
    }

    /// nil for a file without such an index. Blocks.
    ///
    /// - Parameter findsKeyFrames: whether those are looked for that a copy can begin with, in the frames themselves.
    init?(_ file: InputFile, _ properties: InputProperties, findsKeyFrames: Bool = false) {
        let rounding = max(20 * .microsecond, properties.container.tick(nil) / 2 - .microsecond)
        let path = FilePath(file.location)
        guard let index = try? VideoIndex(path), let shown = try? index.presentation() else {
            guard properties.container == .matroska, let frames = try? MatroskaFrames(path) else { return nil }
            self.init(
                frames.times, end: frames.end, keyFrames: findsKeyFrames ? [frames.keyFrames] : [], rounding: rounding)
            return
        }
        let lead = shown.times.first ?? .zero
        let found = findsKeyFrames ? try? index.keyFrames() : nil
        let keyFrames = found.map { [$0.closed, $0.all] } ?? []
        self.init(
            shown.times, end: shown.end, keyFrames: keyFrames.map { $0.map { $0 + lead } },
            rounding: rounding)
    }

    /// The whole frames that ffmpeg's `-ss` and `-t` give of a part: those from its beginning on, and as many as fit into its length,
    /// which counts from the first of them.
    ///
    /// - Parameter isContinued: whether another part begins where this one ends, so that its length counts from its beginning.
    func frames(of part: Range<MediaTime>, isContinued: Bool = false) -> Range<MediaTime> {
        let start = boundary(at: part.lowerBound)
        let stop = boundary(at: part.upperBound + (isContinued ? .zero : start - part.lowerBound))
        return start..<max(start, stop)
    }

    /// Where the next frame begins, or the last one ends; the time itself where that is far away.
    func boundary(at time: MediaTime) -> MediaTime {
        let next = first(of: times, from: time) ?? end
        return (next - time).length <= Self.longest ? next : time
    }

    /// The first frame that does not begin before a time; nil: none.
    func frame(from time: MediaTime) -> MediaTime? { first(of: times, from: time) }

    /// The nearest one that a copy can begin with behind any other frame.
    func closedKeyFrame(near time: MediaTime) -> MediaTime? {
        keyFrames.first?.min { ($0 - time).length < ($1 - time).length }
    }

    /// Of these, one that a copy can begin with, the better ones first.
    func keyFrame(in range: ClosedRange<MediaTime>) -> MediaTime? {
        keyFrames.lazy.compactMap { first(of: $0, from: range.lowerBound) }.first { $0 <= range.upperBound }
    }

    private func first(of times: [MediaTime], from time: MediaTime) -> MediaTime? {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < time - rounding { low = middle + 1 } else { high = middle }
        }
        return low < times.count ? times[low] : nil
    }
}
