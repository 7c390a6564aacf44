import MediaTypes
import MovieFiles

/// Which frames of a video become a timelapse, and which have to be decoded for them.
///
/// A key frame costs one frame's decoding, any other one all frames from its key frame on. So a moment is shown by a key frame
/// near it where there is one; exactly where that is asked for.
struct FrameSelection: Sendable, Hashable {
    /// A frame that is shown.
    struct Chosen: Sendable, Hashable {
        /// Among those of the index.
        var index: Int
        /// Which frame of the timelapse it is.
        var slot: Int
    }

    /// In the order in which they are shown.
    private(set) var chosen: [Chosen] = []
    /// What is decoded, in that order, in runs without gaps.
    private(set) var decoded: [Range<Int>] = []

    /// - Parameters:
    ///   - frames: of the source, in the order of decoding.
    ///   - isExact: whether each moment is shown by the first frame from then on, whatever that costs.
    init(_ frames: [VideoIndex.Frame], duration: MediaTime, grid: TimelapseGrid, isExact: Bool) {
        let shown = frames.indices.filter { frames[$0].isShown }.sorted { frames[$0].time < frames[$1].time }
        let keys = shown.filter { frames[$0].beginsGroup }
        let count = grid.count(in: duration)
        // Where there is nearly one for each moment they are shown alone; else only where nobody sees the difference.
        let isDense = keys.count * 10 >= count * 9
        var (next, key, latest) = (0, 0, MediaTime.min)
        for slot in 0..<count {
            let time = grid.time(slot)
            let tolerance = isExact ? 0 : grid.step(from: slot) * (isDense ? 0.5 : 0.125)
            while next < shown.count, grid.slot(by: frames[shown[next]].time) ?? -1 < slot { next += 1 }
            while key + 1 < keys.count,
                frames[keys[key + 1]].time.distance(to: time) <= frames[keys[key]].time.distance(to: time)
            { key += 1 }
            let near = keys.indices.contains(key) ? keys[key] : nil
            // No frame is shown twice.
            let isNear =
                near.map { frames[$0].time.distance(to: time) <= tolerance && frames[$0].time > latest } ?? false
            guard let index = isNear ? near : next < shown.count ? shown[next] : nil else { break }
            guard frames[index].time > latest else { continue }
            latest = frames[index].time
            chosen.append(Chosen(index: index, slot: slot))
        }
        decoded = Self.runs(chosen.map { Self.group(of: $0.index, frames)...$0.index })
    }

    /// How many frames are decoded.
    var decodedCount: Int { decoded.reduce(0) { $0 + $1.count } }

    /// The frame that decoding begins with for one to be shown: frames that come after a key frame and are shown before it may
    /// need the ones before that.
    private static func group(of index: Int, _ frames: [VideoIndex.Frame]) -> Int {
        var begin = index
        while begin > 0, !frames[begin].beginsGroup || frames[begin].time > frames[index].time { begin -= 1 }
        return begin
    }

    private static func runs(_ parts: [ClosedRange<Int>]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for part in parts.map({ Range($0) }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = runs.last, part.lowerBound <= last.upperBound {
                runs[runs.count - 1] = last.lowerBound..<max(last.upperBound, part.upperBound)
            } else {
                runs.append(part)
            }
        }
        return runs
    }
}

extension MediaTime {
    /// In seconds.
    fileprivate func distance(to other: MediaTime) -> Double { abs((self - other).seconds) }
}
