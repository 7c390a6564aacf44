import MediaTypes
import MovieFiles
import SystemPackage

/// When the frames of an input begin, as its index tells: parts that begin and end with one follow each other evenly.
struct FrameGrid: Sendable {
    /// In order, counted from the input's first sample.
    private let times: [MediaTime]
    private let end: MediaTime
    /// See ``FrameTiming``.
    private let rounding: MediaTime

    /// What lies farther apart does not follow a rate.
    private static let longest = 100 * MediaTime.millisecond

    init(_ times: [MediaTime], end: MediaTime, rounding: MediaTime = 20 * .microsecond) {
        (self.times, self.end, self.rounding) = (times, end, rounding)
    }

    /// nil for a file without such an index. Blocks.
    init?(_ file: InputFile, _ properties: InputProperties) {
        guard let index = try? VideoIndex(FilePath(file.location)), let shown = try? index.presentation() else {
            return nil
        }
        self.init(
            shown.times, end: shown.end,
            rounding: max(20 * .microsecond, properties.container.tick(nil) / 2 - .microsecond))
    }

    /// The whole frames that ffmpeg's `-ss` and `-t` give of a part: those from its beginning on, and as many as fit into its length,
    /// which counts from the first of them.
    func frames(of part: Range<MediaTime>) -> Range<MediaTime> {
        let start = boundary(at: part.lowerBound)
        let stop = boundary(at: part.upperBound + (start - part.lowerBound))
        return start..<max(start, stop)
    }

    /// Where the next frame begins, or the last one ends; the time itself where that is far away.
    private func boundary(at time: MediaTime) -> MediaTime {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < time - rounding { low = middle + 1 } else { high = middle }
        }
        let next = low < times.count ? times[low] : end
        return (next - time).length <= Self.longest ? next : time
    }
}
