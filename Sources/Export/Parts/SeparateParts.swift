import Errors
import MediaTypes
import MovieFiles

/// The parts of a movie that become a file each: with an index they begin and end with its frames, so that of two which follow each other
/// every frame is in one.
struct SeparateParts: Sendable {
    struct Part: Sendable, Equatable {
        var range: TimeRange
        /// Of the chapter that it is.
        var title: String?
        /// Those of the movie that go with it, at the movie's times.
        var chapters: [MovieInfo.Chapter] = []
        /// Whether another part begins where it ends.
        var isContinued = false
        /// Where it ends in the movie, also where it goes to the movie's end; nil where nobody knows.
        var end: MediaTime?
    }

    /// What is known of the movie.
    struct Movie: Sendable {
        /// For people.
        var name: String
        var chapters: [MovieInfo.Chapter] = []
        /// nil where nobody knows.
        var duration: MediaTime?
        /// nil where no index names its frames.
        var grid: FrameGrid?
        /// Whether its frames are copied, so that pieces begin with key frames as far as there are some.
        var copiesFrames = false
    }

    private(set) var parts: [Part] = []
    /// What is told of them, a sentence each.
    private(set) var notes: [String] = []
    private let movie: Movie

    /// Files of one movie at most, which is a day in pieces of ten seconds.
    static let most = 10_000

    /// - Throws: ``RushesError`` for what the movie does not have, and for a part in which no frame begins.
    init(_ choices: [PartChoice], of movie: Movie) throws(RushesError) {
        self.movie = movie
        for choice in choices {
            switch choice {
            case .range(let range): try add(range)
            case .chapters(let numbers): try add(chapters: numbers)
            case .every(let length): try add(every: length)
            }
        }
        let starts = Set(parts.map(\.range.start))
        for index in parts.indices {
            parts[index].end = parts[index].range.end ?? movie.duration
            parts[index].isContinued = parts[index].range.end.map(starts.contains) ?? false
        }
    }

    private mutating func add(_ range: TimeRange) throws(RushesError) {
        var range = range
        if let duration = movie.duration, range.end.map({ $0 >= duration }) ?? false { range.end = nil }
        range = TimeRange(start: boundary(range.start), end: range.end.map(boundary))
        if let end = range.end, end <= range.start {
            throw RushesError(
                .invalidSettings, "No frame in \(movie.name) begins in part \(parts.count + 1); choose a longer one.")
        }
        parts.append(Part(range: range, chapters: movie.chapters.map(moved)))
    }

    // MARK: Chapters

    private mutating func add(chapters numbers: [ClosedRange<Int>]?) throws(RushesError) {
        let all = try Self.chapters(of: movie)
        if movie.chapters.count > all.count {
            notes.append(
                "Chapters that begin after the movie's end (\(movie.chapters.count - all.count)) are left out.")
        }
        for range in numbers ?? [] { try Self.check(range, among: all, of: movie.name) }
        let chosen = numbers?.flatMap { Array($0) }
        for number in chosen ?? Array(1...all.count) {
            let chapter = moved(all[number - 1])
            var start = boundary(chapter.start)
            let end = number < all.count ? boundary(all[number].start) : nil
            if chosen == nil, number == 1, start > .zero {
                start = .zero
                notes.append("What comes before the first chapter is in its file.")
            }
            guard end.map({ $0 > start }) ?? true else {
                notes.append("There is no file of chapter \(number) (“\(chapter.title)”), which has no frame.")
                continue
            }
            parts.append(
                Part(
                    range: TimeRange(start: start, end: end), title: chapter.title.isEmpty ? nil : chapter.title,
                    chapters: [chapter]))
        }
        guard !parts.isEmpty else {
            throw RushesError(.invalidSettings, "No frame in \(movie.name) begins in these chapters; choose others.")
        }
    }

    /// The chapters that begin within the movie, in order.
    private static func chapters(of movie: Movie) throws(RushesError) -> [MovieInfo.Chapter] {
        let all = movie.chapters.filter { $0.start < movie.duration ?? .max }
        guard !all.isEmpty else {
            throw RushesError(
                .invalidSettings,
                "\(movie.name) has no chapters; give the times of each \(Term.part), such as 10s-1m.")
        }
        return all.sorted { $0.start < $1.start }
    }

    private static func check(
        _ range: ClosedRange<Int>, among all: [MovieInfo.Chapter], of name: String
    ) throws(RushesError) {
        guard range.lowerBound >= 1, range.upperBound <= all.count else {
            let count = all.count == 1 ? "1 chapter" : "\(all.count) chapters"
            let number = range.lowerBound < 1 ? range.lowerBound : range.upperBound
            throw RushesError(.invalidSettings, "\(name) has \(count), and no chapter \(number).")
        }
    }

    /// The times of chapters, to be joined.
    ///
    /// - Throws: ``RushesError`` where the movie has no such chapter.
    static func ranges(ofChapters numbers: [ClosedRange<Int>], of movie: Movie) throws(RushesError) -> [TimeRange] {
        let all = try chapters(of: movie)
        var ranges: [TimeRange] = []
        for range in numbers {
            try check(range, among: all, of: movie.name)
            let end = range.upperBound < all.count ? all[range.upperBound].start : movie.duration
            ranges.append(TimeRange(start: all[range.lowerBound - 1].start, end: end))
        }
        return ranges
    }

    // MARK: Pieces

    /// What is left at the end is a piece of its own only where it is at least so long, or a tenth of the others.
    private static let shortestRest = MediaTime.second

    private mutating func add(every length: MediaTime) throws(RushesError) {
        guard let duration = movie.duration, duration > .zero else {
            throw RushesError(
                .invalidSettings,
                "\(movie.name) does not say how long it lasts; give the times of each \(Term.part), such as 10s-1m.")
        }
        guard duration / length <= Double(Self.most) else {
            throw RushesError(
                .invalidSettings, "These would be more than \(Self.most) files; choose longer pieces.")
        }
        let rest = min(Self.shortestRest, length / 10)
        var (starts, target) = ([MediaTime.zero], length)
        while let start = start(of: target, length, duration), duration - start > rest {
            starts.append(start)
            while target <= start { target = target + length }
        }
        let chapters = movie.chapters.map(moved)
        let ends = starts.dropFirst().map(Optional.some) + [nil]
        for (start, end) in zip(starts, ends) {
            parts.append(Part(range: TimeRange(start: start, end: end), chapters: chapters))
        }
        noteUnevenPieces(starts, length, duration)
    }

    /// Where the piece begins that is to begin at a time; nil: nothing begins there any more.
    private func start(of target: MediaTime, _ length: MediaTime, _ duration: MediaTime) -> MediaTime? {
        guard let grid = movie.grid else { return target }
        let frame = grid.frame(from: target)
        guard movie.copiesFrames, frame != nil else { return frame }
        if let key = grid.keyFrame(in: target...target + length / 2) { return key }
        // Nothing has to be encoded where the last one is half as long again.
        return duration - target > length / 2 ? frame : nil
    }

    private mutating func noteUnevenPieces(_ starts: [MediaTime], _ length: MediaTime, _ duration: MediaTime) {
        guard movie.copiesFrames else { return }
        let lengths = zip(starts, starts.dropFirst()).map { $1 - $0 }
        guard let shortest = lengths.min(), let longest = lengths.max(),
            lengths.contains(where: { ($0 - length).length > 100 * .millisecond })
        else { return }
        notes.append(
            "Each piece but the first begins with a key frame, as nothing is encoded then; they last "
                + (longest - shortest < 100 * .millisecond
                    ? "\(longest.secondsToHundredths) s."
                    : "\(shortest.secondsToHundredths) to \(longest.secondsToHundredths) s."))
    }

    private func boundary(_ time: MediaTime) -> MediaTime {
        time == .zero ? time : movie.grid?.boundary(at: time) ?? time
    }

    /// A chapter that begins with a frame: else one that a part begins with would be in the part before it too, for less than a frame.
    private func moved(_ chapter: MovieInfo.Chapter) -> MovieInfo.Chapter {
        .init(start: boundary(chapter.start), title: chapter.title)
    }
}

extension SeparateParts.Movie {
    init(_ movie: MovieInput, grid: FrameGrid? = nil, copiesFrames: Bool = false) {
        let properties = movie.properties
        self.init(
            name: movie.displayName, chapters: properties.chapters, duration: properties.duration, grid: grid,
            copiesFrames: copiesFrames)
    }
}
