import Errors
import MediaTypes
import MovieFiles

/// Several parts of an input behind each other, in the order in which they were named.
struct PartPlan: Sendable, Equatable {
    struct Part: Sendable, Equatable {
        /// In the input, counted from its first sample.
        var start: MediaTime
        /// Likewise; nil: with the input, which only the last one may.
        var end: MediaTime?
        /// When it begins in the movie.
        var offset: MediaTime
    }

    private(set) var parts: [Part] = []
    /// Whether the input tells how long it lasts, so that no part ends behind it.
    let knowsLength: Bool
    /// Of all; nil where nobody knows when the last one ends.
    private(set) var duration: MediaTime? = .zero

    /// - Parameters:
    ///   - length: the input's; nil where it does not tell.
    ///   - grid: its frames, where an index names them; without it the parts are taken as they are.
    /// - Throws: ``RushesError`` for a part without an end that another one follows, where the input does not tell its own, and for one
    ///   in which no frame begins.
    init(_ ranges: [TimeRange], lasting length: MediaTime?, grid: FrameGrid?, of name: String) throws(RushesError) {
        knowsLength = length != nil
        for (index, range) in ranges.enumerated() {
            var part = Part(start: range.start, end: range.end.map { min($0, length ?? $0) } ?? length, offset: .zero)
            guard let offset = duration else {
                throw RushesError(
                    .invalidSettings,
                    "\(name) does not say how long it lasts; give each \(Term.part) but the last an end, such as 1m-2m."
                )
            }
            part.offset = offset
            if let grid, let end = part.end {
                // A frame that the next part begins with is in that alone.
                let isContinued = index + 1 < ranges.count && ranges[index + 1].start == range.end
                let frames = grid.frames(of: part.start..<max(part.start, end), isContinued: isContinued)
                (part.start, part.end) = (frames.lowerBound, frames.upperBound)
            }
            if let end = part.end, end <= part.start {
                throw RushesError(
                    .invalidSettings, "No frame in \(name) begins in part \(index + 1); choose a longer one.")
            }
            parts.append(part)
            duration = part.end.map { offset + $0 - part.start }
        }
    }

    /// All of an input that lasts so long, from a time of the movie on.
    init(whole length: MediaTime, at offset: MediaTime) {
        parts = [Part(start: .zero, end: length, offset: offset)]
        (knowsLength, duration) = (true, length)
    }

    /// The input's chapters at the movie's times: each part begins with the one that it lies in, unless that has just been.
    func chapters(_ all: [MovieInfo.Chapter]) -> [MovieInfo.Chapter] {
        var (chapters, latest) = ([MovieInfo.Chapter](), Int?.none)
        for part in parts {
            let first = all.lastIndex { $0.start <= part.start }
            for (index, chapter) in all.enumerated() where chapter.start < part.end ?? .max {
                guard index >= first ?? 0, index != latest else { continue }
                chapters.append(
                    .init(start: max(.zero, chapter.start - part.start) + part.offset, title: chapter.title))
                latest = index
            }
        }
        return chapters
    }
}
